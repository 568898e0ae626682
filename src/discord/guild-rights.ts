// Calculates a member's permissions in a server from REST data, so that it also works for servers of other processes.
// https://discord.com/developers/docs/topics/permissions#permission-hierarchy
import { PermissionsBitField } from "discord.js";
import { z } from "zod";

const bits = z.string().transform(BigInt);

export const guildSchema = z.object({
  id: z.string(),
  owner_id: z.string(),
  system_channel_id: z.string().nullish(),
  roles: z.array(z.object({ id: z.string(), permissions: bits })),
});

export const memberSchema = z.object({
  roles: z.array(z.string()),
  /** ISO 8601. It stays set after a timeout has ended. */
  communication_disabled_until: z.string().nullish(),
});

const overwrite = z.object({ id: z.string(), allow: bits, deny: bits });

/** The permission overwrites of a channel: the id is that of a role or a member, or the server's for everyone. */
export const overwritesSchema = z.array(overwrite).default([]);

type Member = z.infer<typeof memberSchema>;

interface Membership {
  readonly guild: z.infer<typeof guildSchema>;
  readonly userId: string;
  readonly member: Member;
}

/** Permissions in the server as a whole. Its owner and administrators have all of them. */
export function rightsIn({ guild, userId, member }: Membership): PermissionsBitField {
  if (guild.owner_id === userId) {
    return new PermissionsBitField(PermissionsBitField.All);
  }
  const held = guild.roles.filter(({ id }) => id === guild.id || member.roles.includes(id));
  const rights = new PermissionsBitField(held.map(({ permissions }) => permissions));
  return rights.has("Administrator") ? new PermissionsBitField(PermissionsBitField.All) : rights;
}

/**
 * Owners and administrators cannot be timed out. `permissions` are as Discord writes them.
 * https://discord.com/developers/docs/topics/permissions#permissions-for-timed-out-members
 */
export function isTimedOut(
  member: Pick<Member, "communication_disabled_until"> & { readonly permissions: string },
  nowMs: number,
): boolean {
  const { communication_disabled_until: until, permissions } = member;
  // A time that cannot be parsed counts as not over.
  const isOver = until === undefined || until === null || Date.parse(until) <= nowMs;
  return !isOver && !new PermissionsBitField(BigInt(permissions)).has("Administrator");
}

/** Overwrites for everyone apply first, then those for all roles together, then the member's own. */
export function rightsInChannel(
  membership: Membership,
  overwrites: z.infer<typeof overwritesSchema>,
): PermissionsBitField {
  const { guild, userId, member } = membership;
  const rights = rightsIn(membership);
  if (rights.has("Administrator")) {
    return rights;
  }
  const layers = [
    overwrites.filter(({ id }) => id === guild.id),
    overwrites.filter(({ id }) => id !== guild.id && member.roles.includes(id)),
    overwrites.filter(({ id }) => id === userId),
  ];
  for (const layer of layers) {
    rights.remove(layer.map(({ deny }) => deny));
    rights.add(layer.map(({ allow }) => allow));
  }
  return rights;
}
