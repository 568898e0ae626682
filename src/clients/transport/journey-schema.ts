// The fields of a journey that we use, in either dialect. Coordinates and steps, most of an answer, are not looked at.
import { z } from "zod";
import { looseText as text } from "./loose-values.ts";

/** One leg; entries that are no objects are refused. */
export const journeyPartSchema = z.object({
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

export type JourneyPartAnswer = z.infer<typeof journeyPartSchema>;

/** One route. Its duration is a number of minutes in the specification, "HH:MM:SS" in the public service. */
export const journeyRouteSchema = z.object({
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

export type JourneyAnswer = z.infer<typeof journeySchema>;
