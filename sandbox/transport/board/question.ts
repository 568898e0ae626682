// Reads what a request asks of a station's timetable: names, times and filters in the service's notation.
import type { BoardQuery } from "../railway/board.ts";
import type { CallSide } from "../railway/running.ts";
import type { RailStation } from "../railway/stations.ts";
import { Refusal } from "../refusals.ts";
import { codes, parseDateTime, parseFlag, parseOffset, parseStation, words } from "./values.ts";

/** What a row may tell of other stations, on request. */
export type StationDetail = "origin" | "destination" | "called_at" | "calling_at";

export interface BoardQuestion {
  readonly station: RailStation;
  /** The station as the request names it, e.g. `crs:YRK`; answers repeat it. */
  readonly namedAs: string;
  readonly sides: readonly (CallSide | "pass")[];
  readonly isLive: boolean;
  readonly details: readonly StationDetail[];
  /** The moment around which the window lies. */
  readonly aroundMs: number;
  readonly query: Omit<BoardQuery, "side">;
}

/** How the path was understood before its query is read. */
export interface BoardPath {
  /** e.g. `YRK`, `yrk`, `crs:YRK`. */
  readonly station: string;
  /** `undefined`: now. */
  readonly aroundMs: number | undefined;
  /** Whether answers are live without being asked. */
  readonly isLive: boolean;
  /** The legacy paths refuse with 400, the current one with 422. */
  readonly badRequest: 400 | 422;
}

const MINUTE_MS = 60_000;
const DEFAULT_WINDOW_MS = 120 * MINUTE_MS;
const DEFAULT_LIMIT = 50;
const MOST_ROWS = 1_000;

const SIDES: Readonly<Record<string, CallSide | "pass">> = {
  departure: "departure",
  arrival: "arrival",
  pass: "pass",
};
const DETAILS: readonly string[] = [
  "origin",
  "destination",
  "called_at",
  "calling_at",
] satisfies StationDetail[];

/** Throws a Refusal for what it cannot read. */
export function parseBoardQuestion(path: BoardPath, query: URLSearchParams, nowMs: number): BoardQuestion {
  const refuse = (name: string) => new Refusal(path.badRequest, `The value of ${name} is not valid`);
  const station = parseStation(path.station);
  const aroundMs = path.aroundMs ?? parseDateTime(query.get("datetime"), () => refuse("datetime")) ?? nowMs;
  const isLive = parseFlag(query.get("live"), path.isLive, () => refuse("live"));
  const fromOffsetMs = parseOffset(query.get("from_offset"), 0, () => refuse("from_offset"));
  const toOffsetMs = parseOffset(query.get("to_offset"), DEFAULT_WINDOW_MS, () => refuse("to_offset"));
  if (toOffsetMs < fromOffsetMs) {
    throw refuse("to_offset");
  }
  // To the minute: the board of 17:30:40 still has the train of 17:30.
  const startMs = Math.floor(aroundMs / MINUTE_MS) * MINUTE_MS;
  const limit = Number(query.get("limit") ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) {
    throw refuse("limit");
  }
  const status = words(query.get("train_status"));
  return {
    station,
    namedAs: path.station,
    sides: parseSides(query.get("type"), () => refuse("type")),
    isLive,
    details: words(query.get("station_detail")).filter(isDetail),
    aroundMs,
    query: {
      crs: station.crs,
      fromMs: startMs + fromOffsetMs,
      toMs: startMs + toOffsetMs,
      // Trains are followed past their time only on a board that begins now.
      followsTrains: isLive && fromOffsetMs === 0 && Math.abs(aroundMs - nowMs) < MINUTE_MS,
      callingAt: codes(query.get("calling_at")),
      calledAt: codes(query.get("called_at")),
      origins: codes(query.get("origin")),
      destinations: codes(query.get("destination")),
      operators: words(query.get("operator")).map((word) => word.toUpperCase()),
      services: words(query.get("service")),
      passengerOnly: status.length > 0 && !status.includes("freight"),
      limit: Math.min(limit, MOST_ROWS),
    },
  };
}

function parseSides(text: string | null, refuse: () => Refusal): BoardQuestion["sides"] {
  return words(text ?? "departure").map((word) => {
    const side = SIDES[word];
    if (!side) {
      throw refuse();
    }
    return side;
  });
}

function isDetail(word: string): word is StationDetail {
  return DETAILS.includes(word);
}
