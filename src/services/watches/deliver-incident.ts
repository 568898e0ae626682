// Does what was decided for a claimed day of a watch, and writes down how it ended.
import type { Clock } from "../../core/clock.ts";
import type { IncidentChanges, IncidentsTable } from "../../storage/incidents-table.ts";
import { retryStorage } from "../sending/retry-storage.ts";
import type { Decision } from "./decide-incident.ts";
import type { PauseWatch } from "./pause-watch.ts";
import type { ErrandEnd, IncidentErrand } from "./send-incident.ts";
import { serialiseKnowledge } from "./train-knowledge.ts";
import type { WatchDay } from "./watch-days.ts";

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
