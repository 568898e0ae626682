// Turns a train's timetable into calling points of our own.
import { z } from "zod";
import { anchorUkTime, neighbouringUkTime, ukInstantOf } from "../../time/uk-time.ts";
import { looseText as text, readInstant } from "../read-values.ts";
import { readOperator } from "./read-operator.ts";
import { TRANSPORT, unexpectedAnswer } from "./ask.ts";
import type { TransportStop, TransportTrain, TransportTrainQuestion } from "../transport-data.ts";

/** Reads an answer. Throws ServiceError `unexpected-answer` where no stop has a name and a time. */
export function readTrain(
  answer: TrainAnswer,
  { startDate }: TransportTrainQuestion,
  now: Temporal.Instant,
): TransportTrain {
  const stops: TransportStop[] = [];
  let reached = ukInstantOf(startDate.toPlainDateTime("00:00"));
  for (const entry of answer.stops ?? []) {
    const { data } = trainStopSchema.safeParse(entry);
    const stop = data && readStop(data, reached);
    if (stop) {
      stops.push(stop);
      reached = stop.aimedDepartureAt ?? stop.aimedArrivalAt ?? reached;
    }
  }
  if (stops.length === 0) {
    throw unexpectedAnswer("no entry of stops has both a name and a time");
  }
  return {
    source: TRANSPORT,
    mode: answer.mode?.toLowerCase().includes("bus") ? "bus" : "train",
    origin: answer.origin_name ?? stops[0]?.name,
    destination: answer.destination_name ?? stops.at(-1)?.name,
    ...readOperator(answer),
    dataAt: readInstant(answer.request_time) ?? now,
    stops,
  };
}

/** `reached` is the aimed time of the stop before: a train only ever goes forwards. */
function readStop(stop: TrainStopAnswer, reached: Temporal.Instant): TransportStop | undefined {
  const aimedArrivalAt = aimed(
    stop.aimed_arrival_date,
    stop.aimed_arrival_time ?? stop.scheduled_arrival_time,
    reached,
  );
  const aimedDepartureAt = aimed(
    stop.aimed_departure_date,
    stop.aimed_departure_time ?? stop.scheduled_departure_time,
    aimedArrivalAt ?? reached,
  );
  if (stop.station_name === undefined || !(aimedArrivalAt ?? aimedDepartureAt)) {
    return undefined;
  }
  return {
    crs: stop.station_code?.toUpperCase().replace(/^CRS:/, ""),
    name: stop.station_name,
    platform: stop.platform,
    aimedArrivalAt,
    expectedArrivalAt: expected(stop.expected_arrival_date, stop.expected_arrival_time, aimedArrivalAt),
    aimedDepartureAt,
    expectedDepartureAt: expected(
      stop.expected_departure_date,
      stop.expected_departure_time,
      aimedDepartureAt,
    ),
    status: stop.status?.toUpperCase(),
  };
}

/** With a date, of the two moments of a repeated hour the one that the train reaches next. */
function aimed(
  date: string | undefined,
  time: string | undefined,
  reached: Temporal.Instant,
): Temporal.Instant | undefined {
  if (time === undefined) {
    return undefined;
  }
  const next = neighbouringUkTime(time, reached, "after");
  const dated = date === undefined ? undefined : readInstant(`${date}T${time}`);
  return dated && next && Math.abs(next.since(dated).total("hours")) > 1 ? dated : next;
}

function expected(
  date: string | undefined,
  time: string | undefined,
  aimedAt: Temporal.Instant | undefined,
): Temporal.Instant | undefined {
  if (time === undefined) {
    return undefined;
  }
  const dated = date === undefined ? undefined : readInstant(`${date}T${time}`);
  const nearest = aimedAt && anchorUkTime(time, aimedAt);
  return dated && nearest && Math.abs(nearest.since(dated).total("hours")) > 1 ? dated : (nearest ?? dated);
}

/** One stop; dates may be absent. */
const trainStopSchema = z.object({
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

type TrainStopAnswer = z.infer<typeof trainStopSchema>;

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

type TrainAnswer = z.infer<typeof trainSchema>;
