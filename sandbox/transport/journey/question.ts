// Reads what a request asks of the journey planner.
import { metresBetween } from "../geography/position.ts";
import { isDate, parsePathMoment, words } from "../board/values.ts";
import { addDays, formatUkDate, formatUkTime, ukMoment } from "../railway/uk-time.ts";
import { Refusal } from "../refusals.ts";
import type { Waypoint } from "./leg.ts";
import type { JourneyQuestion } from "./plan.ts";
import { parseWaypoint } from "./waypoint.ts";

/** What a path says of a journey before its query is read; empty texts where it says nothing. */
export interface JourneyPath {
  readonly from: string;
  readonly to: string;
  readonly date: string;
  readonly time: string;
  /** `undefined`: the query's `journey_time_type` decides. */
  readonly isArrival: boolean | undefined;
  readonly badRequest: 400 | 422;
}

const MODES = ["train", "bus", "tube", "tram", "boat"] as const;
/** Other words for the same; feet are always allowed. */
const MODE_WORDS: Readonly<Record<string, string>> = {
  "train-tube": "tube",
  metro: "tube",
  ferry: "boat",
  foot: "foot",
  ...Object.fromEntries(MODES.map((mode) => [mode, mode])),
};
/** The word for arriving is undocumented: several are understood. */
const TIME_TYPES: Readonly<Record<string, boolean>> = {
  leave_after: false,
  depart_after: false,
  arrive_before: true,
  arrive_by: true,
};
const SERVICES: ReadonlySet<string> = new Set(["silverrail", "tfl", "southeast", "national"]);
const MOST_ROUTES = 5;
/** Closer ends are the same place. */
const SAME_METRES = 30;

/** Throws a Refusal for what it cannot read. */
export function parseJourneyQuestion(
  path: JourneyPath,
  query: URLSearchParams,
  nowMs: number,
): JourneyQuestion {
  const refuse = (sentence: string) => new Refusal(path.badRequest, sentence);
  if (path.from === "" || path.to === "") {
    throw refuse("from and to are required");
  }
  const from = parseWaypoint(path.from, "Journey Origin", refuse);
  const to = parseWaypoint(path.to, "Journey Destination", refuse);
  if (isSame(from, to)) {
    throw refuse("from and to are the same place");
  }
  const type = query.get("journey_time_type") ?? "leave_after";
  const isArrival = path.isArrival ?? TIME_TYPES[type];
  if (isArrival === undefined) {
    throw refuse("The value of journey_time_type is not valid");
  }
  const service = query.get("service") ?? query.get("region");
  if (service !== null && !SERVICES.has(service)) {
    throw refuse("The value of service is not valid");
  }
  const atMs = parseMoment(path, nowMs);
  return { from, to, atMs, isArrival, modes: parseModes(query, refuse), mostRoutes: MOST_ROUTES };
}

function isSame(from: Waypoint, to: Waypoint): boolean {
  return metresBetween(from, to) < SAME_METRES;
}

/** A time without a date is today's, or tomorrow's when it is more than half a day ago. */
function parseMoment({ date, time, badRequest }: JourneyPath, nowMs: number): number {
  if (date === "" && time === "") {
    // The train of this minute has gone.
    return Math.ceil(nowMs / 60_000) * 60_000;
  }
  const now = { date: formatUkDate(nowMs), time: formatUkTime(nowMs) };
  if ((date !== "" && !isDate(date)) || (time !== "" && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))) {
    throw new Refusal(badRequest, "The date or the time is not valid");
  }
  const atMs = parsePathMoment(date, time, now);
  return date === "" && nowMs - atMs > 12 * 3_600_000
    ? ukMoment(addDays(now.date, 1), Math.round((atMs - ukMoment(now.date, 0)) / 60_000))
    : atMs;
}

function parseModes(query: URLSearchParams, refuse: (sentence: string) => Refusal): ReadonlySet<string> {
  const read = (name: string) =>
    words(query.get(name)).map((word) => {
      const mode = MODE_WORDS[word];
      if (mode === undefined) {
        throw refuse(`The value of ${name} is not valid`);
      }
      return mode;
    });
  const wanted = read("modes");
  const unwanted = read("not_modes");
  return new Set(
    MODES.filter((mode) => (wanted.length === 0 || wanted.includes(mode)) && !unwanted.includes(mode)),
  );
}
