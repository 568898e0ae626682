// Turns TfL's predictions for a stop into a TransportBoard or TransportBusStop. Predictions are arrivals, unsorted and
// without aimed times, and a train may have several.
import { z } from "zod";
import { byTime, isBefore, startOfMinute } from "../../time/uk-time.ts";
import { type OnSkipped, readEach } from "../ask.ts";
import { looseNumber, looseTexts, readInstant } from "../read-values.ts";
import type { TransportBoard, TransportBusStop, TransportQuestion, TransportRow } from "../transport-data.ts";
import { findLondonStop, plainStopName } from "./london-stops.ts";

/** Roughly how far ahead predictions reach. */
const WINDOW_MINUTES = 30;
/** How long a bus is shown after its expected time. Predictions of trains say when they end. */
const LINGER_SECONDS = 30;
/** Predictions closer together than this are one train at several platforms, not the train's next round. */
const SAME_TRAIN_SECONDS = 120;

/** The largest bus stations have about 150. */
const MAX_PREDICTIONS = 500;

/** Tube stations show these words, too, for a train without a destination. */
const NO_DESTINATION = "Check front of train";

const predictionSchema = z.object({
  ...looseTexts("vehicleId", "stationName", "lineId", "lineName", "modeName", "platformName"),
  ...looseTexts("destinationNaptanId", "destinationName", "towards"),
  ...looseTexts("timestamp", "expectedArrival", "timeToLive"),
  operationType: looseNumber,
  timeToStation: looseNumber,
});

type Prediction = NonNullable<ReturnType<typeof readPrediction>>;

/** Without trains that end at the stop. Skips unusable rows; throws `unexpected-answer` if none is usable. */
export function readStopBoard(
  answer: readonly unknown[],
  question: TransportQuestion,
  now: Temporal.Instant,
  onSkipped: OnSkipped,
): TransportBoard {
  const predictions = readPredictions(answer, now, onSkipped);
  const { crs, from, windowMinutes, limit } = question;
  const stationName = findLondonStop(crs)?.name ?? nameOf(predictions);
  const end = (from ?? now).add({ minutes: windowMinutes });
  const rows = predictions
    .filter(({ destinationId, destination }) =>
      destinationId === undefined ? destination !== stationName : destinationId !== crs,
    )
    .map(rowOf)
    .filter(({ aimedAt }) => (!from || !isBefore(aimedAt, startOfMinute(from))) && isBefore(aimedAt, end));
  const dataAt = dataAtOf(predictions, now);
  const horizon = dataAt.add({ minutes: WINDOW_MINUTES });
  return {
    source: "tfl",
    crs,
    dataAt,
    coversUntil: rows.length > limit ? (rows[limit]?.aimedAt ?? horizon) : horizon,
    rows: rows.slice(0, limit),
  };
}

/** Reads the buses at a stop; throws as {@link readStopBoard} does. */
export function readLondonBusStop(
  answer: readonly unknown[],
  { atco, limit }: { readonly atco: string; readonly limit: number },
  now: Temporal.Instant,
): TransportBusStop {
  const predictions = readPredictions(answer, now);
  const letter = predictions.find(({ platformName }) => platformName !== undefined)?.platformName;
  const name = nameOf(predictions);
  return {
    source: "tfl",
    atco,
    name: name && `${name}${letter === undefined ? "" : ` (stop ${letter})`}`,
    locality: undefined,
    bearing: undefined,
    point: undefined,
    dataAt: dataAtOf(predictions, now),
    departures: predictions.slice(0, limit).map(({ lineName, destination, expectedAt }) => ({
      line: lineName,
      direction: destination,
      operator: undefined,
      aimedAt: undefined,
      expectedAt,
      isCancelled: false,
    })),
  };
}

function nameOf(predictions: readonly Prediction[]): string | undefined {
  return predictions.find(({ stationName }) => stationName !== undefined)?.stationName;
}

/** When the latest prediction was made, but not later than now. */
function dataAtOf(predictions: readonly Prediction[], now: Temporal.Instant): Temporal.Instant {
  const made = predictions.flatMap(({ madeAt }) => madeAt ?? []);
  const youngest = made.toSorted(byTime((at) => at)).at(-1);
  return youngest && isBefore(youngest, now) ? youngest : now;
}

/** Reads the trains or buses that are still to come, without duplicates, sorted by their expected times. */
function readPredictions(answer: readonly unknown[], now: Temporal.Instant, onSkipped?: OnSkipped) {
  const problem = "no prediction has both a line and a time";
  const read = readEach("tfl", answer, readPrediction, problem, onSkipped);
  const predictions = read
    .filter(({ endsAt }) => endsAt !== undefined && !isBefore(endsAt, now))
    .toSorted(byTime(({ expectedAt }) => expectedAt))
    .slice(0, MAX_PREDICTIONS);
  return mergeTrains(predictions);
}

function readPrediction(entry: unknown) {
  const { data } = predictionSchema.safeParse(entry);
  const line = data?.lineName ?? data?.lineId;
  const madeAt = readMoment(data?.timestamp);
  // The absolute time is preferred, because `timeToStation` counts from when the prediction was made, not from now.
  const expectedAt =
    readMoment(data?.expectedArrival) ??
    madeAt?.add({ seconds: Math.round(Math.min(Math.max(data?.timeToStation ?? 0, 0), 86_400)) });
  if (!data || line === undefined || !expectedAt) {
    return undefined;
  }
  const isBus = data.modeName === "bus" || data.modeName === "coach";
  const plain = isBus ? (name: string) => name : plainStopName;
  const towards = knownText(data.towards);
  const route = isBus ? undefined : / (via .+)$/i.exec(towards ?? "")?.[1];
  const destination =
    knownText(data.destinationName) ??
    findLondonStop(data.destinationNaptanId ?? "")?.name ??
    (route === undefined ? towards : towards?.slice(0, -route.length - 1));
  return {
    lineId: data.lineId,
    lineName: line,
    isBus,
    // The tube gives this number to trains whose own number is unknown.
    vehicleId: data.vehicleId === "000" ? undefined : data.vehicleId,
    /** TfL's text, e.g. `Northbound - Platform 4`, or a bus stop's letter. */
    platformName: knownText(data.platformName),
    stationName: data.stationName && plain(data.stationName),
    destinationId: data.destinationNaptanId,
    destination: destination && plain(destination),
    /** e.g. `via Bank`: the branch, which the destination does not name. */
    route: route?.replace(/\bCX\b/, "Charing Cross"),
    expectedAt,
    madeAt,
    /** `undefined` if TfL has withdrawn the prediction. */
    endsAt:
      data.operationType === 2
        ? undefined
        : (readMoment(data.timeToLive) ?? expectedAt.add({ seconds: LINGER_SECONDS })),
  };
}

/** A time. TfL writes the year 1 for an unknown one. */
function readMoment(text: string | undefined): Temporal.Instant | undefined {
  return text?.startsWith("0001-") ? undefined : readInstant(text);
}

/** A text. TfL writes the word “null” for an unknown one. */
function knownText(text: string | undefined): string | undefined {
  return text?.toLowerCase() === "null" ? undefined : text;
}

/** Vehicle ids alone do not identify trains: on the DLR, all trains of a platform share one. */
function mergeTrains(predictions: readonly Prediction[]): readonly Prediction[] {
  const merged: Prediction[] = [];
  for (const one of predictions) {
    const index = merged.findLastIndex((other) => isSameTrain(one, other));
    const other = merged[index];
    if (other === undefined) {
      merged.push(one);
    } else if (other.platformName !== one.platformName) {
      // The train will leave from one of several platforms, and nobody knows yet from which.
      merged[index] = { ...other, platformName: undefined };
    }
  }
  return merged;
}

function isSameTrain(one: Prediction, other: Prediction): boolean {
  if (
    one.lineName !== other.lineName ||
    one.destination !== other.destination ||
    one.vehicleId !== other.vehicleId
  ) {
    return false;
  }
  return one.vehicleId === undefined
    ? one.platformName === other.platformName &&
        startOfMinute(one.expectedAt).equals(startOfMinute(other.expectedAt))
    : Math.abs(one.expectedAt.since(other.expectedAt).total("seconds")) <= SAME_TRAIN_SECONDS;
}

function rowOf({
  isBus,
  lineId,
  lineName,
  platformName,
  destination,
  route,
  expectedAt,
}: Prediction): TransportRow {
  return {
    mode: isBus ? "bus" : "train",
    status: undefined,
    aimedAt: startOfMinute(expectedAt),
    expectedAt,
    // “Platform Unknown”, a bus stop's letter and a direction are not platforms. A track between two has both numbers.
    platform: /\bplatform (\d{1,2}(?:\/\d{1,2}|[A-Z])?|[A-Z])\b/i
      .exec(platformName ?? "")?.[1]
      ?.toUpperCase(),
    direction: /^(?:(?:north|east|south|west)bound|(?:inner|outer) rail)\b(?!\/)/i.exec(
      platformName ?? "",
    )?.[0],
    operatorCode: undefined,
    operatorName: lineName,
    place: destination ?? (isBus ? `Route ${lineName}` : NO_DESTINATION),
    trainUid: undefined,
    ...(route !== undefined && { route }),
    line: lineId,
    timing: "expected-only",
  };
}
