// The search itself: round by round, one train more, where can one be, and how soon (RAPTOR: Delling, Pajor, Werneck).
// Backwards it is the same on mirrored days, with all times negated.
import { STATIONS } from "../railway/stations.ts";
import { scan, touched } from "./scan.ts";
import type { End, Found, Label, Ride, SearchQuestion } from "./search-types.ts";

/** The soonest way with each number of trains, where more trains are sooner. Fewest trains first. */
export function search<AnEnd extends End>(question: SearchQuestion<AnEnd>): readonly Found<AnEnd>[] {
  const { starts, ends, startMs, mostRides } = question;
  const arrivals = new Float64Array(STATIONS.length).fill(Infinity);
  const ready = new Float64Array(STATIONS.length).fill(Infinity);
  const labels: (Label<AnEnd> | undefined)[] = [];
  const endOf = new Map(ends.map((end) => [end.station, end]));
  let marked = new Set<number>();
  for (const end of starts) {
    const atMs = startMs + end.takesMs;
    if (atMs < (ready[end.station] ?? 0)) {
      ready[end.station] = atMs;
      labels[end.station] = { kind: "start", end };
      marked.add(end.station);
    }
  }
  const found: Found<AnEnd>[] = [];
  let overMs = question.horizonMs;
  for (let round = 1; round <= mostRides && marked.size > 0; round += 1) {
    const readyBefore = ready.slice();
    const labelsBefore = labels.slice();
    const reached = new Map<number, Ride<AnEnd>>();
    for (const [pattern, from] of touched(question, marked, overMs)) {
      scan(question, pattern, from, readyBefore, labelsBefore, arrivals, overMs, reached);
    }
    marked = new Set();
    let best: Found<AnEnd> | undefined;
    for (const [station, ride] of reached) {
      const end = endOf.get(station);
      if (end && ride.arriveMs + end.takesMs < overMs) {
        overMs = ride.arriveMs + end.takesMs;
        best = { ride, end, overMs };
      }
    }
    if (best) {
      found.push(best);
    }
    for (const [station, ride] of reached) {
      improve(station, ride.arriveMs + question.changeMs(station), { kind: "ride", ride });
      for (const { to, takesMs } of question.crossings(station)) {
        improve(to, ride.arriveMs + takesMs, { kind: "crossing", from: station, to, ride });
      }
    }
  }
  return found;

  function improve(station: number, atMs: number, label: Label<AnEnd>): void {
    if (atMs < (ready[station] ?? 0) && atMs < overMs) {
      ready[station] = atMs;
      labels[station] = label;
      marked.add(station);
    }
  }
}
