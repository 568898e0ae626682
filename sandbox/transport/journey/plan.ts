// Plans journeys: several, none worse than another in every way, on the trains that boards show.
import type { Railway } from "../railway/board.ts";
import { fateOf } from "../railway/fate.ts";
import { departuresAt, rideMinutes } from "../map/local-lines.ts";
import type { Leg, Route, Waypoint } from "./leg.ts";
import { changeMinutes, searchPaths, walkMinutes, type Path } from "./search.ts";

export interface JourneyQuestion {
  readonly from: Waypoint;
  readonly to: Waypoint;
  /** The earliest departure, or the latest arrival if `isArrival`. */
  readonly atMs: number;
  readonly isArrival: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_ROUTES = 5;
/** The longest wait for a train. */
const MAX_WAIT_HOURS = 24;
const MAX_LOCAL_WAIT_MS = 8 * HOUR_MS;
/** Trains are searched for in windows of this length. */
const WINDOW_HOURS = 2;
/** Once two routes are found, none is searched for that leaves this long after the start. */
const FAR_OFF_MS = 8 * HOUR_MS;

/** Routes in order of departure; empty if there are none. `nowMs` decides which cancellations are known. */
export function planJourneys(question: JourneyQuestion, railway: Railway, nowMs: number): readonly Route[] {
  const { from, to, atMs, isArrival } = question;
  const routes = searchPaths(from, to).flatMap((path) => {
    const steps = stepsOf(path);
    const follow = (readyMs: number) => followSteps(steps, readyMs, railway, nowMs);
    if (!isArrival) {
      // Counts arrivals, because several buses may lead to the same train.
      return successiveRoutes(follow, atMs, (found) => arrivalsOf(found).size >= MAX_ROUTES);
    }
    // Starts early enough to find several routes; if that finds none, starts on the evening before.
    for (const leadMs of [
      2 * path.minutes * MINUTE_MS + 2 * HOUR_MS,
      path.minutes * MINUTE_MS + 12 * HOUR_MS,
    ]) {
      const found = successiveRoutes(follow, atMs - leadMs, (all) => (all.at(-1)?.arriveMs ?? 0) > atMs);
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

function successiveRoutes(
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

/** The first route along these steps from `readyMs`; `undefined` if something does not run when it is needed. */
function followSteps(
  steps: readonly Step[],
  readyMs: number,
  railway: Railway,
  nowMs: number,
): Route | undefined {
  const legs: Leg[] = [];
  for (const step of steps) {
    const { from, move } = step.last;
    const changeMs = changeMinutes(from, move.by) * MINUTE_MS;
    const leg = followStep(step, (legs.at(-1)?.arriveMs ?? readyMs) + changeMs, railway, nowMs);
    if (!leg) {
      return undefined;
    }
    const [walk] = legs;
    if (walk?.mode === "foot" && legs.length === 1) {
      // A walk at the start begins as late as possible.
      const lateMs = leg.departMs - changeMs - walk.arriveMs;
      legs[0] = { ...walk, departMs: walk.departMs + lateMs, arriveMs: walk.arriveMs + lateMs };
    }
    legs.push(leg);
  }
  const [start] = legs;
  const end = legs.at(-1);
  return start && end && { legs, departMs: start.departMs, arriveMs: end.arriveMs };
}

type Step = Path & { readonly last: NonNullable<Path["last"]> };

function stepsOf({ last, ...there }: Path): readonly Step[] {
  return last ? [...stepsOf(last.from), { ...there, last }] : [];
}

function followStep(
  { point: to, last: { from: before, move } }: Step,
  readyMs: number,
  railway: Railway,
  nowMs: number,
): Leg | undefined {
  const from = before.point;
  if (move.by === "train") {
    return nextTrain(from, to, readyMs, railway, nowMs);
  }
  if (move.by === "foot") {
    return {
      mode: "foot",
      from,
      to,
      departMs: readyMs,
      arriveMs: readyMs + walkMinutes(from, to) * MINUTE_MS,
    };
  }
  const { line, board, alight } = move;
  const towards = alight > board ? "last" : "first";
  const untilMs = readyMs + MAX_LOCAL_WAIT_MS;
  const [departMs] = departuresAt({ line, at: board }, towards, readyMs, untilMs, railway.seed);
  const rideMs = rideMinutes(line, board, alight) * MINUTE_MS;
  return departMs === undefined
    ? undefined
    : { mode: line.mode, from, to, departMs, arriveMs: departMs + rideMs, line };
}

/** The leg by the train that arrives first. */
function nextTrain(
  from: Waypoint,
  to: Waypoint,
  readyMs: number,
  { timetable, seed }: Railway,
  nowMs: number,
): Leg | undefined {
  const fromCrs = from.place?.station?.crs ?? "";
  const toCrs = to.place?.station?.crs ?? "";
  for (let hours = 0; hours < MAX_WAIT_HOURS; hours += WINDOW_HOURS) {
    const startMs = readyMs + hours * HOUR_MS;
    const visits = timetable.trainsAt(fromCrs, startMs, startMs + WINDOW_HOURS * HOUR_MS, toCrs);
    const legs = visits.flatMap(({ train, at: board }): readonly Leg[] => {
      const departMs = train.calls[board]?.departMs;
      const alight = train.calls.findIndex(({ station }, at) => at > board && station.crs === toCrs);
      const arriveMs = train.calls[alight]?.arriveMs;
      const { cancelled, cancelledKnownMs } = fateOf(train, seed);
      const isKnownCancelled =
        cancelled && nowMs >= cancelledKnownMs && cancelled.from <= alight && cancelled.to > board;
      if (departMs === undefined || arriveMs === undefined || train.kind === "freight" || isKnownCancelled) {
        return [];
      }
      return [{ mode: train.mode, from, to, departMs, arriveMs, ride: { train, board, alight } }];
    });
    const [soonest] = legs.toSorted((a, b) => a.arriveMs - b.arriveMs || b.departMs - a.departMs);
    if (soonest) {
      return soonest;
    }
  }
  return undefined;
}

/** The first (or for arrivals, the last) routes, without those that another route beats or equals in every way. */
function bestOf(routes: readonly Route[], isArrival: boolean): readonly Route[] {
  const quickestMs = Math.min(...routes.map(lengthOf));
  const sensible = routes.filter((route) => lengthOf(route) <= quickestMs * 2.5 + 20 * MINUTE_MS);
  const kept = sensible.filter(
    (route, at) => !sensible.some((other, otherAt) => otherAt !== at && beats(other, route, otherAt < at)),
  );
  const ordered = kept.toSorted((a, b) => a.departMs - b.departMs || a.arriveMs - b.arriveMs);
  return isArrival ? ordered.slice(-MAX_ROUTES) : ordered.slice(0, MAX_ROUTES);
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
