import { z } from "zod";
import { anchorUkTime, byTime, isBefore, startOfMinute } from "../../time/uk-time.ts";
import { type OnSkipped, readEach, unexpectedAnswer } from "../ask.ts";
import { looseFlag, looseTexts, readInstant } from "../read-values.ts";
import { RAIL_DATA_PREFIX } from "../transport-data.ts";
import type { TransportBoard, TransportQuestion, TransportRow } from "../transport-data.ts";
import { readCoaches, readEstimate, readReasonOf, serviceFields } from "./read-service.ts";
import { readMessage } from "./read-texts.ts";

/** The parameters that were sent for a question. */
export interface BoardWindow {
  readonly start: Temporal.Instant;
  readonly minutes: number;
  /** How many rows were asked for. An answer of that length may be incomplete. */
  readonly rows: number;
}

/**
 * Reads an answer. Rows without a planned time or a place are left out and noted as skipped. If no row is usable, or
 * the answer is not a board, it throws ServiceError `unexpected-answer`.
 */
export function readBoard(
  answer: BoardAnswer,
  { question, window, now }: BoardContext,
  onSkipped: OnSkipped,
): TransportBoard {
  const dataAt = readInstant(answer.generatedAt) ?? now;
  const hasPlatforms = answer.platformAvailable === true;
  const read = [answer.trainServices, answer.busServices, answer.ferryServices].flatMap((list) =>
    readList(listOf(list), dataAt, question, hasPlatforms),
  );
  if (read.length === 0 && (answer.generatedAt ?? answer.locationName ?? answer.crs) === undefined) {
    throw unexpectedAnswer("rail-data", "neither services nor a station");
  }
  const problem = "no service has both a planned time and a place";
  const rows = readEach("rail-data", read, (row) => row, problem, onSkipped).toSorted(
    byTime((row) => row.aimedAt),
  );
  const messages = listOf(answer.nrccMessages).map(messageOf).filter(Boolean);
  return {
    source: "rail-data",
    crs: question.crs,
    stationName: answer.locationName,
    dataAt,
    coversUntil: coversUntil(window, read.length, rows),
    rows,
    ...(messages.length > 0 && { messages }),
  };
}

/** A list may be absent, null, or a single entry that is not in a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : typeof value === "object" && value !== null ? [value] : [];
}

/** Trains, buses or ferries, each in the order of their planned times; `undefined` in the place of an unusable row. */
function readList(
  list: readonly unknown[],
  dataAt: Temporal.Instant,
  question: TransportQuestion,
  hasPlatforms: boolean,
): readonly (TransportRow | undefined)[] {
  let previous = dataAt;
  return list.map((entry) => {
    // Times have no date. Each is taken as the moment nearest to now, or to the row before if that is later than now.
    const anchor = isBefore(dataAt, previous) ? previous : dataAt;
    const row = readRow(entry, anchor, question, hasPlatforms);
    previous = row?.aimedAt ?? previous;
    return row;
  });
}

function readRow(
  entry: unknown,
  anchor: Temporal.Instant,
  { kind, via }: TransportQuestion,
  hasPlatforms: boolean,
): TransportRow | undefined {
  const { data: row } = rowSchema.safeParse(entry);
  if (!row) {
    return undefined;
  }
  const isDeparture = kind === "departures";
  const aimedAt = anchorUkTime((isDeparture ? row.std : row.sta) ?? "", anchor);
  // If the train was cut short, this is where it really goes.
  const place = isDeparture
    ? placeOf(row.currentDestinations) || placeOf(row.destination)
    : placeOf(row.currentOrigins) || placeOf(row.origin);
  if (aimedAt === undefined || place === "") {
    return undefined;
  }
  // Buses and ferries have no live data, whatever the row says.
  const isTrain = row.serviceType === undefined || row.serviceType === "train";
  const { status, expectedAt } = readEstimate(isDeparture ? row.etd : row.eta, aimedAt, {
    isCancelled: row.isCancelled,
    isLive: isTrain,
  });
  const reason = readReasonOf(row);
  const coaches = readCoaches(row);
  return {
    mode: row.serviceType === "bus" ? "bus" : "train",
    status,
    aimedAt,
    expectedAt,
    platform: hasPlatforms ? row.platform : undefined,
    operatorCode: row.operatorCode,
    operatorName: row.operator,
    place: row.serviceType === "ferry" ? `${place} (ferry)` : place,
    trainUid: trainIdOf(row.serviceID),
    service: undefined,
    ...(reason !== undefined && { reason }),
    ...(coaches !== undefined && { coaches }),
    // Only this flag says that the call at that station is cancelled: a row may lack the station for other reasons.
    ...(via !== undefined &&
      row.filterLocationCancelled === true &&
      status !== "CANCELLED" && { viaCancelled: true as const }),
  };
}

/** A service's id, usually of 15 characters: a number and a station. */
const SERVICE_ID = /^[A-Za-z0-9_]{1,16}$/;

/** Our id for a service's id, which only holds at the board's station; `undefined` if we could not ask about it. */
function trainIdOf(serviceId: string | undefined): string | undefined {
  return serviceId !== undefined && SERVICE_ID.test(serviceId)
    ? `${RAIL_DATA_PREFIX}${serviceId}`
    : undefined;
}

/** The service's id for one of ours; throws a RangeError for the id of another source. */
export function serviceIdOf(trainUid: string): string {
  const id = trainUid.startsWith(RAIL_DATA_PREFIX) ? trainUid.slice(RAIL_DATA_PREFIX.length) : "";
  if (!SERVICE_ID.test(id)) {
    throw new RangeError("a train of rail data has an id that begins with ldb:");
  }
  return id;
}

/** The places of a train that divides or joins are several, e.g. `Dover Priory and Ramsgate`. */
function placeOf(places: unknown): string {
  const names = listOf(places).flatMap((place) => placeSchema.safeParse(place).data?.locationName ?? []);
  return joinPlaces(names);
}

/** One name for the destinations of a train that divides, or the origins of one that joins. */
export function joinPlaces(names: readonly string[]): string {
  return [...new Set(names)].join(" and ");
}

function messageOf(entry: unknown): string {
  return readMessage(typeof entry === "string" ? entry : (messageSchema.safeParse(entry).data?.Value ?? ""));
}

/** Up to this moment the answer is complete: the service cuts lists without saying so. */
function coversUntil(window: BoardWindow, given: number, rows: readonly TransportRow[]): Temporal.Instant {
  const end = startOfMinute(window.start).add({ minutes: window.minutes });
  const last = rows.at(-1)?.aimedAt;
  return given >= window.rows && last && isBefore(last, end) ? last : end;
}

interface BoardContext {
  readonly question: TransportQuestion;
  readonly window: BoardWindow;
  readonly now: Temporal.Instant;
}

/** Read by {@link listOf}. */
const anyList = z.unknown().optional();
const placeSchema = z.object(looseTexts("locationName"));
const messageSchema = z.object(looseTexts("Value"));

const rowSchema = z.object({
  ...serviceFields,
  ...looseTexts("serviceID"),
  filterLocationCancelled: looseFlag,
  origin: anyList,
  destination: anyList,
  currentOrigins: anyList,
  currentDestinations: anyList,
});

/** An answer, with or without details. Rows are parsed one by one, so that a bad row does not cost the others. */
export const boardSchema = z.object({
  ...looseTexts("generatedAt", "locationName", "crs"),
  platformAvailable: looseFlag,
  nrccMessages: anyList,
  trainServices: anyList,
  busServices: anyList,
  ferryServices: anyList,
});

type BoardAnswer = z.infer<typeof boardSchema>;
