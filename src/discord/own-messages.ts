// Reads a channel's messages for those of the bot's own and what their components are called.
import { type ComponentType, Routes, SnowflakeUtil } from "discord.js";
import { z } from "zod";
import { MessengerError, type OwnMessage, type PostedMessage } from "../core/ports.ts";
import type { Read, Requests } from "./messenger-requests.ts";
import { type ComponentTarget, formatComponentId } from "../core/component-id.ts";
import type { SendableFile } from "./reply-files.ts";
import { type Clock, sleep } from "../core/clock.ts";
import type { PaceTime } from "./pace.ts";
import { isApiError } from "./interaction-api.ts";

/** Discord's most in one answer. */
const PAGE = 100;
/** A busy channel has this many between a slot and the look for it; whoever looks later has waited for long. */
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
    const query = new URLSearchParams({ after, limit: String(PAGE) });
    const messages = await read(Routes.channelMessages(channelId), messagesSchema, query);
    for (const { id, author, components } of messages.toReversed()) {
      if (author.id === authorId) {
        const sentAtMs = SnowflakeUtil.timestampFrom(id);
        found.push({ channelId, messageId: id, sentAtMs, componentIds: [...customIdsIn(components)] });
      }
    }
    const [newest] = messages;
    if (newest === undefined || messages.length < PAGE) {
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

// How much one message still has room for, and which ids stand in it already.

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
  /** The most any one text may have. */
  readonly textLimit: number;
  readonly files: ReadonlyMap<string, SendableFile>;
  /** The files some component shows. */
  readonly shown: Set<SendableFile>;
  readonly customIds: Set<string>;
  /** Set when something was left out for want of room. */
  overflowed: boolean;
  /** Components that no room could hold, for the log. */
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
      const args = number === 1 ? target.args : { ...target.args, [DUPLICATE_KEY]: String(number) };
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

// Paces edits of messages older than an hour. Discord takes about three in six seconds per channel and answers the
// fourth with a 429 (30046), which would hold up the channel's fresh messages too.

/** Undocumented; half a second more than has been seen, as not every edit takes the same time to arrive. */
const WINDOW_MS = 6_500;
const MOST = 3;
/** A minute less than the hour: the message ages while its edit waits. */
const OLD_AFTER_MS = 59 * 60_000;

/** Settles when a message may be edited; at once for one that is young. */
export type OldEditTurn = (message: PostedMessage, signal: AbortSignal) => Promise<void>;

/** `clock` tells a message's age, `time` is the steady one in which the pace is counted. */
export function createOldEditTurn({
  clock,
  time,
}: {
  readonly clock: Clock;
  readonly time: PaceTime;
}): OldEditTurn {
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

// Threads fall asleep: after a silence, which edits do not break, Discord archives them, and nothing in them can be
// changed until somebody opens them again.
// https://discord.com/developers/docs/topics/threads#active--archived-threads

const THREAD_ARCHIVED = 50_083;

/** Changes something in a channel, which is opened again first where it is an archived thread. Throws as `change` does. */
export type InOpenThread = <T>(channelId: string, change: () => Promise<T>) => Promise<T>;

/** Opening a thread takes no more than writing in it; one that is locked throws MessengerError `not-allowed`. */
export function createInOpenThread({ ask }: Pick<Requests, "ask">): InOpenThread {
  return async (channelId, change) => {
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
  };
}
