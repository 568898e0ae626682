// The servers that use the bot, for its owner: a list, and how to leave or block them. The owner cannot see their content.
import { UserError } from "../core/errors.ts";
import type { Connection, GuildAccess, GuildSummary } from "../core/ports.ts";
import type { PlanUse } from "../plan/budget.ts";
import type { PlanStatus } from "./about-view.ts";
import type { Attention } from "./attention.ts";
import type { BlockedGuild, GuildRecordsTable } from "./guild-records-table.ts";
import type { Notice, Notices } from "./notice.ts";
import type { Clock } from "../core/clock.ts";

export interface Server extends GuildSummary {
  /** When a member last used a command or sent the bot a file, precise to the hour; `undefined` if nothing is recorded. */
  readonly lastUsedAtMs: number | undefined;
  readonly boards: number;
  readonly isAllowed: boolean;
}

export interface Overview {
  /** Sorted by their number of members, the largest first. */
  readonly servers: readonly Server[];
  readonly blocked: readonly BlockedGuild[];
  readonly notice: Notice | undefined;
  readonly attention: readonly string[];
}

export type Operator = ReturnType<typeof createOperator>;
export type PlanUses = Awaited<ReturnType<Operator["planUse"]>>;

/** All methods throw as the database does. Those that ask Discord also throw as the messenger does. */
export function createOperator(deps: {
  readonly connection: Pick<Connection, "guilds">;
  readonly access: GuildAccess;
  readonly blocks: BlockList;
  readonly records: Pick<GuildRecordsTable, "lastUses">;
  readonly notices: Notices;
  readonly attention: Pick<Attention, "open">;
  readonly countBoards: () => Promise<ReadonlyMap<string, number>>;
  /** Today's calls of the plans, by server. */
  readonly planUses: () => readonly PlanUse[];
  readonly readPlans: () => Promise<readonly PlanStatus[]>;
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

  /** Throws a UserError if the bot is not in the server. */
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
    /** The state of the plans and today's calls, with the names of servers that the bot is still in. */
    async planUse() {
      const names = new Map((await connection.guilds()).map(({ id, name }) => [id, name]));
      const uses = planUses().map((use) => ({ ...use, name: names.get(use.by) }));
      return { plans: await readPlans(), uses };
    },
    async leave(id: string): Promise<Server> {
      const found = await server(id);
      await access.leave(id);
      return found;
    },
    /** Leaves the server, and leaves it again whenever somebody invites the bot. */
    async block(id: string): Promise<Server> {
      const found = await server(id);
      await blocks.block(found);
      await access.leaveWithNotice(id);
      return found;
    },
    /** Begins to leave all servers that are not allowed, and returns their number. */
    async leaveStrangers(): Promise<number> {
      const notAllowed = (await servers()).filter(({ isAllowed }) => !isAllowed);
      notAllowed.forEach(({ id }) => void access.leaveWithNotice(id));
      return notAllowed.length;
    },
    blocks,
    notices,
  };
}

// The blocked servers: in the database, and in memory too, because every interaction is checked against them.

export type BlockList = ReturnType<typeof createBlockList>;

export function createBlockList(
  table: Pick<GuildRecordsTable, "block" | "unblock" | "blocked">,
  clock: Clock,
) {
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
