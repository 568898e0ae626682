// Lines of buses, tubes, trams and boats. Each runs in both directions along its stops, at fixed intervals.
import { dayKind } from "../railway/calendar.ts";
import { hash } from "../railway/chance.ts";
import { addDays, formatUkDate, ukMoment } from "../railway/uk-time.ts";
import { createBusLines } from "./bus-lines.ts";
import { createOtherLines } from "./other-lines.ts";
import { metresBetween, type Position } from "./position.ts";

export type LocalMode = "bus" | "tube" | "tram" | "boat";
/** The service's words, except `ferry_terminal`: the service documents none for that. */
export type StopType = "bus_stop" | "tube_station" | "tram_stop" | "ferry_terminal";

export interface Stop extends Position {
  readonly type: StopType;
  readonly atcocode: string;
  /** e.g. `Mill Lane`. */
  readonly name: string;
  /** e.g. `Acomb, York`. */
  readonly locality: string;
  /** The letter of the stop at a station; `undefined` for all other stops. */
  readonly letter: string | undefined;
}

export interface LocalLine {
  /** The index among all local lines. */
  readonly id: number;
  readonly mode: LocalMode;
  /** e.g. `21`, `Victoria`. */
  readonly name: string;
  readonly operator: string;
  readonly operatorName: string;
  readonly everyMinutes: number;
  /** In order, except on the Underground, whose branches do not fit into one list. */
  readonly stops: readonly Stop[];
}

export type UnnumberedLine = Omit<LocalLine, "id">;

export interface LocalCall {
  readonly line: LocalLine;
  /** The index of the line's stop. */
  readonly at: number;
}

const MINUTE_MS = 60_000;
const LONGEST_LINE_MS = 2 * 60 * MINUTE_MS;
/** Average speeds in metres a minute, including stops. */
const TOWN_PACE = 260;
const TRACK_PACE = 450;
/** The first and last departure from a line's first stop, in minutes past midnight. */
const DEPARTURES = { first: 340, last: 1_420 };
/** The same for boats, which run by day. */
const BOAT_DEPARTURES = { first: 390, last: 1_260 };

let network: ReturnType<typeof createLocalNetwork> | undefined;

/** Created on first use, because boards of trains do not need it. */
export function localNetwork() {
  network ??= createLocalNetwork();
  return network;
}

function createLocalNetwork() {
  const lines = [...createOtherLines(), ...createBusLines()].map((line, id) => ({ ...line, id }));
  const calls = lines.flatMap((line) => line.stops.map((stop, at) => ({ stop, line, at })));
  const byStop = Map.groupBy(calls, ({ stop }) => stop.atcocode);
  return {
    lines,
    stops: new Map(calls.map(({ stop }) => [stop.atcocode, stop])),
    callsAt: (atcocode: string): readonly LocalCall[] => byStop.get(atcocode) ?? [],
  };
}

/** `from` and `to` are indices of stops, in either order. */
export function rideMinutes({ mode, stops }: LocalLine, from: number, to: number): number {
  const [a, b] = [stops[from], stops[to]];
  const pace = mode === "bus" ? TOWN_PACE : TRACK_PACE;
  return a && b ? Math.max(1, Math.round((metresBetween(a, b) * 1.2) / pace)) : 1;
}

/** When vehicles leave a stop towards the line's first or last stop, from `fromMs` until before `toMs`. */
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
  const hours = line.mode === "boat" ? BOAT_DEPARTURES : DEPARTURES;
  const firstMinute = hours.first + (hash(seed, line.id, towards) % line.everyMinutes);
  const travelMinutes = at === start ? 0 : rideMinutes(line, start, at);
  const times: number[] = [];
  const lastDate = formatUkDate(toMs);
  for (let date = formatUkDate(fromMs - LONGEST_LINE_MS); date <= lastDate; date = addDays(date, 1)) {
    for (
      let minute = firstMinute;
      minute <= hours.last && dayKind(date) !== "none";
      minute += line.everyMinutes
    ) {
      times.push(ukMoment(date, minute + travelMinutes));
    }
  }
  return times.filter((atMs) => atMs >= fromMs && atMs < toMs);
}
