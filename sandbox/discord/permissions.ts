// Permissions in guilds and channels, calculated as Discord documents them.
import { OverwriteType, PermissionFlagsBits } from "discord-api-types/v10";
import type { Channel, Guild } from "./entities.ts";
import { guildAround, type State } from "./state.ts";

const ALL_PERMISSIONS = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

/** The permissions of an ordinary member of a new guild. */
export const EVERYONE_PERMISSIONS =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.UseApplicationCommands |
  PermissionFlagsBits.UseExternalApps;

/** The permissions that a guest's answers may have, if the user has them. */
const GUEST_PERMISSIONS =
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.MentionEveryone |
  PermissionFlagsBits.UseExternalEmojis;

/** The permissions in direct messages, where nobody has roles. */
const DIRECT_PERMISSIONS = EVERYONE_PERMISSIONS;

/** Permissions from ownership and roles alone. */
export function guildPermissions(guild: Guild, userId: string): bigint {
  if (guild.ownerId === userId) {
    return ALL_PERMISSIONS;
  }
  const roleIds = [guild.id, ...(guild.members.get(userId)?.roleIds ?? [])];
  const bits = roleIds.reduce((all, id) => all | (guild.roles.get(id)?.permissions ?? 0n), 0n);
  return bits & PermissionFlagsBits.Administrator ? ALL_PERMISSIONS : bits;
}

/** Administrators, and so the owner, cannot be timed out. */
export function isTimedOut(guild: Guild, userId: string, nowMs: number): boolean {
  return (
    (guild.members.get(userId)?.timedOutUntilMs ?? 0) > nowMs &&
    guildPermissions(guild, userId) !== ALL_PERMISSIONS
  );
}

/**
 * A user's permissions in a channel; a thread has those of its parent. Roles are applied first, then the channel's
 * overwrites for everyone, for roles and for the member.
 */
export function channelPermissions(state: State, channel: Channel, userId: string): bigint {
  const guild = guildAround(state, channel);
  if (guild === undefined) {
    return DIRECT_PERMISSIONS;
  }
  const base = guildPermissions(guild, userId);
  const { overwrites } = guild.channels.get(channel.thread?.parentId ?? "") ?? channel;
  if (base === ALL_PERMISSIONS || overwrites.length === 0) {
    return base;
  }
  const roleIds = guild.members.get(userId)?.roleIds ?? [];
  const layers = [
    overwrites.filter(({ id }) => id === guild.id),
    overwrites.filter(({ id, kind }) => kind === OverwriteType.Role && roleIds.includes(id)),
    overwrites.filter(({ id, kind }) => kind === OverwriteType.Member && id === userId),
  ];
  return layers.reduce((bits, layer) => {
    const denied = layer.reduce((all, { deny }) => all | deny, 0n);
    const allowed = layer.reduce((all, { allow }) => all | allow, 0n);
    return (bits & ~denied) | allowed;
  }, base);
}

export type Permission = keyof typeof PermissionFlagsBits;

export function isAllowed(state: State, channel: Channel, userId: string, wanted: Permission): boolean {
  return (channelPermissions(state, channel, userId) & PermissionFlagsBits[wanted]) !== 0n;
}

export function canSee(state: State, channel: Channel, userId: string): boolean {
  return channel.guildId === undefined
    ? channel.recipientIds.includes(userId)
    : state.guilds.get(channel.guildId)?.members.has(userId) === true &&
        isAllowed(state, channel, userId, "ViewChannel");
}

export function permissionToWrite(channel: Channel): "SendMessages" | "SendMessagesInThreads" {
  return channel.thread === undefined ? "SendMessages" : "SendMessagesInThreads";
}

/**
 * The application's permissions in a channel, as interactions report them. As a guest, it has some of the user's
 * permissions.
 */
export function applicationPermissions(state: State, channel: Channel, userId: string): bigint {
  const botId = state.application.id;
  const isGuest = guildAround(state, channel)?.members.has(botId) === false;
  return isGuest
    ? channelPermissions(state, channel, userId) & GUEST_PERMISSIONS
    : channelPermissions(state, channel, botId);
}
