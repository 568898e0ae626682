// What a member of a server may do, computed from REST, so that it also works for servers of another process.
// https://discord.com/developers/docs/topics/permissions#permission-hierarchy
import { PermissionsBitField } from "discord.js";
import { z } from "zod";
import { UserError } from "../core/errors.ts";

const bits = z.string().transform(BigInt);

export const guildSchema = z.object({
  id: z.string(),
  owner_id: z.string(),
  system_channel_id: z.string().nullish(),
  roles: z.array(z.object({ id: z.string(), permissions: bits })),
});

export const memberSchema = z.object({
  roles: z.array(z.string()),
  /** ISO 8601, also of a time-out that has ended. */
  communication_disabled_until: z.string().nullish(),
});

const overwrite = z.object({ id: z.string(), allow: bits, deny: bits });

/** Exceptions of a channel: for everyone by the server's id, for a role's or a member's id. */
export const overwritesSchema = z.array(overwrite).default([]);

interface Membership {
  readonly guild: z.infer<typeof guildSchema>;
  readonly userId: string;
  readonly member: z.infer<typeof memberSchema>;
}

/** Rights in the server as a whole. Its owner and administrators have all. */
export function rightsIn({ guild, userId, member }: Membership): PermissionsBitField {
  if (guild.owner_id === userId) {
    return new PermissionsBitField(PermissionsBitField.All);
  }
  const held = guild.roles.filter(({ id }) => id === guild.id || member.roles.includes(id));
  const rights = new PermissionsBitField(held.map(({ permissions }) => permissions));
  return rights.has("Administrator") ? new PermissionsBitField(PermissionsBitField.All) : rights;
}

/**
 * Whether a member with these permissions, as Discord writes them, is timed out: until that ends, they may see and read, and
 * nothing else. Owner and administrators cannot be.
 * https://discord.com/developers/docs/topics/permissions#permissions-for-timed-out-members
 */
export function isTimedOut(
  {
    communication_disabled_until: until,
    permissions,
  }: Pick<z.infer<typeof memberSchema>, "communication_disabled_until"> & { readonly permissions: string },
  nowMs: number,
): boolean {
  // A moment that cannot be read has not passed.
  const isOver = until === undefined || until === null || Date.parse(until) <= nowMs;
  return !isOver && !new PermissionsBitField(BigInt(permissions)).has("Administrator");
}

/** Thrown where a person whom a server has timed out wants something there. */
export function timedOut(): UserError {
  return new UserError(
    "You're timed out in this server, so I can't do that for you here. Please try again when your timeout is over.",
    "permission",
  );
}

/** Rights in one of its channels: exceptions for everyone come first, then those for roles together, then the member's. */
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
