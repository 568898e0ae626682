// Turns a journey planner's answer of either dialect into routes of our own.
import { z } from "zod";
import { timeLegs } from "./journey-times.ts";
import { looseText as text, readInstant } from "../read-values.ts";
import { unexpectedAnswer } from "./ask.ts";
import type {
  TransportJourneyQuestion,
  TransportJourneys,
  TransportLeg,
  TransportRoute,
} from "../transport-data.ts";

/**
 * Reads an answer. A route with a leg without times is left out, and counted in `skippedRoutes`: half a journey helps
 * nobody. Where routes came and none can be used, throws ServiceError `unexpected-answer`.
 */
export function readJourneys(
  answer: JourneyAnswer,
  question: TransportJourneyQuestion,
  now: Temporal.Instant,
): { readonly journeys: TransportJourneys; readonly skippedRoutes: number } {
  const given = answer.routes ?? [];
  const routes = given.flatMap((entry) => readRoute(entry, question) ?? []);
  if (given.length > 0 && routes.length === 0) {
    throw unexpectedAnswer("no route has legs with times");
  }
  return {
    journeys: {
      dataAt: readInstant(answer.request_time) ?? now,
      routes,
      acknowledgements: answer.acknowledgements,
    },
    skippedRoutes: given.length - routes.length,
  };
}

function readRoute(entry: unknown, question: TransportJourneyQuestion): TransportRoute | undefined {
  const { data: route } = journeyRouteSchema.safeParse(entry);
  const parts = route?.route_parts.map((part) => journeyPartSchema.safeParse(part).data);
  if (!route || !parts || parts.some((part) => part === undefined)) {
    return undefined;
  }
  const travelled = parts
    .filter((part) => part !== undefined)
    .filter(({ mode }) => !WAITING.test(mode ?? ""));
  const times = timeLegs(travelled.map(writtenTimes), question);
  const legs = travelled.flatMap((part, index) => {
    const time = times?.[index];
    return time ? [readLeg(part, time)] : [];
  });
  const [first] = legs;
  const last = legs.at(-1);
  if (!first || !last) {
    return undefined;
  }
  const vehicles = legs.filter(({ mode }) => mode !== "walk").length;
  const price = Number(route.price);
  return {
    departsAt: first.departsAt,
    arrivesAt: last.arrivesAt,
    durationMinutes:
      readMinutes(route.duration) ?? Math.round(last.arrivesAt.since(first.departsAt).total("minutes")),
    pricePounds: route.price !== undefined && Number.isFinite(price) && price > 0 ? price : undefined,
    legs,
    changes: Math.max(0, vehicles - 1),
  };
}

/** Waits are gaps between parts; a part that is one is nothing to travel by. */
const WAITING = /^wait/i;
const ON_FOOT = /^(foot|walk|pedestrian|on foot)/;

function writtenTimes(part: JourneyPartAnswer) {
  return {
    departs: part.departure_datetime ?? part.departure_time,
    arrives: part.arrival_datetime ?? part.arrival_time,
    minutes: readMinutes(part.duration),
  };
}

function readLeg(
  part: JourneyPartAnswer,
  { departsAt, arrivesAt }: Pick<TransportLeg, "departsAt" | "arrivesAt">,
): TransportLeg {
  const mode = part.mode?.toLowerCase() ?? "";
  return {
    mode: ON_FOOT.test(mode) ? "walk" : mode,
    line: part.line_name,
    from: pointName(part.from_point_name),
    to: pointName(part.to_point_name),
    destination: part.destination,
    departsAt,
    arrivesAt,
  };
}

/** The ends have stand-ins for names: who asked knows them better. */
function pointName(name: string | undefined): string | undefined {
  return name !== undefined && /^journey (origin|destination)$/i.test(name) ? undefined : name;
}

// The fields of a journey that we use, in either dialect. Coordinates and steps, most of an answer, are not looked at.

/** One leg; entries that are no objects are refused. */
const journeyPartSchema = z.object({
  mode: text,
  line_name: text,
  from_point_name: text,
  to_point_name: text,
  destination: text,
  duration: text,
  departure_time: text,
  arrival_time: text,
  departure_datetime: text,
  arrival_datetime: text,
});

type JourneyPartAnswer = z.infer<typeof journeyPartSchema>;

/** One route. Its duration is a number of minutes in the specification, "HH:MM:SS" in the public service. */
const journeyRouteSchema = z.object({
  duration: z.unknown(),
  price: text,
  route_parts: z.array(z.unknown()),
});

/** A whole answer; `routes` is empty or absent when there are none. */
export const journeySchema = z.object({
  error: z.unknown().optional(),
  request_time: text,
  acknowledgements: text,
  routes: z.array(z.unknown()).nullish(),
});

type JourneyAnswer = z.infer<typeof journeySchema>;

/** Whole minutes of a length of time: a number of minutes, or "HH:MM:SS"; `undefined` for anything else. */
function readMinutes(value: unknown): number | undefined {
  if (typeof value === "number") {
    return Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
  }
  if (typeof value !== "string") {
    return undefined;
  }
  const [, hours, minutes, seconds = "0"] = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/.exec(value.trim()) ?? [];
  if (hours === undefined) {
    return /^\d{1,5}(\.\d+)?$/.test(value.trim()) ? Math.round(Number(value)) : undefined;
  }
  return Math.round(Number(hours) * 60 + Number(minutes) + Number(seconds) / 60);
}
