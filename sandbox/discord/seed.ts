// The initial people and servers of a local Discord, as its caller describes them.
import type { User } from "./entities.ts";
import { addChannel, addGuild, addRole } from "./guilds.ts";
import { EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Platform } from "./platform.ts";
import { userNamed } from "./state.ts";

/** A server with the bot in it. */
export interface ServerPlan {
  readonly name: string;
  /** Display names of its members; the first is the owner. */
  readonly members: readonly string[];
  readonly roles?: readonly {
    readonly name: string;
    readonly permissions: bigint;
    /** Display names. */
    readonly members: readonly string[];
  }[];
  /** The permissions of the bot's own role beyond everyone's. Default none. */
  readonly botPermissions?: bigint;
  readonly channels: readonly {
    readonly name: string;
    /** 0 text (default), 5 announcement, 15 forum. */
    readonly kind?: 0 | 5 | 15;
    /**
     * `role` is the name of a role: `@everyone`, one of the server's, or the application's name for the bot's own.
     */
    readonly overwrites?: readonly {
      readonly role: string;
      readonly allow?: bigint;
      readonly deny?: bigint;
    }[];
  }[];
  /** The name of the channel where Discord itself writes. Default none. */
  readonly systemChannel?: string;
  /** When it was created, milliseconds since the epoch; determines its shard. Default 1 January 2021. */
  readonly madeAtMs?: number;
}

/** The initial people and servers. */
export interface SeedPlan {
  /** Display names, all different. */
  readonly members: readonly string[];
  readonly servers: readonly ServerPlan[];
}

const MADE_AT_MS = 1_609_459_200_000;
const DAY_MS = 86_400_000;

/** Creates the bot, the people and the servers; emits no changes. Throws for an unknown name. */
export function seed(platform: Platform, { members, servers }: SeedPlan): void {
  const { state, ids } = platform;
  const { application } = state;
  const add = (user: Omit<User, "username" | "locale">) =>
    state.users.set(user.id, { ...user, username: user.displayName.toLowerCase(), locale: "en-GB" });
  add({ id: application.id, displayName: application.name, bot: true });
  for (const [index, displayName] of members.entries()) {
    add({ id: ids.at(MADE_AT_MS - (index + 1) * DAY_MS), displayName, bot: false });
  }
  for (const server of servers) {
    seedServer(platform, server);
  }
}

function seedServer(platform: Platform, plan: ServerPlan): void {
  const { state } = platform;
  const { application } = state;
  const idsOf = (names: readonly string[]) => names.map((name) => userNamed(state, name).id);
  const { name, madeAtMs = MADE_AT_MS } = plan;
  const guild = addGuild(platform, { name, memberIds: idsOf(plan.members), madeAtMs });
  for (const role of plan.roles ?? []) {
    addRole(platform, guild, { ...role, memberIds: idsOf(role.members) });
  }
  addRole(platform, guild, {
    name: application.name,
    permissions: EVERYONE_PERMISSIONS | (plan.botPermissions ?? 0n),
    memberIds: [application.id],
    botId: application.id,
  });
  const roleNamed = (wanted: string) => {
    const role = [...guild.roles.values()].find((one) => one.name === wanted);
    if (role === undefined) {
      throw new Error(`${name} has no role ${wanted}`);
    }
    return role.id;
  };
  for (const channel of plan.channels) {
    const overwrites = (channel.overwrites ?? []).map(({ role, allow = 0n, deny = 0n }) => ({
      id: roleNamed(role),
      kind: 0 as const,
      allow,
      deny,
    }));
    const added = addChannel(platform, guild, channel.name, channel.kind, overwrites);
    if (channel.name === plan.systemChannel) {
      guild.systemChannelId = added.id;
    }
  }
}
