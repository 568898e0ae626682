// Times of a journey's legs, which may come without dates: a journey only ever goes forwards.
import { neighbouringUkTime } from "../../time/uk-time.ts";
import { readInstant } from "../read-values.ts";
import type { TransportLeg } from "../transport-data.ts";

/** A leg's times as they stand in an answer: "HH:MM", or a moment in ISO 8601. */
interface WrittenTimes {
  readonly departs: string | undefined;
  readonly arrives: string | undefined;
  /** The leg's own length, where it is given. */
  readonly minutes: number | undefined;
}

type LegTimes = Pick<TransportLeg, "departsAt" | "arrivesAt">;
type Side = "after" | "before";

/** A journey begins up to this long before the time that was asked for, or ends up to this long after it. */
const LENIENCE_HOURS = 1;

/**
 * Puts dates to the times of a route's legs: the first departure is the next one from shortly before the time asked
 * for, or the last arrival the last one up to shortly after it, and every other time follows its neighbour.
 * `undefined` where a leg has no time.
 */
export function timeLegs(
  legs: readonly WrittenTimes[],
  { at, arriveBy }: { readonly at: Temporal.Instant; readonly arriveBy: boolean },
): readonly LegTimes[] | undefined {
  const side = arriveBy ? "before" : "after";
  const timed: LegTimes[] = [];
  let reached: Temporal.Instant | undefined;
  for (const { departs, arrives, minutes } of arriveBy ? legs.toReversed() : legs) {
    const [near, far] = arriveBy ? [arrives, departs] : [departs, arrives];
    const start = reached ? momentFrom(near, reached, side) : outerEnd(near, at, side);
    const end = start && farEnd(far, start, minutes, side);
    if (!start || !end) {
      return undefined;
    }
    timed.push(arriveBy ? { departsAt: end, arrivesAt: start } : { departsAt: start, arrivesAt: end });
    reached = end;
  }
  return arriveBy ? timed.toReversed() : timed;
}

/**
 * The journey's first departure, or last arrival. A time that clocks show twice within the lenience is the one on the
 * right side of what was asked for.
 */
function outerEnd(written: string | undefined, at: Temporal.Instant, side: Side) {
  const lenient = momentFrom(written, at.subtract({ hours: signOf(side) * LENIENCE_HOURS }), side);
  const strict = momentFrom(written, at, side);
  const isTwin = lenient && strict && Math.abs(strict.since(lenient).total("hours")) <= LENIENCE_HOURS;
  return isTwin ? strict : lenient;
}

/** The leg's other end. Its length tells which of two is meant in the night when an hour comes twice. */
function farEnd(
  written: string | undefined,
  start: Temporal.Instant,
  minutes: number | undefined,
  side: Side,
) {
  const byLength = minutes === undefined ? undefined : start.add({ minutes: signOf(side) * minutes });
  if (written === undefined) {
    return byLength;
  }
  const nearest = momentFrom(written, start, side);
  const next = nearest && momentFrom(written, nearest.add({ minutes: signOf(side) }), side);
  return byLength && next?.equals(byLength) ? next : nearest;
}

function signOf(side: Side): 1 | -1 {
  return side === "after" ? 1 : -1;
}

function momentFrom(written: string | undefined, start: Temporal.Instant, side: Side) {
  return written === undefined
    ? undefined
    : (readInstant(written) ?? neighbouringUkTime(written, start, side));
}
