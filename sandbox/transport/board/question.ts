// Reads what a request asks of a station's timetable.
import { parseStation, readQuery } from "../query.ts";
import type { BadRequest } from "../query.ts";
import type { BoardQuery } from "../railway/board.ts";
import type { CallSide } from "../railway/running.ts";
import type { RailStation } from "../railway/stations.ts";

export interface BoardQuestion {
  readonly station: RailStation;
  /** The station as the request names it, e.g. `crs:YRK`; answers repeat it. */
  readonly namedAs: string;
  readonly sides: readonly CallSide[];
  readonly isLive: boolean;
  /** The moment around which the window lies. */
  readonly aroundMs: number;
  readonly query: Omit<BoardQuery, "side">;
}

/** How the path was understood before its query is read. */
export interface BoardPath {
  /** e.g. `YRK`, `yrk`, `crs:YRK`. */
  readonly station: string;
  /** `undefined`: now. */
  readonly aroundMs?: number | undefined;
  /** Whether answers are live without being asked. */
  readonly isLive: boolean;
  readonly badRequest: BadRequest;
}

const MINUTE_MS = 60_000;
const DEFAULT_LIMIT = 50;
const MOST_ROWS = 1_000;

/** Throws a Refusal for what it cannot read. */
export function parseBoardQuestion(path: BoardPath, address: string, nowMs: number): BoardQuestion {
  const query = readQuery(address, path.badRequest);
  const station = parseStation(path.station);
  const { aroundMs, fromMs, toMs } = query.window(path.aroundMs, nowMs);
  const isLive = query.flag("live", path.isLive);
  const status = query.words("train_status");
  return {
    station,
    namedAs: path.station,
    sides: query.choices("type", ["departure", "arrival"], ["departure"]),
    isLive,
    aroundMs,
    query: {
      crs: station.crs,
      fromMs,
      toMs,
      // Trains are followed past their time only on a board that begins now.
      followsTrains: isLive && Math.abs(fromMs - nowMs) < MINUTE_MS && Math.abs(aroundMs - nowMs) < MINUTE_MS,
      callingAt: query.stations("calling_at"),
      calledAt: query.stations("called_at"),
      passengerOnly: status.length > 0 && !status.includes("freight"),
      limit: Math.min(MOST_ROWS, query.count("limit", DEFAULT_LIMIT)),
    },
  };
}
