// How each train operator does just now: counted from the trains themselves, so that it agrees with the boards.
import type { Steps } from "../gradual.ts";
import { fateOf } from "../railway/fate.ts";
import type { Railway } from "../railway/board.ts";
import { operatorName } from "../railway/operators.ts";
import type { Train } from "../railway/train.ts";
import type { StatusRow } from "./status-row.ts";

interface Count {
  trains: number;
  cancelled: number;
  late: number;
  worstMinutes: number;
  buses: number;
}

const MINUTE_MS = 60_000;
/** Trains under way, and those that are to start within the hour. */
const AHEAD_MS = 60 * MINUTE_MS;
const LATE_MINUTES = 10;
const FEW = 3;

/** One row for each operator that has trains now, by name. */
export function* trainStatus({ timetable, seed }: Railway, nowMs: number): Steps<readonly StatusRow[]> {
  const counts = new Map<string, Count>();
  for (const train of yield* timetable.trainsBetween(nowMs, nowMs + AHEAD_MS)) {
    yield;
    const name = operatorName(train.operator);
    if (name === undefined) {
      continue;
    }
    const count = counts.get(name) ?? { trains: 0, cancelled: 0, late: 0, worstMinutes: 0, buses: 0 };
    counts.set(name, count);
    add(count, train, nowMs, seed);
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => ({ mode: "train", name, status: statusOf(count), description: describe(count) }));
}

function add(count: Count, train: Train, nowMs: number, seed: number): void {
  const fate = fateOf(train, seed);
  const late = latenessNow(train, nowMs, seed);
  count.trains += 1;
  count.buses += train.mode === "bus" ? 1 : 0;
  if (fate.cancelled && nowMs >= fate.cancelledKnownMs) {
    count.cancelled += 1;
  } else if (late >= LATE_MINUTES) {
    count.late += 1;
    count.worstMinutes = Math.max(count.worstMinutes, late);
  }
}

/** Minutes late where it was last seen; 0 before it has set off. */
function latenessNow(train: Train, nowMs: number, seed: number): number {
  const { lateness } = fateOf(train, seed);
  const seen = train.calls.findLastIndex((call, at) => {
    const real = lateness[at];
    return real && call.departMs !== undefined && call.departMs + real.depart * MINUTE_MS <= nowMs;
  });
  return lateness[seen]?.depart ?? 0;
}

function statusOf({ trains, cancelled, late, buses }: Count): string {
  // One bad train of four is no disruption.
  if (cancelled + late < FEW && buses / trains < 0.2) {
    return late > 0 ? "Minor delays" : "Good service";
  }
  if (cancelled / trains >= 0.1 || late / trains >= 0.15) {
    return "Major disruption";
  }
  if (cancelled / trains >= 0.06 || late / trains >= 0.07) {
    return "Minor disruption";
  }
  if (buses / trains >= 0.2) {
    return "Special service";
  }
  return late / trains >= 0.04 ? "Minor delays" : "Good service";
}

function describe({ trains, cancelled, late, worstMinutes, buses }: Count): string {
  const parts = [
    cancelled > 0 ? `${cancelled} fully or partly cancelled` : "",
    late > 0 ? `${late} running up to ${worstMinutes} min late` : "",
    buses > 0 ? `${buses} replaced by buses` : "",
  ].filter(Boolean);
  return parts.length === 0 ? "" : `${trains} trains: ${parts.join(", ")}.`;
}
