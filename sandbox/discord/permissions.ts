// Who may do what where, worked out as Discord documents it.
import { PermissionFlagsBits } from "discord-api-types/v10";
import type { Channel, Guild } from "./entities.ts";

/** All bits that Discord knows today. */
const ALL_PERMISSIONS = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

/** What an ordinary member of a fresh guild may do. */
export const EVERYONE_PERMISSIONS =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.UseApplicationCommands |
  PermissionFlagsBits.UseExternalApps;

/** What holds in direct messages, where nobody has roles. */
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

/** Permissions in one channel: roles, then its overwrites for everyone, for roles, for the member. */
export function channelPermissions(guild: Guild | undefined, channel: Channel, userId: string): bigint {
  if (guild === undefined) {
    return DIRECT_PERMISSIONS;
  }
  const base = guildPermissions(guild, userId);
  if (base === ALL_PERMISSIONS || channel.overwrites.length === 0) {
    return base;
  }
  const roleIds = guild.members.get(userId)?.roleIds ?? [];
  const layers = [
    channel.overwrites.filter(({ id }) => id === guild.id),
    channel.overwrites.filter(({ id, kind }) => kind === 0 && roleIds.includes(id)),
    channel.overwrites.filter(({ id, kind }) => kind === 1 && id === userId),
  ];
  return layers.reduce((bits, layer) => {
    const denied = layer.reduce((all, { deny }) => all | deny, 0n);
    const allowed = layer.reduce((all, { allow }) => all | allow, 0n);
    return (bits & ~denied) | allowed;
  }, base);
}

/** Whether all of `wanted` are granted. */
export function hasPermissions(granted: bigint, wanted: bigint): boolean {
  return (granted & wanted) === wanted;
}

/** Whether a user sees a channel at all. */
export function canSee(guild: Guild | undefined, channel: Channel, userId: string): boolean {
  return guild === undefined
    ? channel.recipientIds.includes(userId)
    : guild.members.has(userId) &&
        hasPermissions(channelPermissions(guild, channel, userId), PermissionFlagsBits.ViewChannel);
}
