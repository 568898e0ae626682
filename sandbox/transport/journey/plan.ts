// Plans journeys: several, each the best for its time, on trains that are on the boards.
import type { Steps } from "../gradual.ts";
import type { Railway } from "../railway/board.ts";
import { addDays, formatUkDate } from "../railway/uk-time.ts";
import { createTrainPlanner } from "./by-train.ts";
import { crossings } from "./crossings.ts";
import { planDirect } from "./direct.ts";
import type { Route, Waypoint } from "./leg.ts";
import { dayOf } from "./patterns.ts";

export interface JourneyQuestion {
  readonly from: Waypoint;
  readonly to: Waypoint;
  /** Leave at this moment or after, or be there by it. */
  readonly atMs: number;
  readonly isArrival: boolean;
  /** What may be used: `train`, `bus`, `tube`, `tram`, `boat`. Feet always may. */
  readonly modes: ReadonlySet<string>;
  readonly mostRoutes: number;
}

const MINUTE_MS = 60_000;
/** At night, and after the last boat, later trains are tried: at most so often, so far apart. */
const MOST_TRIES = 14;
const TRY_LATER_MS = 60 * MINUTE_MS;
/** Where two are found, none is looked for that leaves, or is there, so much later or earlier than was asked. */
const FAR_OFF_MS = 8 * 60 * MINUTE_MS;
/** Nobody takes a train for a walk of this many minutes. */
const SHORT_WALK_MINUTES = 15;

/** What plans around a moment stand on: made at first use, or beforehand. */
export function* journeyGround(atMs: number, seed: number): Steps<void> {
  yield* crossings.steps();
  const date = formatUkDate(atMs);
  for (const each of [date, addDays(date, -1), addDays(date, 1)]) {
    yield* dayOf(each, seed).steps();
  }
}

/** In the order of departure. Empty when there is no way. `nowMs` tells which cancellations are known. */
export function* planJourneys(
  question: JourneyQuestion,
  railway: Railway,
  nowMs: number,
): Steps<readonly Route[]> {
  yield* crossings.steps();
  const direct = planDirect(question, railway.seed);
  const isShort = direct.some(isShortWalk);
  return bestOf([...direct, ...(isShort ? [] : yield* planByTrain(question, railway, nowMs))], question);
}

function isShortWalk({ legs, departMs, arriveMs }: Route): boolean {
  return (
    legs.length === 1 && legs[0]?.mode === "foot" && arriveMs - departMs <= SHORT_WALK_MINUTES * MINUTE_MS
  );
}

function* planByTrain(question: JourneyQuestion, railway: Railway, nowMs: number): Steps<readonly Route[]> {
  const planner = createTrainPlanner(question, railway, nowMs);
  const routes: Route[] = [];
  let { atMs } = question;
  for (let tries = 0; tries < MOST_TRIES && routes.length < question.mostRoutes; tries += 1) {
    yield* journeyGround(atMs, railway.seed);
    const found = planner.plan(atMs);
    yield;
    if (!found) {
      break;
    }
    routes.push(...found);
    atMs = nextMoment(question, atMs, found);
    if (routes.length >= 2 && Math.abs(atMs - question.atMs) > FAR_OFF_MS) {
      break;
    }
  }
  return routes;
}

/** The next one leaves after the first of these, or is there before the last of them. */
function nextMoment({ isArrival }: JourneyQuestion, atMs: number, found: readonly Route[]): number {
  if (found.length === 0) {
    return isArrival ? atMs - TRY_LATER_MS : atMs + TRY_LATER_MS;
  }
  return isArrival
    ? Math.min(atMs, ...found.map((route) => route.arriveMs)) - MINUTE_MS
    : Math.max(atMs, Math.min(...found.map((route) => route.departMs))) + MINUTE_MS;
}

/** Without those that another beats or equals in every way. */
function bestOf(
  routes: readonly Route[],
  { isArrival, mostRoutes, atMs }: JourneyQuestion,
): readonly Route[] {
  const inTime = routes.filter((route) => (isArrival ? route.arriveMs <= atMs : route.departMs >= atMs));
  const quickestMs = Math.min(...inTime.map(lengthOf));
  const sensible = inTime.filter((route) => lengthOf(route) <= quickestMs * 2.5 + 20 * MINUTE_MS);
  const kept = sensible.filter(
    (route, at) => !sensible.some((other, otherAt) => otherAt !== at && beats(other, route, otherAt < at)),
  );
  const ordered = kept.toSorted((a, b) => a.departMs - b.departMs || a.arriveMs - b.arriveMs);
  return isArrival ? ordered.slice(-mostRoutes) : ordered.slice(0, mostRoutes);
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
