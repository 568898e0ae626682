// Asks Discord each time instead of using discord.js's cache: people often retry right after they changed permissions,
// and the server may belong to another process.
import { ChannelType, Constants, Routes } from "discord.js";
import { z } from "zod";
import type { ChannelCheck } from "../core/ports.ts";
import { guildSchema, isTimedOut, memberSchema, overwritesSchema, rightsInChannel } from "./guild-rights.ts";
import { formatPermission } from "./invitation.ts";
import type { Read } from "./messenger-requests.ts";

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
