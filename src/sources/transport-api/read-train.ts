import { z } from "zod";
import { anchorUkTime, neighbouringUkTime, ukInstantOf } from "../../time/uk-time.ts";
import { unexpectedAnswer } from "../ask.ts";
import { looseTexts, readInstant, withDate } from "../read-values.ts";
import type { TransportStop, TransportTrain, TransportTrainQuestion } from "../transport-data.ts";
import { readOperator } from "./read-board.ts";

/** Reads an answer. Throws a ServiceError `unexpected-answer` if no stop has a name and a time. */
export function readTrain(
  answer: z.infer<typeof trainSchema>,
  { startDate }: TransportTrainQuestion,
  now: Temporal.Instant,
): TransportTrain {
  let reached = ukInstantOf(startDate.toPlainDateTime("00:00"));
  const stops = (answer.stops ?? []).flatMap((entry) => {
    const { data } = trainStopSchema.safeParse(entry);
    const stop = data && readStop(data, reached);
    reached = stop?.aimedDepartureAt ?? stop?.aimedArrivalAt ?? reached;
    return stop ?? [];
  });
  if (stops.length === 0) {
    throw unexpectedAnswer("transport", "no entry of stops has both a name and a time");
  }
  return {
    source: "transport",
    mode: answer.mode?.toLowerCase().includes("bus") ? "bus" : "train",
    origin: answer.origin_name ?? stops[0]?.name,
    destination: answer.destination_name ?? stops.at(-1)?.name,
    ...readOperator(answer),
    dataAt: readInstant(answer.request_time) ?? now,
    stops,
  };
}

/** Reads a stop. `reached` is the aimed time at the previous stop, which the times of this one follow. */
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
  const { expected_arrival_date: arrivalDate, expected_departure_date: departureDate } = stop;
  return {
    crs: stop.station_code?.toUpperCase().replace(/^CRS:/, ""),
    name: stop.station_name,
    platform: stop.platform,
    aimedArrivalAt,
    expectedArrivalAt: expected(arrivalDate, stop.expected_arrival_time, aimedArrivalAt),
    aimedDepartureAt,
    expectedDepartureAt: expected(departureDate, stop.expected_departure_time, aimedDepartureAt),
    status: stop.status?.toUpperCase(),
  };
}

/** The next moment with this time, unless the date says that another day is meant. */
function aimed(date: string | undefined, time: string | undefined, reached: Temporal.Instant) {
  const next = neighbouringUkTime(time ?? "", reached, "after");
  return next && withDate(date, time, next);
}

/** The moment nearest to the aimed one with this time, unless the date says that another day is meant. */
function expected(date: string | undefined, time: string | undefined, aimedAt: Temporal.Instant | undefined) {
  return withDate(date, time, aimedAt && anchorUkTime(time ?? "", aimedAt));
}

const trainStopSchema = z.object({
  ...looseTexts("station_code", "station_name", "platform", "status"),
  ...looseTexts("scheduled_arrival_time", "scheduled_departure_time"),
  ...looseTexts("aimed_arrival_date", "aimed_arrival_time", "aimed_departure_date", "aimed_departure_time"),
  ...looseTexts("expected_arrival_date", "expected_arrival_time"),
  ...looseTexts("expected_departure_date", "expected_departure_time"),
});

type TrainStopAnswer = z.infer<typeof trainStopSchema>;

/** Its stops are parsed one by one. */
export const trainSchema = z.object({
  ...looseTexts("request_time", "mode", "origin_name", "destination_name", "operator", "operator_name"),
  stops: z.array(z.unknown()).nullish(),
});
