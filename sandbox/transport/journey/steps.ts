// What a search found, in the order of travel, whichever way it searched.
import { runKey } from "../railway/runs.ts";
import type { Run } from "../railway/runs.ts";
import type { PlaceEnd } from "./ends.ts";
import type { PatternTrip } from "./patterns.ts";
import type { Found, Ride } from "./search-types.ts";

/** A train from one of its calls to another. */
export interface RideStep {
  readonly kind: "ride";
  readonly run: Run;
  readonly date: string;
  /** Which of the train's calls. */
  readonly board: number;
  readonly alight: number;
}

/** Something between trains, or between one and an end of the journey. Stations by their positions in `STATIONS`. */
export type Step =
  | RideStep
  | { readonly kind: "crossing"; readonly from: number; readonly to: number }
  | { readonly kind: "end"; readonly end: PlaceEnd };

/** From the journey's first step to its last. */
export function stepsOf(found: Found<PlaceEnd>, isBackward: boolean): readonly Step[] {
  const steps: Step[] = [{ kind: "end", end: found.end }];
  let ride: Ride<PlaceEnd> | undefined = found.ride;
  while (ride) {
    steps.unshift(rideStep(ride, isBackward));
    const { before }: Ride<PlaceEnd> = ride;
    if (before.kind === "start") {
      steps.unshift({ kind: "end", end: before.end });
      break;
    }
    if (before.kind === "crossing") {
      const { from, to } = before;
      steps.unshift({ kind: "crossing", from: isBackward ? to : from, to: isBackward ? from : to });
    }
    ride = before.ride;
  }
  return isBackward ? steps.toReversed() : steps;
}

function rideStep({ pattern, trip, board, alight }: Ride<PlaceEnd>, isBackward: boolean): RideStep {
  const { run, date } = trip;
  if (!isBackward) {
    return { kind: "ride", run, date, board: board - trip.first, alight: alight - trip.first };
  }
  const end = pattern.stops.length - 1;
  const first = end - trip.last;
  return { kind: "ride", run, date, board: end - alight - first, alight: end - board - first };
}

/** What tells a train of a day from others. */
export function nameOfTrip({ run, date }: Pick<PatternTrip, "run" | "date">): string {
  return `${runKey(run.course.line, run.course.direction, run.number)} ${date}`;
}
