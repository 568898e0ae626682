import { z } from "zod";
import { neighbouringUkTime } from "../../time/uk-time.ts";
import { type OnSkipped, readEach } from "../ask.ts";
import { looseTexts, readInstant } from "../read-values.ts";
import type {
  TransportJourneyQuestion,
  TransportJourneys,
  TransportLeg,
  TransportRoute,
} from "../transport-data.ts";

/** Skips routes with a leg without times: half a journey helps nobody. Throws `unexpected-answer` if none is left. */
export function readJourneys(
  { routes: given, request_time: dataAt, acknowledgements }: z.infer<typeof journeySchema>,
  question: TransportJourneyQuestion,
  now: Temporal.Instant,
  onSkipped: OnSkipped,
): TransportJourneys {
  const read = (entry: unknown) => readRoute(entry, question);
  const routes = readEach("transport", given ?? [], read, "no route has legs with times", onSkipped);
  return { dataAt: readInstant(dataAt) ?? now, routes, acknowledgements };
}

function readRoute(entry: unknown, question: TransportJourneyQuestion): TransportRoute | undefined {
  const { data: route } = journeyRouteSchema.safeParse(entry);
  const travelled = route?.route_parts.filter(({ mode }) => !WAITING.test(mode ?? "")) ?? [];
  const times = timeLegs(travelled.map(writtenTimes), question);
  const legs = travelled.flatMap((part, index) => {
    const time = times?.[index];
    return time ? [readLeg(part, time)] : [];
  });
  const [first] = legs;
  const last = legs.at(-1);
  if (!route || !first || !last) {
    return undefined;
  }
  const vehicles = legs.filter(({ mode }) => mode !== "walk").length;
  const price = Number(route.price);
  return {
    departsAt: first.departsAt,
    arrivesAt: last.arrivesAt,
    durationMinutes:
      readMinutes(route.duration) ?? Math.round(last.arrivesAt.since(first.departsAt).total("minutes")),
    pricePounds: Number.isFinite(price) && price > 0 ? price : undefined,
    legs,
    changes: Math.max(0, vehicles - 1),
  };
}

/** The mode of parts that are waits. They are left out, because a wait is the gap between two legs. */
const WAITING = /^wait/i;
const ON_FOOT = /^(foot|walk|pedestrian|on foot)/;

/** A leg's times as an answer has them: "HH:MM", or a date and time in ISO 8601. */
function writtenTimes(part: JourneyPartAnswer) {
  return {
    departs: part.departure_datetime ?? part.departure_time,
    arrives: part.arrival_datetime ?? part.arrival_time,
    minutes: readMinutes(part.duration),
  };
}

function readLeg(part: JourneyPartAnswer, times: LegTimes): TransportLeg {
  const mode = part.mode?.toLowerCase() ?? "";
  return {
    mode: ON_FOOT.test(mode) ? "walk" : mode,
    line: part.line_name,
    from: pointName(part.from_point_name),
    to: pointName(part.to_point_name),
    destination: part.destination,
    ...times,
  };
}

/** A point's name; `undefined` for the placeholders at both ends of a journey, whose names are known from the question. */
function pointName(name: string | undefined): string | undefined {
  return name !== undefined && /^journey (origin|destination)$/i.test(name) ? undefined : name;
}

// The fields of a journey that we use, in either dialect. Coordinates and steps, which are most of an answer, are ignored.

const journeyPartSchema = z.object({
  ...looseTexts("mode", "line_name", "from_point_name", "to_point_name", "destination", "duration"),
  ...looseTexts("departure_time", "arrival_time", "departure_datetime", "arrival_datetime"),
});

type JourneyPartAnswer = z.infer<typeof journeyPartSchema>;

/** A route. Its duration is a number of minutes in the specification, and "HH:MM:SS" in the public service. */
const journeyRouteSchema = z.object({
  ...looseTexts("duration", "price"),
  route_parts: z.array(journeyPartSchema),
});

/** If there are no routes, `routes` may be empty or absent. */
export const journeySchema = z.object({
  ...looseTexts("request_time", "acknowledgements"),
  routes: z.array(z.unknown()).nullish(),
});

/** The minutes of a duration that is a number of minutes or "HH:MM:SS", rounded; `undefined` for any other text. */
function readMinutes(text = ""): number | undefined {
  const [, hours, minutes, seconds = "0"] = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours === undefined) {
    return /^\d{1,5}(\.\d+)?$/.test(text) ? Math.round(Number(text)) : undefined;
  }
  return Math.round(Number(hours) * 60 + Number(minutes) + Number(seconds) / 60);
}

// The times of legs may have no dates. They follow from the order of the legs, because a journey only goes forwards in time.

type LegTimes = Pick<TransportLeg, "departsAt" | "arrivesAt">;
type Side = "after" | "before";

/** A journey may begin this long before the time in the question, or end this long after it. */
const TOLERANCE_HOURS = 1;

/**
 * Adds dates to the times of a route's legs; `undefined` if a leg has no time. The search begins at the time in the question,
 * minus the tolerance, and goes forwards from the first departure. With `arriveBy`, it begins at the time plus the tolerance
 * and goes backwards from the last arrival. Each further time is the nearest in that direction.
 */
export function timeLegs(
  legs: readonly ReturnType<typeof writtenTimes>[],
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

/** If clocks show the time twice within the tolerance, it is the moment that does not need the tolerance. */
function outerEnd(written: string | undefined, at: Temporal.Instant, side: Side) {
  const lenient = momentFrom(written, at.subtract({ hours: signOf(side) * TOLERANCE_HOURS }), side);
  const strict = momentFrom(written, at, side);
  const isRepeated = lenient && strict && Math.abs(strict.since(lenient).total("hours")) <= TOLERANCE_HOURS;
  return isRepeated ? strict : lenient;
}

/** The leg's other end. In the night when an hour comes twice, the leg's duration decides which of two moments is meant. */
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
