// Journeys with at least one train: searched, tightened, and searched again around trains known not to run.
import type { Railway } from "../railway/board.ts";
import { fateOf } from "../railway/fate.ts";
import { addDays, formatUkDate } from "../railway/uk-time.ts";
import { changeMs } from "./change-times.ts";
import { crossingsFrom } from "./crossings.ts";
import type { StationCrossing } from "./crossings.ts";
import { endsAround } from "./ends.ts";
import type { PlaceEnd } from "./ends.ts";
import type { Route } from "./leg.ts";
import { rideOf, routeOfSteps } from "./legs-of-steps.ts";
import { dayOf } from "./patterns.ts";
import type { JourneyQuestion } from "./plan.ts";
import { search } from "./search.ts";
import type { Found } from "./search-types.ts";
import { nameOfTrip, stepsOf } from "./steps.ts";
import type { RideStep, Step } from "./steps.ts";

const MINUTE_MS = 60_000;
/** What takes longer than a day is no answer. */
const HORIZON_MS = 24 * 60 * MINUTE_MS;
const SPARE_MS = 3 * 60 * MINUTE_MS;
const MOST_RIDES = 6;
/** How often a search is repeated for trains that turn out not to run. */
const MOST_REPEATS = 4;
/** A way with fewer changes may be so much slower. */
const WORTH_MS = 25 * MINUTE_MS;

/** Asked for one moment after the other. */
export interface TrainPlanner {
  /**
   * The soonest way at a moment, and those with fewer changes. None where nothing local runs to reach a train, or to go
   * on from one; `undefined` where there is no way at all.
   */
  plan(atMs: number): readonly Route[] | undefined;
}

/** A planner for one question. `nowMs` tells which cancellations are known. */
export function createTrainPlanner(question: JourneyQuestion, railway: Railway, nowMs: number): TrainPlanner {
  const { from, to, isArrival, modes } = question;
  const { seed } = railway;
  const origins = endsAround(from, "start", modes);
  const targets = endsAround(to, "end", modes);
  const banned = new Set<string>();
  /** Of the slowest way so far: what takes much longer need not be looked at, unless nothing else is found. */
  let longestMs = HORIZON_MS;
  const allowed: (readonly StationCrossing[])[] = [];
  const crossings = (station: number) =>
    (allowed[station] ??= crossingsFrom(station).filter(({ path }) =>
      path.rides.every(({ line }) => modes.has(line.mode)),
    ));

  /** Onward from `startMs`, or backward, where all times are negated. */
  function find(isBackward: boolean, startMs: number, horizonMs: number, mostRides: number) {
    const date = formatUkDate(Math.abs(startMs));
    const dates = [addDays(date, -1), date, ...(isBackward ? [] : [addDays(date, 1)])];
    return search<PlaceEnd>({
      days: dates.map((each) => dayOf(each, seed).now()[isBackward ? "backward" : "onward"]),
      starts: isBackward ? targets : origins,
      ends: isBackward ? origins : targets,
      startMs,
      horizonMs,
      mostRides,
      crossings,
      changeMs,
      isAllowed: (pattern) => modes.has(pattern.isBus ? "bus" : "train"),
      isBanned: (trip) => banned.size > 0 && banned.has(nameOfTrip(trip)),
    });
  }

  /** As late as possible for the same arrival, or over as soon as possible for the same departure. */
  function tightened(found: Found<PlaceEnd>, startMs: number): readonly Step[] {
    const steps = stepsOf(found, isArrival);
    const rides = steps.filter((step) => step.kind === "ride").length;
    const other = find(!isArrival, -found.overMs, -startMs + 1, rides).at(-1);
    return other ? stepsOf(other, !isArrival) : steps;
  }

  /** Cancelled as far as is known, taken off the timetable, or replaced by a bus where none is wanted. */
  function isKnownUseless(step: RideStep): boolean {
    const ride = rideOf(step, railway);
    if (!ride || !modes.has(ride.train.mode)) {
      return true;
    }
    const { train, board, alight } = ride;
    const { cancelled, cancelledKnownMs } = fateOf(train, seed);
    return (
      cancelled !== undefined && nowMs >= cancelledKnownMs && cancelled.from <= alight && cancelled.to > board
    );
  }

  return {
    plan(atMs) {
      const startMs = isArrival ? -atMs : atMs;
      for (let repeat = 0; repeat < MOST_REPEATS; repeat += 1) {
        const likely = find(isArrival, startMs, startMs + longestMs, MOST_RIDES);
        const isSure = likely.length > 0 || longestMs === HORIZON_MS;
        const found = isSure ? likely : find(isArrival, startMs, startMs + HORIZON_MS, MOST_RIDES);
        if (found.length === 0) {
          return undefined;
        }
        const soonestMs = found.at(-1)?.overMs ?? 0;
        longestMs = Math.min(HORIZON_MS, (soonestMs - startMs) * 2 + SPARE_MS);
        const ways = found
          .filter(({ overMs }) => overMs - soonestMs <= WORTH_MS)
          .map((each) => tightened(each, startMs));
        const useless = ways
          .flat()
          .filter((step) => step.kind === "ride")
          .filter(isKnownUseless);
        if (useless.length === 0) {
          return ways.flatMap((steps) => routeOfSteps(steps, { from, to }, railway) ?? []);
        }
        for (const step of useless) {
          banned.add(nameOfTrip(step));
        }
      }
      return undefined;
    },
  };
}
