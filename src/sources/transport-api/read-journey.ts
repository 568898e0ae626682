import { z } from "zod";
import { type NoteSkipped, readEach } from "../ask.ts";
import { looseTexts, readInstant } from "../read-values.ts";
import type {
  TransportJourneyQuestion,
  TransportJourneys,
  TransportLeg,
  TransportRoute,
} from "../transport-data.ts";
import { timeLegs } from "./journey-times.ts";

/**
 * Reads an answer. A route with a leg without times is left out, and noted as skipped: half a journey helps
 * nobody. Where routes came and none can be used, throws ServiceError `unexpected-answer`.
 */
export function readJourneys(
  { routes: given, request_time: dataAt, acknowledgements }: z.infer<typeof journeySchema>,
  question: TransportJourneyQuestion,
  now: Temporal.Instant,
  noteSkipped: NoteSkipped,
): TransportJourneys {
  const read = (entry: unknown) => readRoute(entry, question);
  const routes = readEach("transport", given ?? [], read, "no route has legs with times", noteSkipped);
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
  times: Pick<TransportLeg, "departsAt" | "arrivesAt">,
): TransportLeg {
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

/** The ends have stand-ins for names: who asked knows them better. */
function pointName(name: string | undefined): string | undefined {
  return name !== undefined && /^journey (origin|destination)$/i.test(name) ? undefined : name;
}

// The fields of a journey that we use, in either dialect. Coordinates and steps, most of an answer, are not looked at.

/** One leg; entries that are no objects are refused. */
const journeyPartSchema = z.object({
  ...looseTexts("mode", "line_name", "from_point_name", "to_point_name", "destination", "duration"),
  ...looseTexts("departure_time", "arrival_time", "departure_datetime", "arrival_datetime"),
});

type JourneyPartAnswer = z.infer<typeof journeyPartSchema>;

/** One route. Its duration is a number of minutes in the specification, "HH:MM:SS" in the public service. */
const journeyRouteSchema = z.object({
  ...looseTexts("duration", "price"),
  route_parts: z.array(journeyPartSchema),
});

/** A whole answer; `routes` is empty or absent when there are none. */
export const journeySchema = z.object({
  ...looseTexts("request_time", "acknowledgements"),
  routes: z.array(z.unknown()).nullish(),
});

/** Whole minutes of a length of time: a number of minutes, or "HH:MM:SS"; `undefined` for anything else. */
function readMinutes(text = ""): number | undefined {
  const [, hours, minutes, seconds = "0"] = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours === undefined) {
    return /^\d{1,5}(\.\d+)?$/.test(text) ? Math.round(Number(text)) : undefined;
  }
  return Math.round(Number(hours) * 60 + Number(minutes) + Number(seconds) / 60);
}
