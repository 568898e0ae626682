// Restores the initial servers; clients stay logged in.
import type { Channel, Guild, GuildMember, Role } from "./entities.ts";
import type { Platform } from "./platform.ts";

/**
 * Remembers the current state. The returned function restores it, and tells the bot which guilds and channels are
 * gone. Commands remain, because they belong to the application. Direct channels remain without their messages.
 */
export function createReset(platform: Platform): () => void {
  const { state, changes } = platform;
  const settings = { ...platform.settings };
  const users = [...state.users];
  const channels = new Set(state.channels.keys());
  const guilds = new Map([...state.guilds].map(([id, guild]) => [id, { guild, restore: remember(guild) }]));

  function forgetGuilds(): void {
    for (const other of state.guilds.values()) {
      if (!guilds.has(other.id)) {
        state.guilds.delete(other.id);
        if (other.members.delete(state.application.id)) {
          changes.tell({ type: "guild-left", guild: other, unavailable: false });
        }
      }
    }
  }

  function forgetChannels(): void {
    for (const channel of state.channels.values()) {
      channel.messages.clear();
      if (!channels.has(channel.id) && state.directChannels.get(otherIn(channel)) !== channel) {
        state.channels.delete(channel.id);
        tellGone(channel);
      }
    }
  }

  /** Emits nothing for channels of guilds that are gone. */
  function tellGone(channel: Channel): void {
    if (guilds.has(channel.guildId ?? "")) {
      const type = channel.thread === undefined ? "channel-deleted" : "thread-deleted";
      changes.tell({ type, channel });
    }
  }

  return () => {
    Object.assign(platform.settings, settings);
    forgetGuilds();
    forgetChannels();
    for (const { guild, restore } of guilds.values()) {
      restore();
      state.guilds.set(guild.id, guild);
    }
    refill(state.users, users);
    for (const forgotten of [
      state.interactions,
      state.interactionsByToken,
      state.attachments,
      state.nonces,
      state.userInstalls,
      state.closedDirects,
      state.spent,
    ]) {
      forgotten.clear();
    }
  };
}

/** The returned function restores the guild's current state. */
function remember(guild: Guild): () => void {
  const roles = [...guild.roles].map(([id, role]) => [id, { ...role }] as const);
  const members = [...guild.members].map(([id, member]) => [id, copyOf(member)] as const);
  const channels = [...guild.channels].map(([id, channel]) => [id, channel, channel.overwrites] as const);
  const { systemChannelId } = guild;
  return () => {
    refill(
      guild.roles,
      roles.map(([id, role]): [string, Role] => [id, { ...role }]),
    );
    refill(
      guild.members,
      members.map(([id, member]): [string, GuildMember] => [id, copyOf(member)]),
    );
    refill(
      guild.channels,
      channels.map(([id, channel]): [string, Channel] => [id, channel]),
    );
    for (const [, channel, overwrites] of channels) {
      channel.overwrites = overwrites;
    }
    guild.threads.clear();
    guild.commandPermissions.clear();
    guild.systemChannelId = systemChannelId;
    guild.areUploadsLimited = false;
  };
}

function copyOf(member: GuildMember): GuildMember {
  return { ...member, roleIds: [...member.roleIds] };
}

/** The bot's partner in a direct channel. */
function otherIn({ kind, recipientIds: [first = ""] }: Channel): string {
  return kind === 1 ? first : "";
}

function refill<V>(map: Map<string, V>, entries: Iterable<readonly [string, V]>): void {
  map.clear();
  for (const [key, value] of entries) {
    map.set(key, value);
  }
}
