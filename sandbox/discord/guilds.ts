// Creates guilds, roles and channels.
import type { Channel, Guild, Overwrite } from "./entities.ts";
import { EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Platform } from "./platform.ts";

export interface GuildPlan {
  readonly name: string;
  /** User ids; the first is the owner. The bot is added automatically. */
  readonly memberIds: readonly string[];
  /** The application is not in the guild: it acts there only for users who installed it. */
  readonly withoutBot?: boolean;
  /** When it was created, milliseconds since the epoch; determines its shard. Default: now. */
  readonly madeAtMs?: number;
}

export interface RolePlan {
  readonly name: string;
  readonly permissions: bigint;
  readonly memberIds: readonly string[];
  /** The bot that it belongs to. Default: none. */
  readonly botId?: string;
}

/** Removes the bot from a guild, or makes the guild unavailable. */
export function removeGuild(
  { state, changes }: Platform,
  guild: Guild,
  { unavailable = false }: { readonly unavailable?: boolean } = {},
): void {
  if (!unavailable) {
    guild.members.delete(state.application.id);
  }
  changes.tell({ type: "guild-left", guild, unavailable });
}

/** Creates a guild with an `@everyone` role and the bot in it; emits no change yet. */
export function addGuild(platform: Platform, plan: GuildPlan): Guild {
  const { state, ids, clock } = platform;
  const id = plan.madeAtMs === undefined ? ids.next() : ids.at(plan.madeAtMs);
  const joinedAtMs = plan.madeAtMs ?? clock.now();
  const botId = state.application.id;
  const [ownerId = botId] = plan.memberIds;
  const guild: Guild = {
    id,
    name: plan.name,
    ownerId,
    preferredLocale: "en-GB",
    roles: new Map([[id, { id, name: "@everyone", permissions: EVERYONE_PERMISSIONS, position: 0 }]]),
    members: new Map(),
    channels: new Map(),
    threads: new Map(),
    systemChannelId: undefined,
    areUploadsLimited: false,
    commandPermissions: new Map(),
  };
  for (const userId of plan.withoutBot ? plan.memberIds : [...plan.memberIds, botId]) {
    guild.members.set(userId, { userId, roleIds: [], joinedAtMs });
  }
  state.guilds.set(id, guild);
  return guild;
}

/** Adds a role and gives it to members. */
export function addRole(platform: Platform, guild: Guild, role: RolePlan): string {
  const id = platform.ids.next();
  const { name, permissions, botId } = role;
  guild.roles.set(id, { id, name, permissions, position: guild.roles.size, botId });
  for (const userId of role.memberIds) {
    guild.members.get(userId)?.roleIds.push(id);
  }
  return id;
}

/** A new channel without messages, known by its id. */
export function createChannel(
  { state, ids }: Platform,
  details: Partial<Channel> & Pick<Channel, "kind" | "guildId" | "name">,
): Channel {
  const channel = {
    id: ids.next(),
    position: 0,
    overwrites: [],
    recipientIds: [],
    thread: undefined,
    messages: new Map(),
    ...details,
  };
  state.channels.set(channel.id, channel);
  return channel;
}

/** Adds a channel to a guild; `kind` 0 text, 5 announcement, 15 forum. */
export function addChannel(
  platform: Platform,
  guild: Guild,
  name: string,
  kind: 0 | 5 | 15 = 0,
  overwrites: Overwrite[] = [],
): Channel {
  const position = guild.channels.size;
  const channel = createChannel(platform, { kind, guildId: guild.id, name, position, overwrites });
  guild.channels.set(channel.id, channel);
  return channel;
}

/** The direct channel between the bot and a user, created at first use. */
export function openDirectChannel(platform: Platform, userId: string): Channel {
  const { state, changes } = platform;
  const known = state.directChannels.get(userId);
  if (known !== undefined) {
    return known;
  }
  const name = state.users.get(userId)?.displayName ?? userId;
  const recipientIds = [userId, state.application.id];
  const channel = createChannel(platform, { kind: 1, guildId: undefined, name, recipientIds });
  state.directChannels.set(userId, channel);
  changes.tell({ type: "channel-created", channel });
  return channel;
}

/** A conversation between people, without the bot: two of them, or a group. */
export function openPrivateChannel(platform: Platform, recipientIds: readonly string[]): Channel {
  const kind = recipientIds.length > 2 ? 3 : 1;
  const name = recipientIds.map((id) => platform.state.users.get(id)?.displayName ?? id).join(", ");
  return createChannel(platform, { kind, guildId: undefined, name, recipientIds });
}
