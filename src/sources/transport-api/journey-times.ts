// Times of a journey's legs, which may come without dates: a journey only ever goes forwards.
import { neighbouringUkTime } from "../../time/uk-time.ts";
import { readInstant } from "../read-values.ts";

/** A leg's times as they stand in an answer: "HH:MM", or a moment in ISO 8601. */
export interface WrittenTimes {
  readonly departs: string | undefined;
  readonly arrives: string | undefined;
  /** The leg's own length, where it is given. */
  readonly minutes: number | undefined;
}

export interface LegTimes {
  readonly departsAt: Temporal.Instant;
  readonly arrivesAt: Temporal.Instant;
}

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
  return arriveBy ? timeBackwards(legs, at) : timeForwards(legs, at);
}

/**
 * The journey's first departure, or last arrival. A time that clocks show twice within the lenience is the one on the
 * right side of what was asked for.
 */
function outerEnd(
  written: string | undefined,
  at: Temporal.Instant,
  side: "after" | "before",
): Temporal.Instant | undefined {
  const sign = side === "after" ? 1 : -1;
  const lenient = momentFrom(written, at.subtract({ hours: sign * LENIENCE_HOURS }), side);
  const strict = momentFrom(written, at, side);
  const isTwin = lenient && strict && Math.abs(strict.since(lenient).total("hours")) <= LENIENCE_HOURS;
  return isTwin ? strict : lenient;
}

function timeForwards(legs: readonly WrittenTimes[], at: Temporal.Instant): readonly LegTimes[] | undefined {
  const timed: LegTimes[] = [];
  let earliest: Temporal.Instant | undefined;
  for (const { departs, arrives, minutes } of legs) {
    const departsAt = earliest ? momentFrom(departs, earliest, "after") : outerEnd(departs, at, "after");
    const arrivesAt = departsAt && endOf(arrives, departsAt, minutes, "after");
    if (!departsAt || !arrivesAt) {
      return undefined;
    }
    timed.push({ departsAt, arrivesAt });
    earliest = arrivesAt;
  }
  return timed;
}

function timeBackwards(legs: readonly WrittenTimes[], at: Temporal.Instant): readonly LegTimes[] | undefined {
  const timed: LegTimes[] = [];
  let latest: Temporal.Instant | undefined;
  for (const { departs, arrives, minutes } of legs.toReversed()) {
    const arrivesAt = latest ? momentFrom(arrives, latest, "before") : outerEnd(arrives, at, "before");
    const departsAt = arrivesAt && endOf(departs, arrivesAt, minutes, "before");
    if (!arrivesAt || !departsAt) {
      return undefined;
    }
    timed.unshift({ departsAt, arrivesAt });
    latest = departsAt;
  }
  return timed;
}

/** The leg's other end. Its length tells which of two is meant in the night when an hour comes twice. */
function endOf(
  written: string | undefined,
  start: Temporal.Instant,
  minutes: number | undefined,
  side: "after" | "before",
): Temporal.Instant | undefined {
  const sign = side === "after" ? 1 : -1;
  const byLength = minutes === undefined ? undefined : start.add({ minutes: sign * minutes });
  if (written === undefined) {
    return byLength;
  }
  const nearest = momentFrom(written, start, side);
  const isIt = (candidate: Temporal.Instant | undefined) => byLength && candidate?.equals(byLength);
  const hourOn = nearest && momentFrom(written, nearest.add({ minutes: sign }), side);
  return isIt(hourOn) ? hourOn : nearest;
}

function momentFrom(
  written: string | undefined,
  start: Temporal.Instant,
  side: "after" | "before",
): Temporal.Instant | undefined {
  return written === undefined
    ? undefined
    : (readInstant(written) ?? neighbouringUkTime(written, start, side));
}
