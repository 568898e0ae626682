// Users, members, roles, guilds and channels as Discord's JSON.
import type { Channel, Guild, GuildMember, Role, ThreadState, User } from "../entities.ts";
import { canSee, guildPermissions } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { isArchived } from "../rules/threads.ts";
import { timeOfId } from "../snowflake.ts";
import { userOf } from "../state.ts";

/** Formats a time in ISO 8601 as Discord writes it. */
export function formatTime(atMs: number): string {
  return new Date(atMs).toISOString().replace("Z", "000+00:00");
}

export function formatUser(user: User): object {
  return {
    id: user.id,
    username: user.username,
    discriminator: "0",
    global_name: user.bot ? null : user.displayName,
    avatar: null,
    primary_guild: null,
    bot: user.bot,
    system: false,
    public_flags: 0,
    flags: 0,
  };
}

/** Formats the bot's own user. */
export function formatSelf(user: User): object {
  return { ...formatUser(user), verified: true, mfa_enabled: true, email: null, locale: user.locale };
}

/** Formats a member without the user, as messages contain it. */
export function formatBareMember(member: GuildMember): object {
  return {
    roles: member.roleIds,
    joined_at: formatTime(member.joinedAtMs),
    nick: null,
    avatar: null,
    banner: null,
    premium_since: null,
    communication_disabled_until:
      member.timedOutUntilMs === undefined ? null : formatTime(member.timedOutUntilMs),
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
  };
}

export function formatMember(platform: Platform, member: GuildMember): object {
  return { ...formatBareMember(member), user: formatUser(userOf(platform.state, member.userId)) };
}

export function formatRole(role: Role): object {
  return {
    id: role.id,
    name: role.name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: String(role.permissions),
    managed: role.botId !== undefined,
    mentionable: false,
    flags: 0,
    ...(role.botId === undefined ? {} : { tags: { bot_id: role.botId } }),
  };
}

export function formatChannel(platform: Platform, channel: Channel): object {
  const base = { id: channel.id, type: channel.kind, last_message_id: null, flags: 0 };
  if (channel.guildId === undefined) {
    const others = channel.recipientIds.filter((id) => id !== platform.state.application.id);
    return { ...base, recipients: others.map((id) => formatUser(userOf(platform.state, id))) };
  }
  if (channel.thread !== undefined) {
    return { ...base, guild_id: channel.guildId, ...formatThread(platform, channel, channel.thread) };
  }
  return {
    ...base,
    guild_id: channel.guildId,
    name: channel.name,
    position: channel.position,
    parent_id: null,
    topic: null,
    nsfw: false,
    rate_limit_per_user: 0,
    permission_overwrites: channel.overwrites.map(({ id, kind, allow, deny }) => ({
      id,
      type: kind,
      allow: String(allow),
      deny: String(deny),
    })),
  };
}

function formatThread(platform: Platform, channel: Channel, thread: ThreadState): object {
  return {
    name: channel.name,
    parent_id: thread.parentId,
    owner_id: thread.ownerId,
    rate_limit_per_user: 0,
    message_count: channel.messages.size,
    member_count: 1,
    total_message_sent: channel.messages.size,
    thread_metadata: {
      archived: isArchived(platform, thread),
      archive_timestamp: formatTime(thread.archiveChangedAtMs),
      auto_archive_duration: thread.archiveAfterMinutes,
      locked: thread.isLocked,
      create_timestamp: formatTime(timeOfId(channel.id)),
    },
  };
}

/** Formats the answer to `GET /guilds/{id}`. */
export function formatGuild(guild: Guild): object {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    splash: null,
    discovery_splash: null,
    home_header: null,
    owner_id: guild.ownerId,
    afk_channel_id: null,
    afk_timeout: 300,
    region: "",
    widget_enabled: false,
    widget_channel_id: null,
    max_members: 500_000,
    max_presences: null,
    max_video_channel_users: 25,
    max_stage_video_channel_users: 50,
    nsfw: false,
    incidents_data: null,
    verification_level: 0,
    default_message_notifications: 1,
    explicit_content_filter: 0,
    roles: [...guild.roles.values()].map(formatRole),
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: guild.systemChannelId ?? null,
    system_channel_flags: 0,
    rules_channel_id: null,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: guild.preferredLocale,
    public_updates_channel_id: null,
    nsfw_level: 0,
    premium_progress_bar_enabled: false,
    safety_alerts_channel_id: null,
  };
}

/** Formats a guild for the list of the bot's own guilds. `counts` adds the number of members. */
export function formatOwnGuild(guild: Guild, botId: string, counts: boolean): object {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    banner: null,
    owner: guild.ownerId === botId,
    permissions: String(guildPermissions(guild, botId)),
    features: [],
    ...(counts && { approximate_member_count: guild.members.size, approximate_presence_count: 0 }),
  };
}

/**
 * Formats the data of GUILD_CREATE. Its only member is the bot, unless `includesMembers`: Discord adds the others only
 * with the intent GUILD_PRESENCES, or if they are in a voice channel, and there are none here.
 */
export function formatGuildCreate(platform: Platform, guild: Guild, includesMembers: boolean): object {
  const botId = platform.state.application.id;
  const bot = guild.members.get(botId);
  return {
    ...formatGuild(guild),
    joined_at: formatTime(bot?.joinedAtMs ?? platform.clock.now()),
    large: guild.members.size > 250,
    unavailable: false,
    member_count: guild.members.size,
    members: [...guild.members.values()]
      .filter(({ userId }) => includesMembers || userId === botId)
      .map((member) => formatMember(platform, member)),
    channels: [...guild.channels.values()].map((channel) => formatChannel(platform, channel)),
    threads: [...guild.threads.values()]
      .filter(({ thread }) => thread !== undefined && !isArchived(platform, thread))
      .filter((thread) => canSee(platform.state, thread, botId))
      .map((thread) => formatChannel(platform, thread)),
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}
