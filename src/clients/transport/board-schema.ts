// The fields of a board that we use, in either dialect: scheduled_* is the specification's, aimed_* the public service's.
import { z } from "zod";
import { looseNumber, looseText as text } from "./loose-values.ts";

/** One row; entries that are no objects are refused. */
export const boardRowSchema = z.object({
  mode: text,
  status: text,
  platform: text,
  operator: text,
  operator_name: text,
  origin_name: text,
  destination_name: text,
  train_uid: text,
  service: text,
  service_timetable: z.object({ id: text }).optional().catch(undefined),
  aimed_departure_time: text,
  scheduled_departure_time: text,
  expected_departure_time: text,
  best_departure_estimate_mins: looseNumber,
  aimed_arrival_time: text,
  scheduled_arrival_time: text,
  expected_arrival_time: text,
  best_arrival_estimate_mins: looseNumber,
});

export type BoardRowAnswer = z.infer<typeof boardRowSchema>;

/** Rows stay unread here: each is judged on its own. An empty board may have no list, or none at all. */
const rowList = z.object({ all: z.array(z.unknown()).nullish() }).nullish();

/** A whole answer. `error` stands alone in an older kind of refusal, with status 200. */
export const boardSchema = z.object({
  error: z.unknown().optional(),
  request_time: text,
  station_name: text,
  station_code: text,
  departures: rowList,
  arrivals: rowList,
});

export type BoardAnswer = z.infer<typeof boardSchema>;
