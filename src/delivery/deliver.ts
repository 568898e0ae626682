// Keeps one message in a place, for boards, watches and publications. The callers decide what it says and when.
//
// All state is in the caller's row. It says which process has claimed the work and until when (runner.ts), which message is in
// the place and what it shows, and since when there may be a message that the row does not name. Nothing else is stored, so
// processes with an older version of this code can work on the same rows. After each step the row is true, even if the process
// dies then:
// 1. The row is claimed. From then on there may be a message that it does not name (`sinceMs`), unless this process knows that
//    nothing was sent.
// 2. The channel is searched for such a message by the ids of its components. If there is one, it is adopted unchanged.
// 3. The caller renders the message with the latest data. If it has nothing to say, the search for a message that may still
//    arrive goes on until it has arrived or never will.
// 4. An existing message is edited if it should show something else, and is never posted a second time. Without one, a message
//    is posted. Both happen only while the claim is safe; otherwise an edit could replace newer content of another process. A
//    post has a nonce: for some minutes, Discord creates no second message with it, even if an earlier request was still on
//    its way while the channel was read. One case is not covered: somebody deletes a message before the row names it, and
//    minutes later another delayed request for the same message arrives.
// 5. The outcome is recorded and the claim released. After `later`, any process may retry. `stopped` means that nothing can be
//    written there: pause.ts notifies somebody once.
import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Messenger, MessengerError, type PostOptions, type PostedMessage } from "../core/ports.ts";
import type { Reply } from "../core/reply.ts";
import { createHash } from "node:crypto";

export interface RenderedMessage {
  /** Equal for content that looks the same. */
  readonly hash: string;
  readonly reply: () => Promise<Reply>;
}

/** `Ends`: further outcomes that `render` may return. */
export interface Delivery<Ends extends { readonly end: string }> extends PostOptions {
  /** Fields for the log that say whose message it is, e.g. `{ board: "b1" }`. */
  readonly logFields: Readonly<Record<string, string>>;
  readonly place: { readonly channelId: string } | { readonly userId: string };
  /** The message that the row names; `undefined` if it names none. */
  readonly message: PostedMessage | undefined;
  /** `undefined` if it is unknown what the message shows. */
  readonly shownHash: string | undefined;
  /** Since when (milliseconds since the epoch) there may be a message that the row does not name; `undefined` if there is none. */
  readonly sinceMs: number | undefined;
  /** Whether a message with these components is the one to deliver. */
  readonly isThisMessage: (componentIds: readonly string[]) => boolean;
  /** An outcome without a message, or `undefined` if there is nothing to say. */
  readonly render: (how: "post" | "edit") => RenderedMessage | Ends | undefined;
  /** This process still has the claim. Called right before something is sent. */
  readonly isSafe: () => boolean;
  /** Called together with `isSafe`. Default true. */
  readonly mayPost?: () => boolean;
  readonly repostIfDeleted: boolean;
}

export type DeliveryEnd =
  /** `hash`: that of what the message shows; `undefined` if that is unknown. `atMs`: when it was sent. */
  | {
      readonly end: "sent";
      readonly how: "posted" | "edited" | "found";
      readonly message: PostedMessage;
      readonly hash: string | undefined;
      readonly atMs: number;
    }
  /** There is no message but the one that the row names, and nothing to change. */
  | { readonly end: "unchanged" }
  | RetryLater
  /** Nothing can be written there until somebody fixes the problem. */
  | { readonly end: "stopped"; readonly because: "channel-gone" | "not-allowed" | "dm-closed" }
  /** Somebody deleted the message, or Discord refuses it permanently. */
  | { readonly end: "gone" };

export interface RetryLater {
  readonly end: "later";
  /** There is certainly no message that the row does not name. */
  readonly isUnsent: boolean;
  readonly waitMs: number;
}

/** Less than a tick, which is ten seconds: work that is released now is due at the next tick. */
const RETRY_MS = 5_000;
/** Longer waits are shortened, because there may be something else to say by then. */
const LONGEST_RETRY_MS = 60_000;
/** After this time, a request whose outcome is unknown has reached Discord or never will. */
const ARRIVES_WITHIN_MS = 2 * 60_000;
/** If there are more, some are searched for longer than necessary. */
const MAX_SEARCHED = 1_000;
/** Discord's clock, which is in the ids of messages, may be behind ours by this much. */
const SKEW_MS = 60_000;

/**
 * `waitMs`: how long Discord asks the bot to wait; limited to between 5 s and 60 s, and rounded up: the rate limiters
 * calculate fractions of a millisecond, which PostgreSQL refuses.
 */
export function retryLater(isUnsent: boolean, waitMs = 0): RetryLater {
  return {
    end: "later",
    isUnsent,
    waitMs: Math.ceil(Math.min(Math.max(waitMs, RETRY_MS), LONGEST_RETRY_MS)),
  };
}

export type Deliver = ReturnType<typeof createDeliver>;

export function createDeliver(deps: {
  readonly messenger: Pick<Messenger, "post" | "edit" | "ownMessages" | "conversation">;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { messenger, clock, log } = deps;
  /** By nonce, the elapsed time of the first search that found no message when there was nothing more to say. */
  const notFoundSince = new LRUCache<string, number>({ max: MAX_SEARCHED });

  function mayArrive(nonce: string): boolean {
    const sinceElapsedMs = notFoundSince.get(nonce) ?? clock.elapsed();
    notFoundSince.set(nonce, sinceElapsedMs);
    return clock.elapsed() - sinceElapsedMs < ARRIVES_WITHIN_MS;
  }

  /** Returns `false` if the message is gone. */
  async function edit(...edited: Parameters<typeof messenger.edit>): Promise<boolean> {
    try {
      await messenger.edit(...edited);
      return true;
    } catch (error) {
      if (error instanceof MessengerError && error.problem === "message-gone") {
        return false;
      }
      throw error;
    }
  }

  async function attempt<E extends { readonly end: string }>(
    delivery: Delivery<E>,
  ): Promise<DeliveryEnd | E> {
    const {
      logFields,
      place,
      message,
      shownHash,
      sinceMs,
      isThisMessage,
      render,
      isSafe,
      mayPost,
      repostIfDeleted,
      ...options
    } = delivery;
    const isUnsent = sinceMs === undefined;
    const channelId = async (): Promise<string> =>
      "userId" in place ? messenger.conversation(place.userId) : place.channelId;

    const nothing = (): DeliveryEnd =>
      isUnsent || !mayArrive(options.nonce) ? { end: "unchanged" } : retryLater(false);

    if (!isUnsent) {
      const messages = await messenger.ownMessages(await channelId(), sinceMs - SKEW_MS);
      const found = messages.find(({ componentIds }) => isThisMessage(componentIds));
      if (found !== undefined) {
        log.info({ ...logFields, message: found.messageId }, "message recovered");
        const { messageId, sentAtMs } = found;
        const foundMessage = { channelId: found.channelId, messageId };
        return { end: "sent", how: "found", message: foundMessage, hash: undefined, atMs: sentAtMs };
      }
    }

    if (message !== undefined) {
      const edited = render("edit");
      if (edited === undefined || "end" in edited) {
        return edited ?? nothing();
      }
      const { hash } = edited;
      // Unless this process knows otherwise, a process that died may have edited the message.
      if (hash === shownHash && isUnsent) {
        return { end: "unchanged" };
      }
      if (await edit(message, await edited.reply(), isSafe)) {
        return { end: "sent", how: "edited", message, hash, atMs: clock.now() };
      }
      if (!repostIfDeleted) {
        return { end: "gone" };
      }
    }

    const presented = render("post");
    if (presented === undefined) {
      return nothing();
    }
    if ("end" in presented) {
      return presented;
    }
    notFoundSince.delete(options.nonce);
    const [toChannelId, reply] = [await channelId(), await presented.reply()];
    if (!isSafe() || mayPost?.() === false) {
      return retryLater(isUnsent);
    }
    const posted = await messenger.post(toChannelId, reply, options);
    // If an earlier request may have created the message, Discord may have returned that one, with other content.
    const hash = isUnsent ? presented.hash : undefined;
    return { end: "sent", how: "posted", message: posted, hash, atMs: clock.now() };
  }

  /** Throws only bugs and the errors of the caller's functions; the claim then expires. */
  return async <E extends { readonly end: string }>(delivery: Delivery<E>): Promise<DeliveryEnd | E> => {
    try {
      return await attempt(delivery);
    } catch (error) {
      const end = endOf(error, delivery.sinceMs === undefined);
      // While Discord is unavailable, thousands are retried at each tick.
      const level = end.end === "later" ? "debug" : "warn";
      log[level]({ ...delivery.logFields, error, end: end.end }, "delivery failed");
      return end;
    }
  };
}

/** Throws any other error than the messenger's. `isUnsent`: whether nothing had been sent before. */
function endOf(error: unknown, isUnsent: boolean): DeliveryEnd {
  if (!(error instanceof MessengerError)) {
    throw error;
  }
  switch (error.problem) {
    case "channel-gone":
    case "not-allowed":
    case "dm-closed":
      return { end: "stopped", because: error.problem };
    case "outcome-unknown":
      return retryLater(false, error.retryAfterMs);
    case "slow-down":
    case "unavailable":
      return retryLater(isUnsent, error.retryAfterMs);
    case "message-gone":
    case "refused":
      return { end: "gone" };
  }
}

/** Discord's limit, in characters. */
const NONCE_LENGTH = 25;

/** For some minutes, Discord creates no second message with the same nonce. */
export function formatNonce(...parts: readonly (string | number)[]): string {
  return digest(parts.join(":")).slice(0, NONCE_LENGTH);
}

/** Shows whether a message already has this content. */
export function hashContent(content: unknown): string {
  return digest(JSON.stringify(content)).slice(0, 22);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
