// Boards and trains in the shape of captured answers: absent values are left out, and nothing is null.
import { hash } from "../transport/railway/chance.ts";
import { aimedAt, type BoardEntry, type Railway } from "../transport/railway/board.ts";
import { operatorName } from "../transport/railway/operators.ts";
import { liveCall, type CallSide, type LiveCall } from "../transport/railway/running.ts";
import type { RailStation } from "../transport/railway/stations.ts";
import type { Call, Train } from "../transport/railway/train.ts";
import { formatUkDateTime, formatUkTime } from "../transport/railway/uk-time.ts";
import { divisionOf } from "./division.ts";
import { coachesOf, messagesAt, reasonWhy } from "./words.ts";

type Body = Readonly<Record<string, unknown>>;

export interface AnswerContext {
  readonly railway: Railway;
  readonly nowMs: number;
}

const MINUTE_MS = 60_000;
/** The smallest delay for which a reason is given. */
const WORTH_A_REASON_MS = 5 * MINUTE_MS;
/** A remnant of the service's XML format that every answer contains. */
// oxlint-disable-next-line typescript/naming-convention -- the service's own names
const LEFT_OVER = { Xmlns: { Count: 8 } };

export interface BoardFilter {
  readonly station: RailStation;
  readonly type: "to" | "from";
}

/** A board without details of trains. Empty lists are left out. */
export function formatBoard(
  station: RailStation,
  side: CallSide,
  entries: readonly BoardEntry[],
  filter: BoardFilter | undefined,
  context: AnswerContext,
): Body {
  const rows = (mode: Train["mode"]): readonly Body[] =>
    entries
      .filter(({ train }) => train.mode === mode)
      .map((entry) => formatRow(entry, side, filter, context));
  const messages = messagesAt(station, context.railway.seed);
  return {
    ...unlessEmpty("trainServices", rows("train")),
    ...unlessEmpty("busServices", rows("bus")),
    ...LEFT_OVER,
    ...generatedAtField(context.nowMs),
    locationName: station.name,
    crs: station.crs,
    ...(filter && { filterLocationName: filter.station.name, filtercrs: filter.station.crs }),
    filterType: filter?.type ?? "to",
    ...unlessEmpty("nrccMessages", messages),
    platformAvailable: true,
    areServicesAvailable: true,
  };
}

function formatRow(
  entry: BoardEntry,
  side: CallSide,
  filter: BoardFilter | undefined,
  context: AnswerContext,
): Body {
  const { train, at, call, live } = entry;
  const isCancelledAt = (each: number): boolean =>
    stateAt(train, each, each > at ? "arrival" : "departure", context).status === "CANCELLED";
  const isCancelled = live.status === "CANCELLED";
  const through = train.calls.findIndex(({ station }) => station.crs === filter?.station.crs);
  const cutAt = train.calls.findIndex(
    (_, each) => stateAt(train, each, "arrival", context).status === "CANCELLED",
  );
  const division = divisionOf(train, context.railway);
  return {
    futureCancellation: !isCancelled && cutAt > at,
    futureDelay: false,
    origin: [formatPlace(train.calls[0])],
    destination: [
      { ...formatPlace(train.calls.at(-1)), ...viaField(train, at, context.railway.seed) },
      ...(division && division.at > at ? [formatPlace(division.calls.at(-1))] : []),
    ],
    // Also where the train no longer comes.
    ...(cutAt > 0 && { currentDestinations: [formatPlace(train.calls[cutAt - 1])] }),
    ...timesOf(call, side, live),
    ...formatTrain(entry, coachesOf(train, context.railway.seed), context),
    isCircularRoute: false,
    filterLocationCancelled: !isCancelled && through >= 0 && isCancelledAt(through),
    serviceID: serviceIdOf(train, call),
  };
}

/** For one service in four, names a route to its destination: via a station about halfway. */
function viaField({ calls, service }: Train, at: number, seed: number): Body {
  const between = calls.slice(at + 1, -1);
  const way = between[Math.floor(between.length / 2)];
  return way && hash(seed, service, "via") % 4 === 0 ? { via: `via ${way.station.name}` } : {};
}

/** The fields that boards and details share about a train at one of its calls. */
function formatTrain({ train, call, live }: BoardEntry, length: number, { railway }: AnswerContext): Body {
  const isCancelled = live.status === "CANCELLED";
  const aimedMs = call.departMs ?? call.arriveMs ?? 0;
  const lateMs = (live.expectedDepartMs ?? live.expectedArriveMs ?? aimedMs) - aimedMs;
  return {
    serviceType: train.mode,
    ...(call.platform !== null && !isCancelled && { platform: call.platform }),
    operator: operatorName(train.operator) ?? train.operator,
    operatorCode: train.operator,
    isCancelled,
    length,
    detachFront: false,
    isReverseFormation: false,
    ...(isCancelled
      ? { cancelReason: reasonWhy("cancelled", train, railway.seed) }
      : (live.status === "DELAYED" || lateMs >= WORTH_A_REASON_MS) && {
          delayReason: reasonWhy("delayed", train, railway.seed),
        }),
  };
}

/** The details of a train at one of its calls; `undefined` if it left there more than two minutes ago. */
export function formatDetails(train: Train, at: number, context: AnswerContext): Body | undefined {
  const call = train.calls[at];
  const live = stateAt(train, at, call?.departMs === undefined ? "arrival" : "departure", context);
  if (call === undefined || live.overMs < context.nowMs - DETAILS_KEPT_MS) {
    return undefined;
  }
  const { seed } = context.railway;
  const coaches = coachesOf(train, seed);
  const division = divisionOf(train, context.railway);
  const lengthAt = (each: number): number =>
    division && each >= division.at ? Math.ceil(coaches / 2) : coaches;
  const points = (from: number, to: number, side: CallSide): readonly Body[] =>
    train.calls
      .slice(from, to)
      .map((point, index) =>
        formatPoint(
          point,
          stateAt(train, from + index, side, context),
          side,
          lengthAt(from + index),
          context,
        ),
      );
  const ahead = points(at + 1, train.calls.length, "arrival");
  const before = points(0, at, "departure");
  const portion =
    division && division.at > at
      ? division.calls.map((point) =>
          formatPoint(point, undefined, "arrival", Math.floor(coaches / 2), context),
        )
      : [];
  const hasLeft = live.status === null;
  return {
    ...(before.length > 0 && { previousCallingPoints: [pointList(before)] }),
    ...(ahead.length > 0 && {
      subsequentCallingPoints: [pointList(ahead), ...(portion.length > 0 ? [pointList(portion)] : [])],
    }),
    ...LEFT_OVER,
    ...generatedAtField(context.nowMs),
    locationName: call.station.name,
    crs: call.station.crs,
    ...formatTrain({ train, at, call, live }, lengthAt(at), context),
    ...(call.arriveMs !== undefined && {
      sta: formatUkTime(call.arriveMs),
      [hasLeft || live.status === "ARRIVED" ? "ata" : "eta"]: estimateOf(
        call.arriveMs,
        live.expectedArriveMs ?? (hasLeft ? live.overMs : undefined),
        live,
      ),
    }),
    ...(call.departMs !== undefined && {
      std: formatUkTime(call.departMs),
      [hasLeft ? "atd" : "etd"]: estimateOf(call.departMs, live.expectedDepartMs ?? live.overMs, live),
    }),
  };
}

/** The service gives details until about two minutes after the train has left. */
const DETAILS_KEPT_MS = 2 * MINUTE_MS;

function stateAt(train: Train, at: number, side: CallSide, { nowMs, railway }: AnswerContext): LiveCall {
  return liveCall(train, at, side, nowMs, railway.seed);
}

/** A calling point. `live` is `undefined` if nobody reports that portion of the train yet. */
function formatPoint(
  call: Call,
  live: LiveCall | undefined,
  side: CallSide,
  length: number,
  { nowMs }: AnswerContext,
): Body {
  const aimedMs = aimedAt(call, side) ?? call.departMs ?? call.arriveMs ?? 0;
  const isCancelled = live?.status === "CANCELLED";
  const isOver = live !== undefined && live.status === null && live.overMs <= nowMs;
  const expectedMs = live && (side === "arrival" ? live.expectedArriveMs : live.expectedDepartMs);
  return {
    locationName: call.station.name,
    crs: call.station.crs,
    st: formatUkTime(aimedMs),
    // The service never gives both.
    ...(isOver
      ? { at: formatEstimate(aimedMs, live.overMs) }
      : { et: live === undefined ? "On time" : estimateOf(aimedMs, expectedMs, live) }),
    isCancelled,
    length,
    detachFront: false,
    affectedByDiversion: false,
    rerouteDelay: 0,
  };
}

function pointList(callingPoint: readonly Body[]): Body {
  return { callingPoint, serviceType: "train", serviceChangeRequired: false, assocIsCancelled: false };
}

function timesOf(call: Call, side: CallSide, live: LiveCall): Body {
  const aimedMs = aimedAt(call, side) ?? 0;
  const expectedMs = side === "arrival" ? live.expectedArriveMs : live.expectedDepartMs;
  const text = estimateOf(aimedMs, expectedMs ?? (live.status === null ? live.overMs : undefined), live);
  return side === "arrival"
    ? { sta: formatUkTime(aimedMs), eta: text }
    : { std: formatUkTime(aimedMs), etd: text };
}

function estimateOf(aimedMs: number, expectedMs: number | undefined, { status }: LiveCall): string {
  if (status === "CANCELLED") {
    return "Cancelled";
  }
  return status === "DELAYED" || expectedMs === undefined ? "Delayed" : formatEstimate(aimedMs, expectedMs);
}

function formatEstimate(aimedMs: number, realMs: number): string {
  const time = formatUkTime(realMs);
  return time === formatUkTime(aimedMs) ? "On time" : time;
}

function formatPlace(call: Call | undefined): Body {
  return { locationName: call?.station.name, crs: call?.station.crs, assocIsCancelled: false };
}

/** The time of the answer; like the service's, its seconds have seven decimal places. */
function generatedAtField(nowMs: number): Body {
  const text = formatUkDateTime(nowMs);
  const fraction = `${String(nowMs % 1_000).padStart(3, "0")}0475`;
  return { generatedAt: `${text.slice(0, 19)}.${fraction}${text.slice(19)}` };
}

function unlessEmpty(name: string, list: readonly unknown[]): Body {
  return list.length === 0 ? {} : { [name]: list };
}

/** A number and the station, because an id belongs to one board; 15 characters. Real ids contain another station code. */
function serviceIdOf(train: Train, { station }: Pick<Call, "station">): string {
  const number = (train.uid.charCodeAt(0) - 65) * 100_000 + Number(train.uid.slice(1));
  return `${String(number).padStart(7, "0")}${station.crs.padEnd(8, "_")}`;
}

/** The train and station of an id; `undefined` if the stand-in cannot have given it. */
export function parseServiceId(id: string): { readonly uid: string; readonly crs: string } | undefined {
  const [, number, crs] = /^(\d{7})([A-Z]{3})_{5}$/.exec(id) ?? [];
  if (number === undefined || crs === undefined) {
    return undefined;
  }
  const letter = String.fromCharCode(65 + Math.floor(Number(number) / 100_000));
  return { uid: `${letter}${String(Number(number) % 100_000).padStart(5, "0")}`, crs };
}
