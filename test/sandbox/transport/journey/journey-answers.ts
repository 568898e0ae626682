// Reads journeys as a client of the public dialect does.
import { z } from "zod";
import type { OpenStandIn } from "../open-stand-in.ts";

const placeSchema = z.looseObject({ type: z.string(), name: z.string() });
const partSchema = z.looseObject({
  mode: z.string(),
  from_point_name: z.string(),
  from_point: z.object({ place: placeSchema.nullable() }),
  to_point_name: z.string(),
  to_point: z.object({ place: placeSchema.nullable() }),
  destination: z.string(),
  line_name: z.string(),
  service: z.object({ id: z.string().nullable() }),
  duration: z.string().regex(/^\d\d:[0-5]\d:\d\d$/),
  departure_time: z.string(),
  arrival_time: z.string(),
  departure_datetime: z.string(),
  arrival_datetime: z.string(),
});
const answerSchema = z.object({
  routes: z.array(
    z.looseObject({
      duration: z.string(),
      departure_datetime: z.string(),
      arrival_datetime: z.string(),
      route_parts: z.array(partSchema).min(1),
    }),
  ),
});

export type AnsweredRoute = z.infer<typeof answerSchema>["routes"][number];

/** Requests the current path; `query` without credentials. */
export async function askJourneys(open: OpenStandIn, query: string): Promise<readonly AnsweredRoute[]> {
  const { body } = await open.ask(`/public_journey.json?${query}`);
  return answerSchema.parse(body).routes;
}

/** A route in one line, for assertions and their messages. */
export function summarise({ route_parts: parts }: AnsweredRoute): string {
  return parts.map((part) => `${part.mode} ${part.from_point_name} > ${part.to_point_name}`).join(", ");
}
