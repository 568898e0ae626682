// Reads what a request asks of a bus stop.
import { parseDateTime, parseFlag, parseOffset } from "../board/values.ts";
import { localNetwork } from "../local/local-network.ts";
import type { Stop } from "../local/stop.ts";
import { Refusal } from "../refusals.ts";
import type { BusQuery } from "./bus-board.ts";

export interface BusQuestion {
  readonly query: BusQuery;
  readonly isGrouped: boolean;
  readonly limit: number;
}

/** How the path was understood before its query is read. */
export interface BusPath {
  readonly atcocode: string;
  /** `undefined`: now. */
  readonly aroundMs: number | undefined;
  /** `live.json`, where `nextbuses` decides, or a timetable, where nothing is live; the current path has `live`. */
  readonly kind: "live" | "timetable" | "current";
  readonly badRequest: 400 | 422;
}

const MINUTE_MS = 60_000;
const DEFAULT_WINDOW_MS = 120 * MINUTE_MS;
const DEFAULT_LIMIT = 3;
const MOST_ROWS = 300;

/** Throws a Refusal for what it cannot read. */
export function parseBusQuestion(path: BusPath, query: URLSearchParams, nowMs: number): BusQuestion {
  const refuse = (name: string) => new Refusal(path.badRequest, `The value of ${name} is not valid`);
  const stop = parseStop(path.atcocode);
  const aroundMs = path.aroundMs ?? parseDateTime(query.get("datetime"), () => refuse("datetime")) ?? nowMs;
  const fromOffsetMs = parseOffset(query.get("from_offset"), 0, () => refuse("from_offset"));
  const toOffsetMs = parseOffset(query.get("to_offset"), DEFAULT_WINDOW_MS, () => refuse("to_offset"));
  if (toOffsetMs < fromOffsetMs) {
    throw refuse("to_offset");
  }
  const limit = query.get("limit") ?? String(DEFAULT_LIMIT);
  const group = query.get("group") ?? "route";
  const nextbuses = query.get("nextbuses") ?? "no";
  if (!/^[1-9]\d{0,5}$/.test(limit)) {
    throw refuse("limit");
  }
  if (group !== "route" && group !== "no") {
    throw refuse("group");
  }
  if (nextbuses !== "yes" && nextbuses !== "no") {
    throw refuse("nextbuses");
  }
  const startMs = Math.floor(aroundMs / MINUTE_MS) * MINUTE_MS;
  const live = parseFlag(query.get("live"), false, () => refuse("live"));
  // London's buses are live without being asked for.
  const isLive =
    path.kind === "current" ? live : path.kind === "live" && (nextbuses === "yes" || isInLondon(stop));
  return {
    query: { stop, fromMs: startMs + fromOffsetMs, toMs: startMs + toOffsetMs, isLive },
    isGrouped: group === "route",
    limit: Math.min(Number(limit), MOST_ROWS),
  };
}

/** Tubes, trams and boats have no boards: their stops are not found either. */
function parseStop(atcocode: string): Stop {
  const stop = localNetwork().stops.get(atcocode.replace(/^atcocode:/i, "").toUpperCase());
  if (stop?.type !== "bus_stop") {
    throw new Refusal(404, "Bus stop not found");
  }
  return stop;
}

function isInLondon(stop: Stop): boolean {
  return stop.atcocode.startsWith("490");
}
