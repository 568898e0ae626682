// Works out the state of a service from its times. The source's own status mostly means something else: "STARTS HERE"
// trains can be late too, and "LATE" ones may be on time (observed in 209 rows at four stations).
import type { TransportRow } from "../sources/transport-data.ts";
import { minuteOf, minutesBetween } from "../time/uk-time.ts";
import type { BoardRow, RowState } from "./departures.ts";
import { operatorName } from "./operators.ts";
import { ServiceError, type ServiceErrorKind } from "../core/errors.ts";

export function createBoardRow(row: TransportRow): BoardRow {
  const state = stateOf(row);
  const expectedAt = state === "cancelled" || state === "delayed" ? undefined : row.expectedAt;
  return {
    mode: row.mode,
    place: row.place,
    platform: row.platform,
    operator: operatorName(row),
    aimedAt: row.aimedAt,
    expectedAt,
    delayMinutes:
      state === "expected" || expectedAt === undefined ? undefined : minutesBetween(row.aimedAt, expectedAt),
    state,
    line: row.line,
    direction: row.direction,
    trainUid: row.trainUid,
    startDate: row.startDate,
    reason: row.reason,
    route: row.route,
    cancelledPlace: row.cancelledPlace,
    laterCancelled: row.laterCancelled,
    viaCancelled: row.viaCancelled,
  };
}

/** Gives a London row the minutes until its train is expected. */
export function countMinutes(row: BoardRow, now: Temporal.Instant): BoardRow {
  const { state, aimedAt, expectedAt = aimedAt } = row;
  return state === "expected"
    ? { ...row, inMinutes: Math.max(0, Math.floor(expectedAt.since(now).total("minutes"))) }
    : row;
}

/** A delayed train without an expected time is shown for as long as the service lists it. */
export function isGone({ state, aimedAt, expectedAt }: BoardRow, now: Temporal.Instant): boolean {
  return state !== "delayed" && minuteOf(expectedAt ?? aimedAt) < minuteOf(now);
}

/** Whether it runs, but not to all of its stops. */
export function isCut({
  viaCancelled,
  cancelledPlace,
  laterCancelled,
}: Pick<BoardRow, "viaCancelled" | "cancelledPlace" | "laterCancelled">): boolean {
  return viaCancelled === true || laterCancelled === true || cancelledPlace !== undefined;
}

function stateOf(row: TransportRow): RowState {
  const { status = "", aimedAt, expectedAt } = row;
  if (row.timing === "expected-only") {
    return "expected";
  }
  const delayMinutes = expectedAt && minutesBetween(aimedAt, expectedAt);
  if (isCancelled(row)) {
    return "cancelled";
  }
  // An expected time at or before the aimed one says nothing about a delay.
  if (/^DELAYED\b/.test(status) && (delayMinutes === undefined || delayMinutes <= 0)) {
    return "delayed";
  }
  if (delayMinutes === undefined) {
    return "scheduled";
  }
  return delayMinutes === 0 ? "on-time" : delayMinutes > 0 ? "late" : "early";
}

/** Whether the service's status says that a train does not run, or does not call there. */
export function isCancelled({ status = "" }: { readonly status?: string | undefined }): boolean {
  return /^CANCELL?ED\b/.test(status);
}

const KINDS: ReadonlySet<ServiceErrorKind> = new Set(["not-found", "not-permitted", "rejected"]);

/** Whether an error only means that a service has no boards of later hours, as its specification allows. */
export function lacksLaterHours(error: unknown): boolean {
  return error instanceof ServiceError && KINDS.has(error.kind);
}
