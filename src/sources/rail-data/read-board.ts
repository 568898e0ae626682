import { z } from "zod";
import { anchorUkTime, byTime, isBefore, startOfMinute } from "../../time/uk-time.ts";
import { type OnSkipped, readEach, unexpectedAnswer } from "../ask.ts";
import { looseFlag, looseTexts, readInstant, looseList, looseNumber } from "../read-values.ts";
import {
  RAIL_DATA_PREFIX,
  type TransportBoard,
  type TransportQuestion,
  type TransportRow,
} from "../transport-data.ts";
import { readMessage, readReason } from "./read-texts.ts";

/** The parameters that were sent for a question. */
export interface BoardWindow {
  readonly start: Temporal.Instant;
  readonly minutes: number;
  /** How many rows were asked for. An answer of that length may be incomplete. */
  readonly rows: number;
}

/** Skips rows without an aimed time or a place. Throws `unexpected-answer` if none is usable, or it is no board. */
export function readBoard(
  answer: BoardAnswer,
  { question, window, now }: BoardContext,
  onSkipped: OnSkipped,
): TransportBoard {
  const dataAt = readInstant(answer.generatedAt) ?? now;
  const hasPlatforms = answer.platformAvailable === true;
  const lists = [answer.trainServices, answer.busServices, answer.ferryServices].map((list) =>
    readList(listOf(list), dataAt, question, hasPlatforms),
  );
  const read = lists.flat();
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
    dataAt,
    coversUntil: coversUntil(window, lists),
    rows,
    ...(messages.length > 0 && { messages }),
  };
}

/** The entries of a list, which in an answer may be absent, null, or a single entry without a list around it. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : typeof value === "object" && value !== null ? [value] : [];
}

/** They come in the order of their aimed times. An unusable row becomes `undefined`. */
function readList(
  list: readonly unknown[],
  dataAt: Temporal.Instant,
  question: TransportQuestion,
  hasPlatforms: boolean,
): readonly (TransportRow | undefined)[] {
  let previous = dataAt;
  return list.map((entry) => {
    // Times have no date. Each means the moment nearest to now or, if the previous row is later, nearest to that.
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
  if (aimedAt === undefined) {
    return undefined;
  }
  // Buses and ferries have no live data, even if the row has an estimate.
  const isTrain = row.serviceType === undefined || row.serviceType === "train";
  const { status, expectedAt } = readEstimate(isDeparture ? row.etd : row.eta, aimedAt, {
    isCancelled: row.isCancelled,
    isLive: isTrain,
  });
  const runs = status !== "CANCELLED";
  const planned = readPlaces(isDeparture ? row.destination : row.origin);
  const current = readPlaces(isDeparture ? row.currentDestinations : row.currentOrigins);
  const running = planned.filter(({ isCancelled }) => !isCancelled);
  // A train that now ends before this station is cancelled here, and its current destination is an earlier stop.
  const places = [...(runs ? [current, running] : []), planned, current].find(({ length }) => length > 0);
  if (places === undefined) {
    return undefined;
  }
  const place = joinPlaces(places);
  const cancelledPlaces = planned.filter(({ name }) => !places.some((each) => each.name === name));
  const route = places.length === 1 ? places[0]?.via : undefined;
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
    reason: readReason(row.cancelReason, row.delayReason),
    ...(coaches !== undefined && { coaches }),
    ...(route !== undefined && { route }),
    ...(runs && cancelledPlaces.length > 0 && { cancelledPlace: joinPlaces(cancelledPlaces) }),
    ...(runs &&
      isDeparture &&
      via === undefined &&
      row.futureCancellation === true && { laterCancelled: true as const }),
    // Only this flag means that the call at that station is cancelled. A row may lack the station for other reasons.
    ...(runs && via !== undefined && row.filterLocationCancelled === true && { viaCancelled: true as const }),
  };
}

/** The service's id of a train, usually of 15 characters: a number and a station. */
const SERVICE_ID = /^[A-Za-z0-9_]{1,16}$/;

/** Our id for the service's id, which is valid only on this station's board; `undefined` if it is absent or malformed. */
function trainIdOf(serviceId: string | undefined): string | undefined {
  return serviceId !== undefined && SERVICE_ID.test(serviceId)
    ? `${RAIL_DATA_PREFIX}${serviceId}`
    : undefined;
}

/** The service's id for one of ours. Throws a RangeError if it belongs to another source. */
export function serviceIdOf(trainUid: string): string {
  const id = trainUid.startsWith(RAIL_DATA_PREFIX) ? trainUid.slice(RAIL_DATA_PREFIX.length) : "";
  if (!SERVICE_ID.test(id)) {
    throw new RangeError("a train of rail data has an id that begins with ldb:");
  }
  return id;
}

/** The destinations or origins: several if a train divides or joins, none if the field is absent. */
function readPlaces(value: unknown) {
  return listOf(value).flatMap((entry) => {
    const { locationName: name, via, assocIsCancelled } = placeSchema.safeParse(entry).data ?? {};
    return name === undefined ? [] : [{ name, via, isCancelled: assocIsCancelled === true }];
  });
}

/** One name for the destinations of a train that divides, or the origins of one that joins. */
export function joinPlaces(places: readonly { readonly name: string }[]): string {
  return [...new Set(places.map(({ name }) => name))].join(" and ");
}

function messageOf(entry: unknown): string {
  return readMessage(typeof entry === "string" ? entry : (messageSchema.safeParse(entry).data?.Value ?? ""));
}

/** The time up to which the answer is complete. The service cuts long lists without saying so; a list of buses is short. */
function coversUntil(
  window: BoardWindow,
  lists: readonly (readonly (TransportRow | undefined)[])[],
): Temporal.Instant {
  const end = startOfMinute(window.start).add({ minutes: window.minutes });
  const [longest] = lists.toSorted((a, b) => b.length - a.length);
  const last = longest?.findLast((row) => row !== undefined)?.aimedAt;
  return lists.flat().length >= window.rows && last && isBefore(last, end) ? last : end;
}

/** The number of coaches. `length` may be 0, meaning unknown, even if the coaches are listed one by one. */
export function readCoaches({
  length,
  formation,
}: Pick<Service, "length" | "formation">): number | undefined {
  const count = length === undefined || length < 1 ? formation?.coaches?.length : Math.floor(length);
  return count === undefined || count < 1 || count > MAX_COACHES ? undefined : count;
}

/** The longest trains in Britain are the sleepers, with 16 coaches. */
const MAX_COACHES = 30;

/**
 * Reads the estimate beside an aimed time: `On time`, `HH:MM`, `Delayed`, `Cancelled` or any other word. Returns the
 * expected time or, if there is none, the word in capitals as the status, as other sources have it, e.g. `CANCELLED`.
 */
export function readEstimate(
  text: string | undefined,
  aimedAt: Temporal.Instant,
  { isCancelled, isLive = true }: { readonly isCancelled: boolean | undefined; readonly isLive?: boolean },
) {
  const word = text?.toUpperCase();
  if (isCancelled === true || word === "CANCELLED") {
    return { status: "CANCELLED", expectedAt: undefined };
  }
  if (word === "ON TIME") {
    return { status: undefined, expectedAt: isLive ? aimedAt : undefined };
  }
  // An asterisk marks an uncertain time.
  const expectedAt = text === undefined ? undefined : anchorUkTime(text.replace(/\*$/, ""), aimedAt);
  return { status: expectedAt ? undefined : word, expectedAt };
}

interface BoardContext {
  readonly question: TransportQuestion;
  readonly window: BoardWindow;
  readonly now: Temporal.Instant;
}

/** The fields that a row of a board and the details of a train have in common. Any field may be missing or malformed. */
export const serviceFields = {
  ...looseTexts("operator", "operatorCode", "serviceType", "platform", "cancelReason", "delayReason"),
  ...looseTexts("std", "etd", "sta", "eta"),
  isCancelled: looseFlag,
  length: looseNumber,
  formation: z.object({ coaches: looseList }).optional().catch(undefined),
};

type Service = Partial<z.infer<z.ZodObject<typeof serviceFields>>>;

/** To be read with {@link listOf}. */
const anyList = z.unknown().optional();
const placeSchema = z.object({ ...looseTexts("locationName", "via"), assocIsCancelled: looseFlag });
const messageSchema = z.object(looseTexts("Value"));

const rowSchema = z.object({
  ...serviceFields,
  ...looseTexts("serviceID"),
  filterLocationCancelled: looseFlag,
  futureCancellation: looseFlag,
  origin: anyList,
  destination: anyList,
  currentOrigins: anyList,
  currentDestinations: anyList,
});

/** An answer, with or without details. Rows are parsed later, one by one, so that the others survive a bad one. */
export const boardSchema = z.object({
  ...looseTexts("generatedAt", "locationName", "crs"),
  platformAvailable: looseFlag,
  nrccMessages: anyList,
  trainServices: anyList,
  busServices: anyList,
  ferryServices: anyList,
});

type BoardAnswer = z.infer<typeof boardSchema>;
