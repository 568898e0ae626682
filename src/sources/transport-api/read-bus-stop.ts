import { z } from "zod";
import { anchorUkTime } from "../../time/uk-time.ts";
import { readEach, unexpectedAnswer } from "../ask.ts";
import { looseTexts, readInstant, withDate } from "../read-values.ts";
import type { BusDeparture, TransportBusStop } from "../transport-data.ts";
import { ANCHOR_AHEAD_MINUTES } from "./read-board.ts";

/** `departures` contains a list for each line, or one list called `all`; rarely, it is a list itself. */
export const busStopSchema = z.object({
  ...looseTexts("atcocode", "request_time", "name", "stop_name", "bearing", "locality"),
  location: z
    .object({ coordinates: z.tuple([z.number(), z.number()]).rest(z.unknown()) })
    .optional()
    .catch(undefined),
  departures: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).nullish(),
});

const departureSchema = z.object({
  ...looseTexts("line", "line_name", "direction", "operator", "operator_name", "date"),
  ...looseTexts("aimed_departure_time", "expected_departure_date", "expected_departure_time"),
  ...looseTexts("best_departure_estimate"),
  status: z
    .object({ cancellation: z.object({ value: z.boolean() }) })
    .optional()
    .catch(undefined),
});

/** Skips rows without a line or a time. Throws `unexpected-answer` if none is usable, or it is about no bus stop. */
export function readBusStop(
  answer: z.infer<typeof busStopSchema>,
  atco: string,
  now: Temporal.Instant,
): TransportBusStop {
  if (answer.departures === undefined && answer.atcocode === undefined) {
    throw unexpectedAnswer("transport", "departures is missing");
  }
  const dataAt = readInstant(answer.request_time) ?? now;
  const departures = readEach(
    "transport",
    listedRows(answer.departures ?? []),
    ({ line, row }) => readDeparture(row, line, dataAt),
    "no departure has both a line and a time",
  );
  const [longitude, latitude] = answer.location?.coordinates ?? [];
  return {
    source: "transport",
    atco,
    name: answer.name ?? answer.stop_name,
    locality: answer.locality,
    bearing: answer.bearing,
    point: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    dataAt,
    departures: departures.toSorted((a, b) => dueAtMs(a) - dueAtMs(b)),
  };
}

/** Every row with its line, which is the key of its list unless that is `all`. */
function listedRows(departures: readonly unknown[] | Readonly<Record<string, unknown>>) {
  const lists = Array.isArray(departures) ? { all: departures } : departures;
  return Object.entries(lists).flatMap(([key, rows]) =>
    Array.isArray(rows) ? rows.map((row: unknown) => ({ line: key === "all" ? undefined : key, row })) : [],
  );
}

function readDeparture(
  entry: unknown,
  listedLine: string | undefined,
  dataAt: Temporal.Instant,
): BusDeparture | undefined {
  const { data: row } = departureSchema.safeParse(entry);
  const line = row?.line_name ?? row?.line ?? listedLine;
  if (!row || line === undefined) {
    return undefined;
  }
  const anchor = dataAt.add({ minutes: ANCHOR_AHEAD_MINUTES });
  const plannedAt = readTime(row.aimed_departure_time, row.date, anchor);
  // A row's date is the timetable's day, but a late bus may be expected after midnight, on the next day.
  const expectedAt = readTime(row.expected_departure_time, row.expected_departure_date, plannedAt ?? anchor);
  // The best estimate may just be the aimed time, so it does not prove that the bus has reported.
  const aimedAt =
    plannedAt ?? (expectedAt ? undefined : readTime(row.best_departure_estimate, row.date, anchor));
  if (!aimedAt && !expectedAt) {
    return undefined;
  }
  return {
    line,
    direction: /^no information$/i.test(row.direction ?? "") ? undefined : row.direction,
    operator: row.operator_name ?? row.operator,
    aimedAt,
    expectedAt,
    isCancelled: row.status?.cancellation.value ?? false,
  };
}

/** The moment nearest to `anchor` with this time, unless the date says that another day is meant. */
function readTime(time: string | undefined, date: string | undefined, anchor: Temporal.Instant) {
  const nearest = anchorUkTime(time ?? "", anchor);
  return nearest && withDate(date, time, nearest);
}

function dueAtMs({ aimedAt, expectedAt }: BusDeparture): number {
  return (expectedAt ?? aimedAt)?.epochMilliseconds ?? 0;
}
