// Lines of buses, tubes, trams and boats: each runs both ways along its stops, at fixed intervals.
import { dayKind } from "../railway/calendar.ts";
import { hash } from "../railway/chance.ts";
import { addDays, formatUkDate, ukMoment } from "../railway/uk-time.ts";
import { createBusLines } from "./bus-lines.ts";
import { createOtherLines } from "./other-lines.ts";
import { metresBetween, type Position } from "./position.ts";

export type LocalMode = "bus" | "tube" | "tram" | "boat";
/** `ferry_terminal` is our own word: the service documents none. */
export type StopType = "bus_stop" | "tube_station" | "tram_stop" | "ferry_terminal";

export interface Stop extends Position {
  readonly type: StopType;
  readonly atcocode: string;
  /** e.g. `Mill Lane`. */
  readonly name: string;
  /** e.g. `Acomb, York`. */
  readonly locality: string;
  /** Of the stand before a station; `undefined` elsewhere. */
  readonly letter: string | undefined;
}

export interface LocalLine {
  /** Position among all local lines. */
  readonly id: number;
  readonly mode: LocalMode;
  /** e.g. `21`, `Victoria`. */
  readonly name: string;
  readonly operator: string;
  readonly operatorName: string;
  readonly everyMinutes: number;
  /** In order, but for the Underground, whose branches no one list holds. */
  readonly stops: readonly Stop[];
}

export type UnnumberedLine = Omit<LocalLine, "id">;

/** A line at one of its stops. */
export interface LocalCall {
  readonly line: LocalLine;
  /** Which of the line's stops. */
  readonly at: number;
}

const MINUTE_MS = 60_000;
const LONGEST_LINE_MS = 2 * 60 * MINUTE_MS;
/** Metres a minute, stops included. */
const TOWN_PACE = 260;
const TRACK_PACE = 450;
/** Minutes past midnight between which vehicles leave their first stops. */
const OPEN = { first: 340, last: 1_420 };
/** Boats leave by day. */
const SAILING = { first: 390, last: 1_260 };

let made: ReturnType<typeof createLocalNetwork> | undefined;

/** Made at first use, since boards need none of it. */
export function localNetwork() {
  made ??= createLocalNetwork();
  return made;
}

function createLocalNetwork() {
  const lines = [...createOtherLines(), ...createBusLines()].map((line, id) => ({ ...line, id }));
  const calls = lines.flatMap((line) => line.stops.map((stop, at) => ({ stop, line, at })));
  const byStop = Map.groupBy(calls, ({ stop }) => stop.atcocode);
  return {
    lines,
    /** By ATCO code. */
    stops: new Map(calls.map(({ stop }) => [stop.atcocode, stop])),
    /** Who calls at the stop of this code. */
    callsAt: (atcocode: string): readonly LocalCall[] => byStop.get(atcocode) ?? [],
  };
}

/** How long a ride takes, either way. */
export function rideMinutes({ mode, stops }: LocalLine, from: number, to: number): number {
  const [a, b] = [stops[from], stops[to]];
  const pace = mode === "bus" ? TOWN_PACE : TRACK_PACE;
  return a && b ? Math.max(1, Math.round((metresBetween(a, b) * 1.2) / pace)) : 1;
}

/** When vehicles leave a stop towards the line's first or last one, from `fromMs` up to and without `toMs`. */
export function departuresAt(
  { line, at }: LocalCall,
  towards: "first" | "last",
  fromMs: number,
  toMs: number,
  seed: number,
): readonly number[] {
  const last = line.stops.length - 1;
  const [start, end] = towards === "last" ? [0, last] : [last, 0];
  if (at === end) {
    return [];
  }
  const hours = line.mode === "boat" ? SAILING : OPEN;
  const firstMinute = hours.first + (hash(seed, line.id, towards) % line.everyMinutes);
  const onTheWay = at === start ? 0 : rideMinutes(line, start, at);
  const times: number[] = [];
  const lastDate = formatUkDate(toMs);
  for (let date = formatUkDate(fromMs - LONGEST_LINE_MS); date <= lastDate; date = addDays(date, 1)) {
    for (
      let minute = firstMinute;
      minute <= hours.last && dayKind(date) !== "none";
      minute += line.everyMinutes
    ) {
      times.push(ukMoment(date, minute + onTheWay));
    }
  }
  return times.filter((atMs) => atMs >= fromMs && atMs < toMs);
}
