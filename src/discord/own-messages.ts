// Reads a channel's messages for those of the bot's own and what their components are called.
import { type ComponentType, Routes, SnowflakeUtil } from "discord.js";
import { z } from "zod";
import { MessengerError, type OwnMessage, type PostedMessage } from "../core/ports.ts";
import type { Read, Requests } from "./messenger-requests.ts";
import { type ComponentTarget, formatComponentId } from "../core/component-id.ts";
import type { SendableFile } from "./reply-files.ts";
import { type Clock, sleep } from "../core/clock.ts";
import type { LimiterTime } from "./rate-limiter.ts";
import { isApiError } from "./interaction-api.ts";

/** Discord's most in one answer. */
const PAGE_SIZE = 100;
/** A busy channel has this many messages between a slot and the search for its message. */
const MOST_PAGES = 10;
const MOST_OWN = 100;

/** Messages without content, which is hidden from the bot unless they are its own. */
const messagesSchema = z.array(
  z.object({
    id: z.string(),
    author: z.object({ id: z.string() }),
    components: z.array(z.unknown()).default([]),
  }),
);

/** The first 100 messages of `authorId` since then, newest first. Throws as `read` does. */
export async function fetchOwnMessages(
  read: Read,
  { channelId, authorId, sinceMs }: { channelId: string; authorId: string; sinceMs: number },
): Promise<readonly OwnMessage[]> {
  const found: OwnMessage[] = [];
  let after = String(firstIdOf(sinceMs) - 1n);
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ after, limit: String(PAGE_SIZE) });
    const messages = await read(Routes.channelMessages(channelId), messagesSchema, query);
    for (const { id, author, components } of messages.toReversed()) {
      if (author.id === authorId) {
        const sentAtMs = SnowflakeUtil.timestampFrom(id);
        found.push({ channelId, messageId: id, sentAtMs, componentIds: [...customIdsIn(components)] });
      }
    }
    const [newest] = messages;
    if (newest === undefined || messages.length < PAGE_SIZE) {
      break;
    }
    after = newest.id;
  }
  return found.slice(0, MOST_OWN).toReversed();
}

/** The least id that anything made at that moment can have. */
function firstIdOf(atMs: number): bigint {
  return SnowflakeUtil.generate({ timestamp: atMs, increment: 0n, processId: 0n, workerId: 0n });
}

/** Names of components, however deep they stand: in rows, containers and sections. */
function* customIdsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const each of value) {
      yield* customIdsIn(each);
    }
    return;
  }
  if (typeof value !== "object" || value === null) {
    return;
  }
  if ("custom_id" in value && typeof value.custom_id === "string") {
    yield value.custom_id;
  }
  if ("components" in value) {
    yield* customIdsIn(value.components);
  }
  if ("accessory" in value) {
    yield* customIdsIn(value.accessory);
  }
}

const CUSTOM_ID_LIMIT = 100;

/** Key that tells apart two components of one message with the same target; handlers never see it. */
export const DUPLICATE_KEY = "~";

/** A component in the form of the wire. */
export interface WireComponent {
  readonly type: ComponentType;
  readonly [field: string]: unknown;
}

/** What one message still has room for. Building takes from it. */
export interface MessageRoom {
  components: number;
  readonly textLimit: number;
  readonly files: ReadonlyMap<string, SendableFile>;
  /** The files some component shows. */
  readonly shown: Set<SendableFile>;
  readonly customIds: Set<string>;
  /** Set when something was left out for want of room. */
  overflowed: boolean;
  readonly refused: string[];
}

/** Takes room for `count` components, if there is that and `more` besides. */
export function take(room: MessageRoom, count: number, more = 0): boolean {
  if (room.components < count + more) {
    room.overflowed = true;
    return false;
  }
  room.components -= count;
  return true;
}

/** A `custom_id` that no other component of the message has; `undefined` where the target is too long for one. */
export function reserveCustomId(target: ComponentTarget, room: MessageRoom): string | undefined {
  const { command, action } = target;
  try {
    for (let number = 1; ; number += 1) {
      const args = { ...target.args, ...(number > 1 && { [DUPLICATE_KEY]: String(number) }) };
      const id = formatComponentId({ command, action, args });
      if (!room.customIds.has(id)) {
        room.customIds.add(id);
        return id;
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
    room.refused.push(`custom id of ${command}:${action} over ${CUSTOM_ID_LIMIT} characters`);
    return undefined;
  }
}

/** Discord refuses an empty description. */
export function describe(description: string): { readonly description?: string } {
  return description.trim() === "" ? {} : { description };
}

/** Undocumented; half a second more than has been seen, as not every edit takes the same time to arrive. */
const WINDOW_MS = 6_500;
const MOST = 3;
/** A minute less than the hour: the message ages while its edit waits. */
const OLD_AFTER_MS = 59 * 60_000;

/**
 * Limits the edits of messages older than an hour. Discord takes about three in six seconds per channel and answers the
 * fourth with a 429 (30046), which would delay the channel's new messages too. Returns a function that resolves when
 * a message may be edited; at once for a young one. `clock` tells a message's age.
 */
export function createOldEditLimiter({
  clock,
  time,
}: {
  readonly clock: Clock;
  readonly time: LimiterTime;
}): (message: PostedMessage, signal: AbortSignal) => Promise<void> {
  /** The last turns of each channel, the latest last; channels in the order of their latest turn. */
  const turnsMs = new Map<string, readonly number[]>();

  function forgetPast(nowMs: number): void {
    for (const [channelId, turns] of turnsMs) {
      if ((turns.at(-1) ?? nowMs) + WINDOW_MS > nowMs) {
        return;
      }
      turnsMs.delete(channelId);
    }
  }

  return async ({ channelId, messageId }, signal) => {
    if (clock.now() - SnowflakeUtil.timestampFrom(messageId) < OLD_AFTER_MS) {
      return;
    }
    const nowMs = time.now();
    forgetPast(nowMs);
    const turns = turnsMs.get(channelId) ?? [];
    const turnMs = Math.max(nowMs, (turns.at(-MOST) ?? -Infinity) + WINDOW_MS);
    turnsMs.delete(channelId);
    turnsMs.set(channelId, [...turns, turnMs].slice(-MOST));
    if (turnMs > nowMs) {
      await sleep(time, turnMs - nowMs, signal);
    }
  };
}

const THREAD_ARCHIVED = 50_083;

/**
 * Changes something in a channel. An archived thread is opened again first: Discord archives threads after a silence,
 * which edits do not break, and nothing in them can be changed then. Opening takes no more rights than writing; a locked
 * thread throws MessengerError `not-allowed`. https://discord.com/developers/docs/topics/threads#active--archived-threads
 */
export async function changeInThread<T>(
  ask: Requests["ask"],
  channelId: string,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof MessengerError && isApiError(error.cause, THREAD_ARCHIVED))) {
      throw error;
    }
    await ask({ verb: "open a thread again", urgency: "bulk" }, (rest) =>
      rest.patch(Routes.channel(channelId), { body: { archived: false } }),
    );
    return change();
  }
}
