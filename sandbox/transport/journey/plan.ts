// Plans journeys: several, each the best for its time, on trains that are on the boards.
import type { Railway } from "../railway/board.ts";
import { fateOf } from "../railway/fate.ts";
import type { RailStation } from "../railway/stations.ts";
import { stationWaypoint, type Leg, type Route, type Waypoint } from "./leg.ts";
import { followPath } from "./local-path.ts";
import { changeMinutes, positionOf } from "./search.ts";
import { waysBetween, type Way } from "./ways.ts";

export interface JourneyQuestion {
  readonly from: Waypoint;
  readonly to: Waypoint;
  /** Leave at this moment or after, or be there by it. */
  readonly atMs: number;
  readonly isArrival: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MOST_ROUTES = 5;
/** Between the street and the platform. */
const PLATFORM_MS = 2 * MINUTE_MS;
/** Nobody waits longer for a train. */
const MOST_WAIT_HOURS = 24;
/** Trains are looked for in windows of so long. */
const WINDOW_HOURS = 2;
/** Where two are found, none is looked for that leaves so much later. */
const FAR_OFF_MS = 8 * HOUR_MS;

/** In the order of departure. Empty when there is no way. `nowMs` tells which cancellations are known. */
export function planJourneys(question: JourneyQuestion, railway: Railway, nowMs: number): readonly Route[] {
  const { from, to, atMs, isArrival } = question;
  const routes = waysBetween(from, to).flatMap((way) => {
    const follow = (readyMs: number) => followWay(way, readyMs, railway, nowMs);
    if (!isArrival) {
      // Several buses may lead to one train.
      return oneAfterAnother(follow, atMs, (found) => arrivalsOf(found).size >= MOST_ROUTES);
    }
    // Early enough for several, and where that finds none, on the evening before.
    for (const leadMs of [
      2 * way.minutes * MINUTE_MS + 2 * HOUR_MS,
      way.minutes * MINUTE_MS + 12 * HOUR_MS,
    ]) {
      const found = oneAfterAnother(follow, atMs - leadMs, (all) => (all.at(-1)?.arriveMs ?? 0) > atMs);
      const inTime = found.filter(({ arriveMs }) => arriveMs <= atMs);
      if (inTime.length > 0) {
        return inTime;
      }
    }
    return [];
  });
  return bestOf(routes, isArrival);
}

function arrivalsOf(routes: readonly Route[]): ReadonlySet<number> {
  return new Set(routes.map(({ arriveMs }) => arriveMs));
}

function oneAfterAnother(
  follow: (readyMs: number) => Route | undefined,
  startMs: number,
  isEnough: (found: readonly Route[]) => boolean,
): readonly Route[] {
  const found: Route[] = [];
  let readyMs = startMs;
  while (!isEnough(found) && (found.length < 2 || readyMs - startMs < FAR_OFF_MS)) {
    const route = follow(readyMs);
    if (!route) {
      break;
    }
    found.push(route);
    if (route.legs.every(({ mode }) => mode === "foot")) {
      break;
    }
    readyMs = route.departMs + MINUTE_MS;
  }
  return found;
}

/** The first that goes this way; `undefined` where something does not run when it is needed. */
function followWay({ steps }: Way, readyMs: number, railway: Railway, nowMs: number): Route | undefined {
  const legs: Leg[] = [];
  let atMs = readyMs;
  for (const step of steps) {
    const before = legs.at(-1);
    if (step.kind === "local") {
      const local = followPath(step.path, step.from, step.to, before?.arriveMs ?? atMs, railway.seed);
      if (!local) {
        return undefined;
      }
      legs.push(...local);
    } else {
      const change = changeMinutes(positionOf.get(step.from.crs) ?? -1) * MINUTE_MS;
      atMs = before ? before.arriveMs + (before.ride ? change : PLATFORM_MS) : atMs;
      const train = nextTrain(step.from, step.to, atMs, railway, nowMs);
      if (!train) {
        return undefined;
      }
      legs.push(train);
    }
  }
  const [first, second] = legs;
  if (first?.mode === "foot" && second) {
    // One leaves the house when it is time.
    const lateMs = second.departMs - (second.ride ? PLATFORM_MS : 0) - first.arriveMs;
    legs[0] = { ...first, departMs: first.departMs + lateMs, arriveMs: first.arriveMs + lateMs };
  }
  const [start] = legs;
  const end = legs.at(-1);
  return start && end && { legs, departMs: start.departMs, arriveMs: end.arriveMs };
}

/** Of the trains that leave soon, the one that is there first: one of a board, and not known to be cancelled. */
function nextTrain(
  from: RailStation,
  to: RailStation,
  readyMs: number,
  { timetable, seed }: Railway,
  nowMs: number,
): Leg | undefined {
  for (let hours = 0; hours < MOST_WAIT_HOURS; hours += WINDOW_HOURS) {
    const startMs = readyMs + hours * HOUR_MS;
    const visits = timetable.trainsAt(from.crs, startMs, startMs + WINDOW_HOURS * HOUR_MS, to.crs);
    const legs = visits.flatMap(({ train, at: board }): readonly Leg[] => {
      const departMs = train.calls[board]?.departMs;
      const alight = train.calls.findIndex(({ station }, at) => at > board && station.crs === to.crs);
      const arriveMs = train.calls[alight]?.arriveMs;
      const { cancelled, cancelledKnownMs } = fateOf(train, seed);
      const isKnownCancelled =
        cancelled && nowMs >= cancelledKnownMs && cancelled.from <= alight && cancelled.to > board;
      if (departMs === undefined || arriveMs === undefined || train.kind === "freight" || isKnownCancelled) {
        return [];
      }
      const ends = { from: stationWaypoint(from), to: stationWaypoint(to) };
      return [{ mode: train.mode, ...ends, departMs, arriveMs, ride: { train, board, alight } }];
    });
    const [soonest] = legs.toSorted((a, b) => a.arriveMs - b.arriveMs || b.departMs - a.departMs);
    if (soonest) {
      return soonest;
    }
  }
  return undefined;
}

/** Without those that another beats or equals in every way. */
function bestOf(routes: readonly Route[], isArrival: boolean): readonly Route[] {
  const quickestMs = Math.min(...routes.map(lengthOf));
  const sensible = routes.filter((route) => lengthOf(route) <= quickestMs * 2.5 + 20 * MINUTE_MS);
  const kept = sensible.filter(
    (route, at) => !sensible.some((other, otherAt) => otherAt !== at && beats(other, route, otherAt < at)),
  );
  const ordered = kept.toSorted((a, b) => a.departMs - b.departMs || a.arriveMs - b.arriveMs);
  return isArrival ? ordered.slice(-MOST_ROUTES) : ordered.slice(0, MOST_ROUTES);
}

function beats(a: Route, b: Route, isEarlierInList: boolean): boolean {
  if (a.departMs < b.departMs || a.arriveMs > b.arriveMs || a.legs.length > b.legs.length) {
    return false;
  }
  const isEqual = a.departMs === b.departMs && a.arriveMs === b.arriveMs && a.legs.length === b.legs.length;
  return !isEqual || isEarlierInList;
}

function lengthOf({ departMs, arriveMs }: Route): number {
  return arriveMs - departMs;
}
