// Tubes, trams and boats: the written maps as lines with stops and times.
import { metresBetween } from "../geography/position.ts";
import type { Position } from "../geography/position.ts";
import { FERRY_LINES } from "./ferry-map.ts";
import { bothWays } from "./local-line.ts";
import type { UnnumberedLine } from "./local-line.ts";
import type { Stop, StopType } from "./stop.ts";
import { TRAM_LINES } from "./tram-map.ts";
import { TUBE_LINES, TUBE_STATIONS } from "./tube-map.ts";

/** Metres a minute, stops included. */
const TUBE_PACE = 500;
const TRAM_PACE = 450;

/** All of them, both ways. Lines of one place share their stops. */
export function createFixedLines(): readonly UnnumberedLine[] {
  return [...tubeLines(), ...tramLines(), ...ferryLines()];
}

function tubeLines(): readonly UnnumberedLine[] {
  const stations = new Map(
    TUBE_STATIONS.map((text) => {
      const [named = "", at = "", locality = ""] = text.split("|");
      const stop = createStop("tube_station", "9400ZZLU", named, at, locality);
      return [named.slice(0, 3), { ...stop, name: `${stop.name} Underground Station` }];
    }),
  );
  return TUBE_LINES.flatMap((text) => {
    const [every = "", name = "", codes = ""] = text.split("|");
    const stops = codes.split(",").map((code) => {
      const stop = stations.get(code);
      if (!stop) {
        throw new Error(`The tube map has no ${code}`);
      }
      return stop;
    });
    return bothWays({
      mode: "tube",
      name,
      operator: "LU",
      operatorName: "London Underground",
      areaCode: undefined,
      stops,
      minutes: minutesAlong(stops, TUBE_PACE),
      everyMinutes: Number(every),
      firstMinute: 330,
      lastMinute: 1_440,
    });
  });
}

function tramLines(): readonly UnnumberedLine[] {
  const known = new Map<string, Stop>();
  return TRAM_LINES.flatMap((text) => {
    const [prefix = "", system = "", operator = "", every = "", name = "", locality = "", along = ""] =
      text.split("|");
    const stops = along.split(";").map((one) => {
      const [named = "", at = ""] = one.split("@");
      const stop = createStop("tram_stop", prefix, named, at, locality);
      const shared = known.get(stop.atcocode) ?? { ...stop, name: `${stop.name} (${system})` };
      known.set(stop.atcocode, shared);
      return shared;
    });
    return bothWays({
      mode: "tram",
      name,
      operator,
      operatorName: system,
      areaCode: undefined,
      stops,
      minutes: minutesAlong(stops, TRAM_PACE),
      everyMinutes: Number(every),
      firstMinute: 345,
      lastMinute: 1_425,
    });
  });
}

function ferryLines(): readonly UnnumberedLine[] {
  return FERRY_LINES.flatMap((text) => {
    const [operator = "", operatorName = "", every = "", takes = "", hours = "", name = "", along = ""] =
      text.split("|");
    const [firstMinute = 0, lastMinute = 0] = hours.split("-").map(minuteOfDay);
    const stops = along.split(";").map((one) => {
      const [named = "", at = "", locality = ""] = one.split("@");
      return createStop("ferry_terminal", "9300", named, at, locality);
    });
    const minutes = stops.map((_stop, at) => Math.round((Number(takes) * at) / (stops.length - 1)));
    return bothWays({
      mode: "boat",
      name,
      operator,
      operatorName,
      areaCode: undefined,
      stops,
      minutes,
      everyMinutes: Number(every),
      firstMinute,
      lastMinute,
    });
  });
}

/** `named` is three letters and a name, e.g. `ACT Acton Town`. */
function createStop(type: StopType, prefix: string, named: string, at: string, locality: string): Stop {
  return {
    type,
    atcocode: prefix + named.slice(0, 3),
    name: named.slice(4),
    indicator: undefined,
    bearing: undefined,
    locality,
    ...parsePosition(at),
  };
}

function parsePosition(text: string): Position {
  const [latitude = Number.NaN, longitude = Number.NaN] = text.split(",").map(Number);
  return { latitude, longitude };
}

function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** No two stops are less than a minute and a bit apart. */
function minutesAlong(stops: readonly Stop[], pace: number): readonly number[] {
  let sum = 0;
  return stops.map((stop, at) => {
    const before = stops[at - 1];
    sum += before ? Math.max(1, Math.round((metresBetween(before, stop) * 1.2) / pace)) : 0;
    return sum;
  });
}
