// Whether the bot can keep a message up to date in a channel, and a person write there. REST is asked each time, not
// discord.js's cache: people have just changed the rights that they try again with, and the server may be another
// process's.
import { ChannelType, type PermissionsString, Routes } from "discord.js";
import { z } from "zod";
import type { ChannelCheck } from "../core/ports.ts";
import { guildSchema, memberSchema, overwritesSchema, rightsInChannel } from "./guild-rights.ts";
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
  [ChannelType.AnnouncementThread, "thread"],
  [ChannelType.PublicThread, "thread"],
  [ChannelType.PrivateThread, "thread"],
]);

/** What keeping a board takes, as Discord's client calls it. Histories are read to find a message again. */
const NEEDS = [
  ["ViewChannel", "View Channel"],
  ["SendMessages", "Send Messages"],
  ["AttachFiles", "Attach Files"],
  ["ReadMessageHistory", "Read Message History"],
] as const satisfies readonly (readonly [PermissionsString, string])[];

/** `undefined` for a direct conversation. Throws as `read` does. */
export async function checkChannel(
  read: Read,
  {
    channelId,
    userId,
    personId,
  }: { readonly channelId: string; readonly userId: string; readonly personId: string | undefined },
): Promise<ChannelCheck | undefined> {
  const channel = await read(Routes.channel(channelId), channelSchema);
  const { guild_id: guildId, parent_id: parentId } = channel;
  if (guildId === undefined) {
    return undefined;
  }
  const kind = KINDS.get(channel.type) ?? "other";
  const [guild, member, person, ruling] = await Promise.all([
    read(Routes.guild(guildId), guildSchema),
    read(Routes.guildMember(guildId, userId), memberSchema),
    personId === undefined ? undefined : read(Routes.guildMember(guildId, personId), memberSchema),
    // A thread has no exceptions of its own.
    kind === "thread" && parentId ? read(Routes.channel(parentId), channelSchema) : channel,
  ]);
  const rights = rightsInChannel({ guild, userId, member }, ruling.permission_overwrites);
  const needs = kind === "thread" ? NEEDS.map(inThread) : NEEDS;
  const personsRights =
    person &&
    rightsInChannel({ guild, userId: personId ?? "", member: person }, ruling.permission_overwrites);
  return {
    guildId,
    kind,
    name: channel.name ?? "",
    missing: needs.filter(([right]) => !rights.has(right)).map(([, name]) => name),
    locked: channel.thread_metadata?.locked ?? false,
    ...(personsRights && { isClosedToPerson: !personsRights.has(["ViewChannel", needs[1][0]]) }),
  };
}

function inThread(need: (typeof NEEDS)[number]): readonly [PermissionsString, string] {
  return need[0] === "SendMessages" ? ["SendMessagesInThreads", "Send Messages in Threads"] : need;
}
