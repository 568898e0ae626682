// What the application's owner sees and decides of the servers that use the bot: never what is said or kept in them.
import { UserError } from "../core/errors.ts";
import type { Connection, GuildAccess, GuildSummary } from "../core/ports.ts";
import type { PlanUse } from "../plan/plan-use.ts";
import type { PlanStanding } from "./about.ts";
import type { Attention } from "./attention.ts";
import type { BlockedGuild, GuildRecordsTable } from "./guild-records-table.ts";
import type { Notice, Notices } from "./notice.ts";
import type { Clock } from "../core/clock.ts";

export interface Server extends GuildSummary {
  /** When a member last used a command or sent the bot a file, to the hour; `undefined` if nothing is recorded. */
  readonly lastUsedAtMs: number | undefined;
  /** How many running boards it has. */
  readonly boards: number;
  readonly isAllowed: boolean;
}

export interface Overview {
  /** Those with the most members first. */
  readonly servers: readonly Server[];
  readonly blocked: readonly BlockedGuild[];
  readonly notice: Notice | undefined;
  /** Sentences about what needs the owner's attention. */
  readonly attention: readonly string[];
}

export interface NamedUse extends PlanUse {
  readonly name: string | undefined;
}

export type Operator = ReturnType<typeof createOperator>;

/** Everything throws as the database does, and what Discord is asked for as the messenger does. */
export function createOperator(deps: {
  readonly connection: Pick<Connection, "guilds">;
  readonly access: GuildAccess;
  readonly blocks: BlockList;
  readonly records: Pick<GuildRecordsTable, "lastUses">;
  readonly notices: Notices;
  readonly attention: Pick<Attention, "open">;
  /** How many running boards each server has. */
  readonly countBoards: () => Promise<ReadonlyMap<string, number>>;
  /** For whom calls of the plans were made today. */
  readonly planUses: () => readonly PlanUse[];
  readonly readPlans: () => Promise<readonly PlanStanding[]>;
}) {
  const { connection, access, blocks, records, notices, attention, countBoards, planUses, readPlans } = deps;
  async function servers(): Promise<readonly Server[]> {
    const [guilds, uses, boards] = await Promise.all([
      connection.guilds(),
      records.lastUses(),
      countBoards(),
    ]);
    const found = guilds.map((guild) => ({
      ...guild,
      lastUsedAtMs: uses.get(guild.id),
      boards: boards.get(guild.id) ?? 0,
      isAllowed: access.isAllowed(guild.id),
    }));
    return found.toSorted((a, b) => (b.memberCount ?? 0) - (a.memberCount ?? 0));
  }

  /** Throws a UserError for one that the bot is not in. */
  async function server(id: string): Promise<Server> {
    const found = (await servers()).find((each) => each.id === id);
    if (found === undefined) {
      throw new UserError("I'm no longer in that server.");
    }
    return found;
  }

  return {
    overview: async (): Promise<Overview> => ({
      servers: await servers(),
      blocked: await blocks.list(),
      notice: await notices.last(),
      attention: await attention.open(),
    }),
    server,
    /** How the plans stand, and for whom their calls were made today, with the names of servers that the bot is still in. */
    async planUse(): Promise<{
      readonly plans: readonly PlanStanding[];
      readonly uses: readonly NamedUse[];
    }> {
      const names = new Map((await connection.guilds()).map(({ id, name }) => [id, name]));
      const uses = planUses().map((use) => ({ ...use, name: names.get(use.by) }));
      return { plans: await readPlans(), uses };
    },
    async leave(id: string): Promise<Server> {
      const found = await server(id);
      await access.leave(id);
      return found;
    },
    /** Leaves it, and leaves again whenever somebody invites the bot. */
    async block(id: string): Promise<Server> {
      const found = await server(id);
      await blocks.block(found);
      await access.leaveWithNotice(id);
      return found;
    },
    /** Begins to leave all servers that are not allowed, and says how many there are. */
    async leaveStrangers(): Promise<number> {
      const strangers = (await servers()).filter(({ isAllowed }) => !isAllowed);
      strangers.forEach(({ id }) => void access.leaveWithNotice(id));
      return strangers.length;
    },
    blocks,
    notices,
  };
}

// The servers that the application's owner has blocked: kept in the database, and in memory for the check of each
// interaction.

export type BlockList = ReturnType<typeof createBlockList>;

export function createBlockList({
  table,
  clock,
}: {
  readonly table: Pick<GuildRecordsTable, "block" | "unblock" | "blocked">;
  readonly clock: Clock;
}) {
  let ids: ReadonlySet<string> = new Set();

  async function load(): Promise<void> {
    ids = new Set((await table.blocked()).map(({ guildId }) => guildId));
  }

  return {
    has: (guildId: string) => ids.has(guildId),
    load,
    list: () => table.blocked(),
    async block({ id: guildId, name }: Pick<GuildSummary, "id" | "name">): Promise<void> {
      await table.block({ guildId, name, blockedAt: clock.now() });
      await load();
    },
    async unblock(guildId: string): Promise<void> {
      await table.unblock(guildId);
      await load();
    },
  };
}
