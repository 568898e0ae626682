// The status of each train operator, counted from the trains at large stations, so that it agrees with their boards.
import { fateOf } from "../railway/fate.ts";
import type { Railway } from "../railway/board.ts";
import { operatorName } from "../railway/operators.ts";
import type { Train } from "../railway/train.ts";

/** A row of the network's status. The specification shows no fields, so these few are the stand-in's own. */
export interface StatusRow {
  /** `train`, `tube`, `tram`, `boat` or `bus`. */
  readonly mode: string;
  /** An operator, or for tubes a line. */
  readonly name: string;
  /** e.g. `Good service`. */
  readonly status: string;
  /** A sentence, or empty if there is nothing to say. */
  readonly description: string;
}

interface Count {
  trains: number;
  cancelled: number;
  worstMinutes: number;
  late: number;
  buses: number;
}

const MINUTE_MS = 60_000;
/** Trains this long before and after now are counted. */
const AROUND_MS = 60 * MINUTE_MS;
const LATE_MINUTES = 10;
const FEW = 3;
/** The stations whose trains are counted; every operator calls at one of them. */
const SAMPLED_STATIONS =
  "BHM BRI BTN CBG CDF CLJ CRE EDB EUS FST GLC GLQ HRH HUL INV KGX LBG LDS LIV LST MAN MYB NCL NOT PAD RDG STP VIC WAT YRK";

/** One row for each operator that has trains now, ordered by name. */
export function trainStatus({ timetable, seed }: Railway, nowMs: number): readonly StatusRow[] {
  const counts = new Map<string, Count>();
  const visits = SAMPLED_STATIONS.split(" ").flatMap((crs) =>
    timetable.trainsAt(crs, nowMs - AROUND_MS, nowMs + AROUND_MS),
  );
  for (const train of new Set(visits.map((visit) => visit.train))) {
    const name = operatorName(train.operator);
    if (name !== undefined) {
      const count = counts.get(name) ?? { trains: 0, cancelled: 0, late: 0, worstMinutes: 0, buses: 0 };
      counts.set(name, count);
      add(count, train, nowMs, seed);
    }
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => ({ mode: "train", name, status: statusOf(count), description: describe(count) }));
}

function add(count: Count, train: Train, nowMs: number, seed: number): void {
  const { cancelled, cancelledKnownMs, lateness } = fateOf(train, seed);
  // The last call that it has left. A train is not counted as late before it has set off.
  const seen = train.calls.findLastIndex(
    ({ departMs = Infinity }, at) => departMs + (lateness[at]?.depart ?? 0) * MINUTE_MS <= nowMs,
  );
  const late = lateness[seen]?.depart ?? 0;
  count.trains += 1;
  count.buses += train.mode === "bus" ? 1 : 0;
  if (cancelled && nowMs >= cancelledKnownMs) {
    count.cancelled += 1;
  } else if (late >= LATE_MINUTES) {
    count.late += 1;
    count.worstMinutes = Math.max(count.worstMinutes, late);
  }
}

function statusOf({ trains, cancelled, late, buses }: Count): string {
  // A few bad trains are not a disruption, even if they are a large share of a small operator's.
  if (cancelled + late < FEW && buses / trains < 0.2) {
    return late > 0 ? "Minor delays" : "Good service";
  }
  if (cancelled / trains >= 0.1 || late / trains >= 0.15) {
    return "Major disruption";
  }
  if (cancelled / trains >= 0.06 || late / trains >= 0.07) {
    return "Minor disruption";
  }
  return buses / trains >= 0.2 ? "Special service" : late > 0 ? "Minor delays" : "Good service";
}

function describe({ trains, cancelled, late, worstMinutes, buses }: Count): string {
  const parts = [
    cancelled > 0 ? `${cancelled} fully or partly cancelled` : "",
    late > 0 ? `${late} running up to ${worstMinutes} min late` : "",
    buses > 0 ? `${buses} replaced by buses` : "",
  ].filter(Boolean);
  return parts.length === 0 ? "" : `${trains} ${trains === 1 ? "train" : "trains"}: ${parts.join(", ")}.`;
}
