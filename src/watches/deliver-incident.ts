// Does what was decided for a claimed day of a watch, and writes down how it ended.
import type { Clock } from "../core/clock.ts";
import type { IncidentChanges, IncidentKey, IncidentRecord, IncidentsTable } from "./incidents-table.ts";
import { retryStorage } from "../delivery/retry-storage.ts";
import type { Decision } from "./decide-incident.ts";
import type { PauseWatch } from "./manage-watches.ts";
import { serialiseKnowledge } from "./train-knowledge.ts";
import type { WatchDay } from "./watch-days.ts";
import type { Log } from "../core/log.ts";
import { formatNonce } from "../delivery/nonce.ts";
import { MessengerError, type PostedMessage } from "../core/ports.ts";
import type { PresentedIncident, WatchMessenger } from "./watch-runner.ts";
import { findIncidentMark } from "./read-watch.ts";
import type { Watch, WatchPauseReason } from "./watches.ts";

/** A day whose row is claimed. */
export interface ClaimedDay {
  readonly day: WatchDay;
  readonly decision: Decision;
  /** Of the row, since it was claimed. */
  readonly revision: number;
  /** Until when nobody else works on it, by the time that has passed here. */
  readonly safeUntilElapsedMs: number;
}

/** What delivering stands on. */
export interface DeliverDependencies {
  readonly incidents: Pick<IncidentsTable, "finish">;
  readonly send: (errand: IncidentErrand) => Promise<ErrandEnd>;
  readonly pause: PauseWatch;
  readonly clock: Clock;
}

/** A tick is ten seconds: what is given back now is due at the next. */
const RETRY_MS = 5_000;
/** Longer waits are cut: by then there may be something else to tell. */
const LONGEST_RETRY_MS = 60_000;

/** Makes what delivers. It throws what is a bug, and as the database does; the claim then runs out by itself. */
export function createDeliver({ incidents, send, pause, clock }: DeliverDependencies) {
  async function changesAfter(
    { day: { watch, record, row }, decision: { act, knowledge } }: ClaimedDay,
    end: ErrandEnd,
  ): Promise<IncidentChanges> {
    switch (end.end) {
      case "done": {
        const isLast = act.kind === "tell" && act.isLast;
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
        return giveBack(end.isUnsent, end.waitMs);
      case "stopped": {
        const isUnsent = row?.postingSinceMs === undefined;
        const delay = await pause(watch, record.stateAtMs, end.because);
        return delay === undefined
          ? { ...giveBack(isUnsent), claimForMs: undefined }
          : giveBack(isUnsent, delay.waitMs);
      }
    }
  }

  return async (claimed: ClaimedDay): Promise<void> => {
    const { day, decision, revision, safeUntilElapsedMs } = claimed;
    const { watch, window, row } = day;
    const { channelId, messageId, postingSinceMs } = row ?? {};
    const end = await send({
      watchId: watch.id,
      day: window.day,
      watch,
      safeUntilElapsedMs,
      message: channelId === undefined || messageId === undefined ? undefined : { channelId, messageId },
      doubtSinceMs: postingSinceMs,
      presented: decision.act.kind === "tell" ? decision.act.presented : undefined,
    });
    const changes = await changesAfter(claimed, end);
    const seen = { watchId: watch.id, day: window.day, revision };
    const isSafe = () => clock.elapsed() < safeUntilElapsedMs;
    await retryStorage(clock, isSafe, () => incidents.finish(seen, changes));
  };
}

function giveBack(isUnsent: boolean, waitMs = 0): IncidentChanges {
  return {
    claimForMs: Math.min(Math.max(waitMs, RETRY_MS), LONGEST_RETRY_MS),
    ...(isUnsent && { postingSinceMs: undefined }),
  };
}

// The message of an incident: posted once, then edited. Once, whatever dies and whatever answer is lost: before it is
// posted the row says that it may have been; whoever finds that looks for it in the channel, by its mark, and takes it
// as it is where it is found. What is posted carries a nonce, for which Discord makes no second message for some
// minutes: that covers a request that is still on its way while the channel is read.

/** What there is to tell, by whoever has claimed the incident. */
interface IncidentErrand extends IncidentKey {
  readonly watch: Watch;
  /** Until when nobody else works on it, by the time that has passed here. */
  readonly safeUntilElapsedMs: number;
  /** Its message, where it has one. */
  readonly message: PostedMessage | undefined;
  /** Since when somebody before may have posted it. */
  readonly doubtSinceMs: number | undefined;
  /** `undefined` where only a message that may be there is looked for. */
  readonly presented: PresentedIncident | undefined;
}

/** How an errand ended. */
type ErrandEnd =
  | { readonly end: "done"; readonly changes: IncidentChanges }
  /** Its message was deleted: somebody does not want it. */
  | { readonly end: "unwanted" }
  /** To be tried again. `isUnsent`: surely nothing has gone out. */
  | { readonly end: "later"; readonly isUnsent: boolean; readonly waitMs: number | undefined }
  /** The watch cannot tell anybody. */
  | { readonly end: "stopped"; readonly because: WatchPauseReason };

/** By so much Discord's clock, which is in the ids of messages, may be behind ours. */
const SKEW_MS = 60_000;

/** Makes what does errands. It throws what is a bug. */
export function createSendIncident({
  messenger,
  clock,
  log,
}: {
  readonly messenger: WatchMessenger;
  readonly clock: Clock;
  readonly log: Log;
}): (errand: IncidentErrand) => Promise<ErrandEnd> {
  async function find(
    channelId: string,
    { watch, day }: IncidentErrand,
    sinceMs: number,
  ): Promise<PostedMessage | undefined> {
    const messages = await messenger.ownMessages(channelId, sinceMs - SKEW_MS);
    return messages.find(({ componentIds }) => {
      const mark = findIncidentMark(componentIds);
      return mark?.watchId === watch.id && mark.day === day;
    });
  }

  async function post(errand: IncidentErrand): Promise<ErrandEnd> {
    const { watch, day, safeUntilElapsedMs, doubtSinceMs, presented } = errand;
    const { ownerId, target, settings } = watch;
    const channelId = target.kind === "dm" ? await messenger.conversation(ownerId) : target.channelId;
    const sent = doubtSinceMs === undefined ? undefined : await find(channelId, errand, doubtSinceMs);
    if (sent !== undefined) {
      log.info({ watch: watch.id, message: sent.messageId }, "incident message recovered");
      return done(sent, undefined);
    }
    if (presented === undefined) {
      return { end: "done", changes: { postingSinceMs: undefined } };
    }
    if (clock.elapsed() >= safeUntilElapsedMs) {
      return { end: "later", isUnsent: doubtSinceMs === undefined, waitMs: 0 };
    }
    const posted = await messenger.post(channelId, presented.reply, {
      nonce: formatNonce("incident", watch.id, day),
      silent: !settings.ping,
      ping: settings.ping ? [ownerId] : [],
    });
    // Where there was a doubt it may be an earlier message that Discord gave back.
    return done(posted, doubtSinceMs === undefined ? presented.hash : undefined);
  }

  return async (errand) => {
    const { message, presented, doubtSinceMs } = errand;
    try {
      if (message === undefined) {
        return await post(errand);
      }
      if (presented !== undefined) {
        await messenger.edit(message, presented.reply);
      }
      return { end: "done", changes: { shownHash: presented?.hash } };
    } catch (error) {
      const end = endOf(error, message !== undefined || doubtSinceMs === undefined);
      log.warn({ error, watch: errand.watch.id, end: end.end }, "an incident was not told");
      return end;
    }
  };
}

function done({ channelId, messageId }: PostedMessage, shownHash: IncidentRecord["shownHash"]): ErrandEnd {
  return { end: "done", changes: { channelId, messageId, shownHash, postingSinceMs: undefined } };
}

function endOf(error: unknown, isUnsent: boolean): ErrandEnd {
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
