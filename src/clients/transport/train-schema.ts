// The fields of one train's timetable that we use.
import { z } from "zod";
import { looseText as text } from "./loose-values.ts";

/** One stop; dates may be absent. */
export const trainStopSchema = z.object({
  station_code: text,
  station_name: text,
  platform: text,
  status: text,
  aimed_arrival_date: text,
  aimed_arrival_time: text,
  aimed_departure_date: text,
  aimed_departure_time: text,
  scheduled_arrival_time: text,
  scheduled_departure_time: text,
  expected_arrival_date: text,
  expected_arrival_time: text,
  expected_departure_date: text,
  expected_departure_time: text,
});

export type TrainStopAnswer = z.infer<typeof trainStopSchema>;

/** A whole answer; stops are judged one by one. */
export const trainSchema = z.object({
  error: z.unknown().optional(),
  request_time: text,
  mode: text,
  status: text,
  origin_name: text,
  destination_name: text,
  operator: text,
  operator_name: text,
  stops: z.array(z.unknown()).nullish(),
});

export type TrainAnswer = z.infer<typeof trainSchema>;
