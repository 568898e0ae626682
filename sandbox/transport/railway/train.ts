// A train: its identity, and where and when it calls.
import { hash } from "./chance.ts";
import type { Line, LineKind } from "./network.ts";
import { platformOf } from "./platforms.ts";
import { runKey, type Run } from "./runs.ts";
import type { RailStation } from "./stations.ts";
import { ukMoment } from "./uk-time.ts";
import { uidOfKey } from "./uids.ts";

/** A stop of a train. Times are in milliseconds since the Unix epoch. */
export interface Call {
  readonly station: RailStation;
  /** `undefined` at the train's start. */
  readonly arriveMs: number | undefined;
  /** `undefined` at the train's end. */
  readonly departMs: number | undefined;
  /** `null` if the station does not announce platforms, and for buses. */
  readonly platform: string | null;
}

export interface Train {
  /** A letter and five digits, the same for this train every day. */
  readonly uid: string;
  /** The date on which it starts, in London. */
  readonly serviceDate: string;
  /** Eight digits, the same for all trains of a line in one direction. */
  readonly service: string;
  readonly operator: string;
  readonly kind: LineKind;
  /** `bus` is a rail replacement bus. */
  readonly mode: "train" | "bus";
  /** `XX`, `OO`, `XZ` for sleepers, `BR` for replacement buses, `EE` for freight and empty trains. */
  readonly category: string;
  readonly calls: readonly Call[];
}

/** The index of the train's call at a position of its course. */
export function callAt(run: Run, position: number): number {
  let at = -1;
  for (let each = run.first; each <= position; each += 1) {
    at += run.course.timings[each] ? 1 : 0;
  }
  return at;
}

export function createTrain(run: Run, serviceDate: string, seed: number): Train {
  const key = runKey(run.course.line, run.course.direction, run.number);
  const { course, first, last, slowness } = run;
  const { line } = course;
  const firstMinute = course.timings[first]?.depart ?? 0;
  // Only the start is wall time: a change of the clocks does not change how long a train takes.
  const startMs = ukMoment(serviceDate, run.startMinute + Math.round(firstMinute * slowness));
  const stops = course.timings.flatMap((timing, position) =>
    timing && position >= first && position <= last ? [{ timing, station: course.stations[position] }] : [],
  );
  const isBus = slowness > 1;
  const timeAt = (minute: number) =>
    startMs + (Math.round(minute * slowness) - Math.round(firstMinute * slowness)) * 60_000;
  const calls = stops.flatMap(({ timing, station }, at): readonly Call[] => {
    if (!station) {
      return [];
    }
    const from = stops[at - 1]?.station?.crs;
    const to = stops[at + 1]?.station?.crs;
    // By wall time, so that a train uses the same platform every day.
    const minute = 1_440 + run.startMinute + (from === undefined ? timing.depart : timing.arrive);
    const use = { crs: station.crs, operator: line.operator, lineId: line.id, from, to, key, minute };
    return [
      {
        station,
        arriveMs: at === 0 ? undefined : timeAt(timing.arrive),
        departMs: at === stops.length - 1 ? undefined : timeAt(timing.depart),
        platform: isBus ? null : platformOf(use),
      },
    ];
  });
  return {
    uid: uidOfKey(key, seed),
    serviceDate,
    service: String(10_000_000 + (hash(seed, line.id, course.direction, "service") % 20_000_000)),
    operator: line.operator,
    kind: line.kind,
    mode: isBus ? "bus" : "train",
    category: isBus ? "BR" : categoryOf(line),
    calls,
  };
}

function categoryOf(line: Line): string {
  switch (line.kind) {
    case "express":
      return "XX";
    case "sleeper":
      return "XZ";
    case "freight":
      return "EE";
    case "regional":
      return line.id % 3 === 0 ? "OO" : "XX";
    case "metro":
      return "OO";
  }
}
