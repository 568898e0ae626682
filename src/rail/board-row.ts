// How one service stands, worked out from its times. The upstream's word for it is mostly about something else:
// "STARTS HERE" trains are late too, and "LATE" ones may be on time (facts of 209 rows at four stations).
import type { TransportRow } from "../sources/transport-data.ts";
import { minuteOf, minutesBetween } from "../time/uk-time.ts";
import type { BoardRow, RowState } from "./departures.ts";
import { operatorName } from "./operators.ts";
import { ServiceError, type ServiceErrorKind } from "../core/errors.ts";

/** Makes the row that people see. A cancelled train has no expected time, nor one that is late nobody knows how much. */
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
    viaCancelled: row.viaCancelled,
  };
}

/** Adds to a London row in how many minutes from now it is expected; leaves any other as it is. */
export function countMinutes(row: BoardRow, now: Temporal.Instant): BoardRow {
  const { state, aimedAt, expectedAt = aimedAt } = row;
  return state === "expected"
    ? { ...row, inMinutes: Math.max(0, Math.floor(expectedAt.since(now).total("minutes"))) }
    : row;
}

/**
 * Whether it has left, or arrived: its minute has passed, the expected one where there is one. A delayed train without
 * an expected time is still awaited for as long as the service lists it.
 */
export function isGone({ state, aimedAt, expectedAt }: BoardRow, now: Temporal.Instant): boolean {
  return state !== "delayed" && minuteOf(expectedAt ?? aimedAt) < minuteOf(now);
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

/** Whether the service's own word says that a train does not run, or does not call there. */
export function isCancelled({ status = "" }: { readonly status?: string | undefined }): boolean {
  return /^CANCELL?ED\b/.test(status);
}

const KINDS: ReadonlySet<ServiceErrorKind> = new Set(["not-found", "not-permitted", "rejected"]);

/** Whether a service has no boards of later hours, as one that follows the specification to the letter. No failure. */
export function lacksLaterHours(error: unknown): boolean {
  return error instanceof ServiceError && KINDS.has(error.kind);
}
