import { Routes, SnowflakeUtil } from "discord.js";
import { z } from "zod";
import type { OwnMessage } from "../core/ports.ts";
import { userSchema } from "./interaction.ts";
import type { Read } from "./messenger-requests.ts";

/** Discord's limit for one response. */
const PAGE_SIZE = 100;
/** Enough for the messages that a busy channel gets between a slot and the search for its message. */
const MAX_PAGES = 10;
const MAX_OWN = 100;

/** The content is left out, because Discord hides it from the bot unless the message is its own. */
const messagesSchema = z.array(
  z.object({
    id: z.string(),
    author: userSchema,
    components: z.array(z.unknown()).default([]),
  }),
);

/** The first 100 messages of `authorId` since `sinceMs`, newest first. Throws as `read` does. */
export async function fetchOwnMessages(
  read: Read,
  { channelId, authorId, sinceMs }: { channelId: string; authorId: string; sinceMs: number },
): Promise<readonly OwnMessage[]> {
  const found: OwnMessage[] = [];
  let after = String(firstIdOf(sinceMs) - 1n);
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ after, limit: String(PAGE_SIZE) });
    const messages = await read(Routes.channelMessages(channelId), messagesSchema, query);
    for (const { id, author, components } of messages.toReversed()) {
      if (author.id === authorId) {
        const sentAtMs = SnowflakeUtil.timestampFrom(id);
        found.push({ channelId, messageId: id, sentAtMs, componentIds: customIdsIn(components) });
      }
    }
    const [newest] = messages;
    if (newest === undefined || messages.length < PAGE_SIZE) {
      break;
    }
    after = newest.id;
  }
  return found.slice(0, MAX_OWN).toReversed();
}

/** The smallest id of anything that was created at this time. */
function firstIdOf(atMs: number): bigint {
  return SnowflakeUtil.generate({ timestamp: atMs, increment: 0n, processId: 0n, workerId: 0n });
}

function customIdsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const own = "custom_id" in value && typeof value.custom_id === "string" ? [value.custom_id] : [];
  return [...own, ...Object.values(value).flatMap(customIdsIn)];
}
