// One round of the search: along every pattern that can be boarded.
import type { Pattern, PatternTrip } from "./patterns.ts";
import type { End, Label, Ride, SearchQuestion } from "./search-types.ts";

/** The patterns through marked stations, each with its first stop there. */
export function touched<AnEnd extends End>(
  { days, isAllowed, startMs }: SearchQuestion<AnEnd>,
  marked: ReadonlySet<number>,
  overMs: number,
): ReadonlyMap<Pattern, number> {
  const patterns = new Map<Pattern, number>();
  for (const station of marked) {
    for (const day of days) {
      for (const { pattern, stop } of day.at[station] ?? []) {
        if (pattern.endsMs < startMs || pattern.beginsMs > overMs) {
          continue;
        }
        const known = patterns.get(pattern);
        if (isAllowed(pattern) && (known === undefined || stop < known)) {
          patterns.set(pattern, stop);
        }
      }
    }
  }
  return patterns;
}

/** Rides along a pattern, changing to an earlier train of it wherever one can be caught; notes what is reached sooner. */
export function scan<AnEnd extends End>(
  question: SearchQuestion<AnEnd>,
  pattern: Pattern,
  from: number,
  ready: Float64Array,
  labels: readonly (Label<AnEnd> | undefined)[],
  arrivals: Float64Array,
  overMs: number,
  reached: Map<number, Ride<AnEnd>>,
): void {
  const { stops, arriveMs, departMs } = pattern;
  let trip: PatternTrip | undefined;
  let board = 0;
  let before: Label<AnEnd> | undefined;
  for (let stop = from; stop < stops.length; stop += 1) {
    const station = stops[stop] ?? -1;
    if (trip && before && stop <= trip.last) {
      const atMs = trip.zeroMs + (arriveMs[stop] ?? 0);
      if (atMs < (arrivals[station] ?? 0) && atMs < overMs) {
        arrivals[station] = atMs;
        reached.set(station, { pattern, trip, board, alight: stop, arriveMs: atMs, before });
      }
    }
    const readyMs = ready[station] ?? Infinity;
    const leavesMs = trip && stop < trip.last ? trip.zeroMs + (departMs[stop] ?? 0) : Infinity;
    if (readyMs < leavesMs && readyMs < overMs) {
      const caught = firstTrip(question, pattern, stop, readyMs);
      if (caught && caught !== trip && caught.zeroMs + (departMs[stop] ?? 0) < leavesMs) {
        trip = caught;
        board = stop;
        before = labels[station];
      }
    }
  }
}

/** The first train of a pattern that leaves a stop at or after a moment. */
function firstTrip(
  { isBanned, horizonMs }: Pick<SearchQuestion, "isBanned" | "horizonMs">,
  { trips, departMs }: Pattern,
  stop: number,
  readyMs: number,
): PatternTrip | undefined {
  const afterMs = departMs[stop] ?? 0;
  let low = 0;
  let high = trips.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((trips[middle]?.zeroMs ?? 0) + afterMs < readyMs) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (; low < trips.length; low += 1) {
    const trip = trips[low];
    if (!trip || trip.zeroMs + afterMs > horizonMs) {
      return undefined;
    }
    if (trip.first <= stop && stop < trip.last && !isBanned(trip)) {
      return trip;
    }
  }
  return undefined;
}
