// One engine for "keep this message in that place", for boards, watches and publications. It acts; they decide what to say
// and when.
//
// The caller's row is the record. It says which process has claimed the work and until when (runner.ts), which message
// stands in the place and what that shows, and since when there may be one that the row does not name. So a database and
// an old process of a fleet know nothing of this engine. Each step leaves the row true, whatever dies after it:
// 1. The row is claimed. From now on a message may be out that it does not name: `sinceMs`, unless this process knows
//    that nothing was sent.
// 2. The channel is searched for such a message, by the mark that its components carry; it is adopted as it is.
// 3. The caller renders what is to stand there, with what is known by then. Where it has nothing to say, a message that
//    may still arrive is searched for until it has arrived or never will.
// 4. A message that is there is edited where it shows something else, and never posted a second time. Where there is
//    none it is posted. Either is sent only if the claim is still safe at that moment: an edit would put older content
//    over what another process has shown since. A post has a nonce: Discord makes no second message of that
//    for some minutes, which covers a request that was on its way while the channel was read. What it does not cover:
//    somebody deletes a message before the row names it, and minutes later a request for the same is late once more.
// 5. The end is recorded and the claim released. `later` is tried again after a pause, by whichever process is first.
//    `stopped` means that nothing can be written there: pause.ts notifies somebody of it once.
import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Messenger, MessengerError, type PostOptions, type PostedMessage } from "../core/ports.ts";
import type { Reply } from "../core/reply.ts";

/** What a message is to show. */
export interface RenderedMessage {
  /** Equal for what looks the same. */
  readonly hash: string;
  readonly reply: () => Promise<Reply>;
}

/** A message and its place. `Ends`: how else the caller may end it. */
export interface Delivery<Ends extends { readonly end: string }> extends PostOptions {
  /** Whose it is, for the log, e.g. `{ board: "b1" }`. */
  readonly logFields: Readonly<Record<string, string>>;
  readonly place: { readonly channelId: string } | { readonly userId: string };
  /** The message that stands there, as far as the row knows. */
  readonly message: PostedMessage | undefined;
  /** What it shows; `undefined` where that is not known. */
  readonly shownHash: string | undefined;
  /** Since when there may be a message that the row does not name; `undefined`: there is none. */
  readonly sinceMs: number | undefined;
  /** Whether a message with these components is this one. */
  readonly isThisMessage: (componentIds: readonly string[]) => boolean;
  /** What it is to show now, or how it ends without; `undefined` where there is nothing to say. */
  readonly render: (how: "post" | "edit") => RenderedMessage | Ends | undefined;
  /** Whether no other process can have taken it over: asked right before something is sent. */
  readonly isSafe: () => boolean;
  /** Asked as well before something is posted. Default yes. */
  readonly mayPost?: () => boolean;
  /** Whether it is posted anew where somebody deleted it. */
  readonly repostIfDeleted: boolean;
}

export type DeliveryEnd =
  /** `hash`: what it shows; `undefined` where that is not known. `atMs`: when it was sent. */
  | {
      readonly end: "sent";
      readonly how: "posted" | "edited" | "found";
      readonly message: PostedMessage;
      readonly hash: string | undefined;
      readonly atMs: number;
    }
  /** What the row names is all there is, and shows what it should. */
  | { readonly end: "unchanged" }
  | RetryLater
  /** Nothing can be written there until somebody repairs it. */
  | { readonly end: "stopped"; readonly because: "channel-gone" | "not-allowed" | "dm-closed" }
  /** Somebody deleted the message, or Discord refuses it and would refuse it again and again. */
  | { readonly end: "gone" };

/** To be tried again after this time. */
export interface RetryLater {
  readonly end: "later";
  /** Surely nothing has gone out that the row does not name. */
  readonly isUnsent: boolean;
  readonly waitMs: number;
}

/** A tick is ten seconds: what is released now is due at the next. */
const RETRY_MS = 5_000;
/** Longer waits are cut: by then there may be something else to say. */
const LONGEST_RETRY_MS = 60_000;
/** A request whose outcome is unknown has reached Discord after this time, or never will. */
const ARRIVES_WITHIN_MS = 2 * 60_000;
/** Messages that are searched for; more at once would be searched for longer. */
const MOST_SEARCHED = 1_000;
/** Discord's clock, which is in the ids of messages, may be behind ours by this much. */
const SKEW_MS = 60_000;

/** `waitMs`: how long Discord wants us to wait. */
export function retryLater(isUnsent: boolean, waitMs = 0): RetryLater {
  return { end: "later", isUnsent, waitMs: Math.min(Math.max(waitMs, RETRY_MS), LONGEST_RETRY_MS) };
}

export type Deliver = ReturnType<typeof createDeliver>;

export function createDeliver({
  messenger,
  clock,
  log,
}: {
  readonly messenger: Pick<Messenger, "post" | "edit" | "ownMessages" | "conversation">;
  readonly clock: Clock;
  readonly log: Log;
}) {
  /** When, in elapsed time, a message with nothing more to say was first not found in its channel. */
  const notFoundSince = new LRUCache<string, number>({ max: MOST_SEARCHED });

  function mayArrive(nonce: string): boolean {
    const sinceElapsedMs = notFoundSince.get(nonce) ?? clock.elapsed();
    notFoundSince.set(nonce, sinceElapsedMs);
    return clock.elapsed() - sinceElapsedMs < ARRIVES_WITHIN_MS;
  }

  /** `false` where it is gone. */
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
      // A process that died may have edited it last.
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
    // Where there was one before that was not found, Discord may have given back that.
    const hash = isUnsent ? presented.hash : undefined;
    return { end: "sent", how: "posted", message: posted, hash, atMs: clock.now() };
  }

  /** Throws bugs, and what the caller's functions throw; the claim then runs out by itself. */
  return async <E extends { readonly end: string }>(delivery: Delivery<E>): Promise<DeliveryEnd | E> => {
    try {
      return await attempt(delivery);
    } catch (error) {
      const end = endOf(error, delivery.sinceMs === undefined);
      // While Discord is away, thousands are tried again at each tick.
      const level = end.end === "later" ? "debug" : "warn";
      log[level]({ ...delivery.logFields, error, end: end.end }, "delivery failed");
      return end;
    }
  };
}

/** What an error of the messenger means. `isUnsent`: surely nothing had gone out before. Throws any other error. */
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
      return retryLater(false);
    case "slow-down":
    case "unavailable":
      return retryLater(isUnsent, error.retryAfterMs);
    case "message-gone":
    case "refused":
      return { end: "gone" };
  }
}
