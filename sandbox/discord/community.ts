// The community that every sandbox begins with, and how further guilds are made.
import { PermissionFlagsBits } from "discord-api-types/v10";
import type { Channel, Guild, Overwrite, User } from "./entities.ts";
import { EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Platform } from "./platform.ts";

/** The channels of the default guild. */
export interface CommunityChannels {
  readonly general: Channel;
  readonly trains: Channel;
  /** An announcement channel. */
  readonly news: Channel;
  /** Only moderators see it. */
  readonly staff: Channel;
}

export interface Community {
  readonly guild: Guild;
  readonly channels: CommunityChannels;
}

/** What a new guild needs to be told. */
export interface GuildPlan {
  readonly name: string;
  /** User ids; the first owns it. The bot is added by itself. */
  readonly memberIds: readonly string[];
  /** The application is not in it: there it acts only for users who installed it for themselves. */
  readonly withoutBot?: boolean;
  /** When it was made, milliseconds since the epoch; decides its shard. Default: now. */
  readonly madeAtMs?: number;
}

/** What a new role needs to be told. */
export interface RolePlan {
  readonly name: string;
  readonly permissions: bigint;
  readonly memberIds: readonly string[];
  /** The bot that comes with it. Default: it is anybody's. */
  readonly botId?: string;
}

/** 1 January 2021: when the default community was made. */
const MADE_AT_MS = 1_609_459_200_000;

const MODERATOR_PERMISSIONS =
  PermissionFlagsBits.ManageMessages |
  PermissionFlagsBits.ManageGuild |
  PermissionFlagsBits.ModerateMembers |
  PermissionFlagsBits.MentionEveryone;

/** Adds a person or a bot whom nobody has met. */
function addUser(platform: Platform, user: Omit<User, "id" | "locale">, atMs: number): User {
  const made = { ...user, id: platform.ids.at(atMs), locale: "en-GB" };
  platform.state.users.set(made.id, made);
  return made;
}

/** Makes a guild with an `@everyone` role and the bot in it; tells nobody yet. */
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

/** Adds a channel to a guild; `kind` 0 text, 5 announcement, 15 forum. */
export function addChannel(
  platform: Platform,
  guild: Guild,
  name: string,
  kind: 0 | 5 | 15 = 0,
  overwrites: Overwrite[] = [],
): Channel {
  const channel: Channel = {
    id: platform.ids.next(),
    kind,
    guildId: guild.id,
    name,
    position: guild.channels.size,
    overwrites,
    recipientIds: [],
    thread: undefined,
    messages: new Map(),
  };
  guild.channels.set(channel.id, channel);
  platform.state.channels.set(channel.id, channel);
  return channel;
}

/** Ada owns it, Grace moderates, Alan and Mary are members; the bot has a role of its own. */
export function seedCommunity(platform: Platform): Community {
  const { state } = platform;
  const { application } = state;
  state.users.set(application.id, {
    id: application.id,
    username: application.name.toLowerCase(),
    displayName: application.name,
    bot: true,
    locale: "en-GB",
  });
  const [ada, grace, alan, mary] = ["Ada", "Grace", "Alan", "Mary"].map((displayName, index) =>
    addUser(
      platform,
      { username: displayName.toLowerCase(), displayName, bot: false },
      MADE_AT_MS - (index + 1) * 86_400_000,
    ),
  );
  const memberIds = [ada, grace, alan, mary].flatMap((user) => (user === undefined ? [] : [user.id]));
  const guild = addGuild(platform, { name: "Platform Zero", memberIds, madeAtMs: MADE_AT_MS });
  const moderators = addRole(platform, guild, {
    name: "Moderator",
    permissions: MODERATOR_PERMISSIONS,
    memberIds: grace === undefined ? [] : [grace.id],
  });
  const bots = addRole(platform, guild, {
    name: application.name,
    permissions: EVERYONE_PERMISSIONS | PermissionFlagsBits.ManageMessages,
    memberIds: [application.id],
    botId: application.id,
  });
  const see = PermissionFlagsBits.ViewChannel;
  const send = PermissionFlagsBits.SendMessages;
  const general = addChannel(platform, guild, "general");
  guild.systemChannelId = general.id;
  return {
    guild,
    channels: {
      general,
      trains: addChannel(platform, guild, "trains"),
      news: addChannel(platform, guild, "news", 5, [
        { id: guild.id, kind: 0, allow: 0n, deny: send },
        { id: moderators, kind: 0, allow: send, deny: 0n },
        { id: bots, kind: 0, allow: send, deny: 0n },
      ]),
      staff: addChannel(platform, guild, "staff", 0, [
        { id: guild.id, kind: 0, allow: 0n, deny: see },
        { id: moderators, kind: 0, allow: see, deny: 0n },
        { id: bots, kind: 0, allow: see, deny: 0n },
      ]),
    },
  };
}

/** The direct channel between the bot and a user, made at first use. */
export function openDirectChannel(platform: Platform, userId: string): Channel {
  const { state, ids, changes } = platform;
  const known = state.directChannels.get(userId);
  if (known !== undefined) {
    return known;
  }
  const channel: Channel = {
    id: ids.next(),
    kind: 1,
    guildId: undefined,
    name: state.users.get(userId)?.displayName ?? userId,
    position: 0,
    overwrites: [],
    recipientIds: [userId, state.application.id],
    thread: undefined,
    messages: new Map(),
  };
  state.directChannels.set(userId, channel);
  state.channels.set(channel.id, channel);
  changes.tell({ type: "channel-created", channel });
  return channel;
}

/** A conversation between people, without the bot: two of them, or a group. */
export function openPrivateChannel(platform: Platform, userIds: readonly string[]): Channel {
  const channel: Channel = {
    id: platform.ids.next(),
    kind: userIds.length > 2 ? 3 : 1,
    guildId: undefined,
    name: userIds.map((id) => platform.state.users.get(id)?.displayName ?? id).join(", "),
    position: 0,
    overwrites: [],
    recipientIds: userIds,
    thread: undefined,
    messages: new Map(),
  };
  platform.state.channels.set(channel.id, channel);
  return channel;
}
