// Calculates permissions in servers and channels from REST data, so that it also works for servers of other processes.
// https://discord.com/developers/docs/topics/permissions#permission-hierarchy
import { PermissionsBitField, ChannelType, Constants, Routes } from "discord.js";
import { z } from "zod";
import type { ChannelCheck } from "../core/ports.ts";
import { formatPermission } from "./invitation.ts";
import type { Read } from "./messenger-requests.ts";

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
const overwritesSchema = z.array(overwrite).default([]);

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

// A channel is read each time instead of from discord.js's cache: people often retry right after they changed permissions.

const channelSchema = z.object({
  type: z.number(),
  guild_id: z.string().optional(),
  name: z.string().nullish(),
  parent_id: z.string().nullish(),
  permission_overwrites: overwritesSchema,
  thread_metadata: z.object({ locked: z.boolean().optional() }).optional(),
});

const KINDS: ReadonlyMap<number, ChannelCheck["kind"]> = new Map([
  [ChannelType.GuildText, "text"],
  [ChannelType.GuildAnnouncement, "announcement"],
  ...Constants.ThreadChannelTypes.map((type) => [type, "thread"] as const),
]);

/** Besides seeing the channel and writing. The bot reads the history to find a message again. */
const FURTHER_NEEDS = ["AttachFiles", "ReadMessageHistory"] as const;

/** `undefined` for a DM. Throws as `read` does. */
export async function checkChannel(
  read: Read,
  {
    channelId,
    userId,
    personId,
    nowMs,
  }: {
    readonly channelId: string;
    readonly userId: string;
    readonly personId: string | undefined;
    readonly nowMs: number;
  },
): Promise<ChannelCheck | undefined> {
  const channel = await read(Routes.channel(channelId), channelSchema);
  const { guild_id: guildId, parent_id: parentId } = channel;
  if (guildId === undefined) {
    return undefined;
  }
  const kind = KINDS.get(channel.type) ?? "other";
  const [guild, member, person, source] = await Promise.all([
    read(Routes.guild(guildId), guildSchema),
    read(Routes.guildMember(guildId, userId), memberSchema),
    personId === undefined ? undefined : read(Routes.guildMember(guildId, personId), memberSchema),
    // A thread has no permission overwrites of its own.
    kind === "thread" && parentId ? read(Routes.channel(parentId), channelSchema) : channel,
  ]);
  const rights = rightsInChannel({ guild, userId, member }, source.permission_overwrites);
  const toWrite = ["ViewChannel", kind === "thread" ? "SendMessagesInThreads" : "SendMessages"] as const;
  const personsRights =
    person &&
    rightsInChannel({ guild, userId: personId ?? "", member: person }, source.permission_overwrites);
  return {
    guildId,
    kind,
    name: channel.name ?? "",
    missing: [...toWrite, ...FURTHER_NEEDS].filter((right) => !rights.has(right)).map(formatPermission),
    locked: channel.thread_metadata?.locked ?? false,
    ...(isTimedOut({ ...member, permissions: String(rights.bitfield) }, nowMs) && {
      timedOutUntilMs: Date.parse(member.communication_disabled_until ?? ""),
    }),
    ...(personsRights && { isClosedToPerson: !personsRights.has(toWrite) }),
  };
}
