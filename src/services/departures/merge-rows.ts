// One row for each train, in the order of aimed times.
import { Temporal } from "temporal-polyfill";
import type { TransportRow } from "../../clients/transport/transport-board.ts";

/**
 * Joins a live answer and the timetable's rows after it, which overlap by a minute, and removes what an answer lists
 * twice. Of one train's rows the first with an expected time or a status is kept: it knows more.
 */
export function mergeRows(
  live: readonly TransportRow[],
  scheduled: readonly TransportRow[] = [],
): readonly TransportRow[] {
  const merged = new Map<string, TransportRow>();
  const seen = new Set(live.map(looksOf));
  for (const [index, row] of [...live, ...scheduled].entries()) {
    const isFromTimetable = index >= live.length;
    if (isFromTimetable && seen.has(looksOf(row))) {
      continue;
    }
    // Without an id two trains of one answer may look alike and still be two.
    const key = row.trainUid ? `${row.trainUid} ${row.mode} ${row.aimedAt.epochMilliseconds}` : `#${index}`;
    const known = merged.get(key);
    if (!known || (isLive(row) && !isLive(known))) {
      merged.set(key, row);
    }
  }
  return [...merged.values()].toSorted((a, b) => Temporal.Instant.compare(a.aimedAt, b.aimedAt));
}

function isLive({ expectedAt, status }: TransportRow): boolean {
  return expectedAt !== undefined || status !== undefined;
}

/** What a train looks like in every answer that lists it, live or timetable; the platform may differ. */
export function looksOf({ mode, aimedAt, place, operatorCode, operatorName }: TransportRow): string {
  return [mode, aimedAt.epochMilliseconds, place, operatorName ?? operatorCode].join("|");
}
