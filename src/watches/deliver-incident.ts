// Delivers what was decided for a claimed day of a watch, and records how it ended.
//
// The message of an incident is posted once, then edited. Once, whatever dies and whatever answer is lost: before it is
// posted the row says that it may have been. The process that finds that looks for the message in the channel, by its
// mark, and keeps it as it is where it is found. What is posted carries a nonce, for which Discord makes no second
// message for some minutes: that covers a request that is still on its way while the channel is read.
import type { IncidentChanges, IncidentRecord } from "./incidents-table.ts";
import { LRUCache } from "lru-cache";
import { retryStorage } from "../delivery/retry-storage.ts";
import type { Decision } from "./decide-incident.ts";
import type { PauseWatch } from "./manage-watches.ts";
import { serialiseKnowledge } from "./train-knowledge.ts";
import { type WatchDay, keyOfDay } from "./watch-days.ts";
import { formatNonce } from "../delivery/nonce.ts";
import { MessengerError, type OwnMessage, type PostedMessage } from "../core/ports.ts";
import type { WatchRunnerDeps } from "./watch-runner.ts";
import { findIncidentMark } from "./watch-args.ts";
import type { WatchPauseReason } from "./watches.ts";

export interface ClaimedDay {
  readonly day: WatchDay;
  readonly decision: Decision;
  /** Of the row, since it was claimed. */
  readonly revision: number;
  /** Until when no other process works on it, by the time that has passed here. */
  readonly safeUntilElapsedMs: number;
}

type DeliveryEnd =
  | { readonly end: "done"; readonly changes: IncidentChanges }
  /** Its message was deleted: somebody does not want it. */
  | { readonly end: "unwanted" }
  /** To be tried again. `isUnsent`: surely nothing has gone out. */
  | { readonly end: "later"; readonly isUnsent: boolean; readonly waitMs: number | undefined }
  /** The watch can notify nobody. */
  | { readonly end: "stopped"; readonly because: WatchPauseReason };

/** A tick is ten seconds: what is released now is due at the next. */
const RETRY_MS = 5_000;
/** Longer waits are cut: by then there may be something else to say. */
const LONGEST_RETRY_MS = 60_000;
/** A request whose outcome is unknown has reached Discord after this time, or never will. */
const ARRIVES_WITHIN_MS = 2 * 60_000;
/** Incidents that are searched for; more at once would be searched for longer. */
const MOST_SEARCHED = 1_000;
/** By so much Discord's clock, which is in the ids of messages, may be behind ours. */
const SKEW_MS = 60_000;

/** Throws bugs and the database's errors; the claim then runs out by itself. */
export function createDeliverIncident(
  { incidents, messenger, clock, log }: WatchRunnerDeps,
  pause: PauseWatch,
): (claimed: ClaimedDay) => Promise<void> {
  /** When, in elapsed time, an incident with nothing more to say was first not found in its channel. */
  const notFoundSince = new LRUCache<string, number>({ max: MOST_SEARCHED });
  const isSafe = ({ safeUntilElapsedMs }: ClaimedDay): boolean => clock.elapsed() < safeUntilElapsedMs;

  async function find(
    channelId: string,
    { watch, window }: WatchDay,
    sinceMs: number,
  ): Promise<OwnMessage | undefined> {
    const messages = await messenger.ownMessages(channelId, sinceMs - SKEW_MS);
    return messages.find(({ componentIds }) => {
      const mark = findIncidentMark(componentIds);
      return mark?.watchId === watch.id && mark.day === window.day;
    });
  }

  async function post(claimed: ClaimedDay): Promise<DeliveryEnd> {
    const { day, decision } = claimed;
    const { ownerId, id, target, settings } = day.watch;
    const sinceMs = day.row?.postingSinceMs;
    const channelId = target.kind === "dm" ? await messenger.conversation(ownerId) : target.channelId;
    const sent = sinceMs === undefined ? undefined : await find(channelId, day, sinceMs);
    if (sent !== undefined) {
      log.info({ watch: id, message: sent.messageId }, "incident message recovered");
      return done(sent, undefined);
    }
    const key = keyOfDay(day);
    if (decision.act.kind !== "notify") {
      // It is searched for until no request can still be on its way: one that arrives later would be posted again.
      const sinceElapsedMs = notFoundSince.get(key) ?? clock.elapsed();
      notFoundSince.set(key, sinceElapsedMs);
      return clock.elapsed() - sinceElapsedMs < ARRIVES_WITHIN_MS
        ? { end: "later", isUnsent: false, waitMs: undefined }
        : { end: "done", changes: { postingSinceMs: undefined } };
    }
    notFoundSince.delete(key);
    if (!isSafe(claimed)) {
      return { end: "later", isUnsent: sinceMs === undefined, waitMs: 0 };
    }
    const { reply, hash } = decision.act.presented;
    const posted = await messenger.post(channelId, reply, {
      nonce: formatNonce("incident", id, day.window.day),
      silent: !settings.ping,
      ping: settings.ping ? [ownerId] : [],
    });
    // Where one may have been posted before, Discord may have given back that one.
    return done(posted, sinceMs === undefined ? hash : undefined);
  }

  async function deliver(claimed: ClaimedDay): Promise<DeliveryEnd> {
    const { watch, row } = claimed.day;
    const { act } = claimed.decision;
    const { channelId, messageId, postingSinceMs } = row ?? {};
    const message = channelId === undefined || messageId === undefined ? undefined : { channelId, messageId };
    try {
      if (message === undefined) {
        return await post(claimed);
      }
      const presented = act.kind === "notify" ? act.presented : undefined;
      if (presented !== undefined) {
        await messenger.edit(message, presented.reply);
      }
      return { end: "done", changes: { shownHash: presented?.hash } };
    } catch (error) {
      const end = endOf(error, message !== undefined || postingSinceMs === undefined);
      log.warn({ error, watch: watch.id, end: end.end }, "incident delivery failed");
      return end;
    }
  }

  async function changesAfter(
    { day: { watch, record, row }, decision: { act, knowledge } }: ClaimedDay,
    end: DeliveryEnd,
  ): Promise<IncidentChanges> {
    switch (end.end) {
      case "done": {
        const isLast = act.kind === "notify" && act.isLast;
        return { claimForMs: undefined, ...end.changes, ...(isLast && { closedAtMs: clock.now() }) };
      }
      case "unwanted":
        return {
          claimForMs: undefined,
          postingSinceMs: undefined,
          channelId: undefined,
          messageId: undefined,
          knowledge: serialiseKnowledge({ ...knowledge, isUnwanted: true }),
        };
      case "later":
        return release(end.isUnsent, end.waitMs);
      case "stopped": {
        const isUnsent = row?.postingSinceMs === undefined;
        const delay = await pause(watch, record.stateAtMs, end.because);
        return delay === undefined
          ? { ...release(isUnsent), claimForMs: undefined }
          : release(isUnsent, delay.waitMs);
      }
    }
  }

  return async (claimed) => {
    const { day, revision } = claimed;
    const changes = await changesAfter(claimed, await deliver(claimed));
    const seen = { watchId: day.watch.id, day: day.window.day, revision };
    await retryStorage(
      clock,
      () => isSafe(claimed),
      () => incidents.finish(seen, changes),
    );
  };
}

function release(isUnsent: boolean, waitMs = 0): IncidentChanges {
  return {
    claimForMs: Math.min(Math.max(waitMs, RETRY_MS), LONGEST_RETRY_MS),
    ...(isUnsent && { postingSinceMs: undefined }),
  };
}

function done({ channelId, messageId }: PostedMessage, shownHash: IncidentRecord["shownHash"]): DeliveryEnd {
  return { end: "done", changes: { channelId, messageId, shownHash, postingSinceMs: undefined } };
}

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
      return { end: "later", isUnsent: false, waitMs: undefined };
    case "slow-down":
    case "unavailable":
      return { end: "later", isUnsent, waitMs: error.retryAfterMs };
    case "message-gone":
    case "refused":
      // The same message would be refused again and again.
      return { end: "unwanted" };
  }
}
