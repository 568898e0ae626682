// The client for the transport service. It asks in the dialect that is set, and understands answers in both.
import { currentInstant } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { checkedCrs, type AskOptions, type Refusal, type SourceRequest, createAsk } from "../ask.ts";
import { LIVE_WINDOW_MINUTES, boardSchema, readBoard } from "./read-board.ts";
import type {
  BusStopQuestion,
  JourneyPlace,
  PlacesQuestion,
  TransportJourneyQuestion,
  TransportQuestion,
  TransportTrainQuestion,
} from "../transport-data.ts";
import { networkSchema, readNetwork } from "./read-network.ts";
import { formatPlacesRequest, placesSchema, readPlaces } from "./read-places.ts";
import { busStopSchema, readBusStop } from "./read-bus-stop.ts";
import { journeySchema, readJourneys } from "./read-journey.ts";
import { readTrain, trainSchema } from "./read-train.ts";
import { formatUkDate, formatUkDateTime, formatUkTime, isBefore, startOfMinute } from "../../time/uk-time.ts";
import { z } from "zod";
import { type HttpAnswer, isSuccess } from "../../core/http.ts";
import { readRefusal } from "../../core/json.ts";

export type TransportClient = ReturnType<typeof createTransportClient>;

/** Creates a client for one account. Each method sends one request and throws as {@link createAskTransport} says. */
export function createTransportClient({
  log,
  ...dependencies
}: Parameters<typeof createAskTransport>[0] & {
  /** Gets a warning if parts of an answer are unusable. */
  readonly log: Log;
}) {
  const { dialect, clock } = dependencies;
  const ask = createAskTransport(dependencies);
  const now = () => currentInstant(clock);

  return {
    /** Whether the source has boards that answer this question. Sends nothing. */
    canAnswer: ({ crs }: TransportQuestion): boolean => crs.length === 3,
    async board(question: TransportQuestion) {
      const askedAt = now();
      const request = formatBoardRequest(question, dialect, askedAt);
      const body = await ask("board", request, boardSchema);
      return readBoard(body, { question, source: request.source, now: askedAt }, (skippedRows) =>
        log.warn({ service: "transport", crs: question.crs, skippedRows }, "board rows skipped"),
      );
    },
    async places(question: PlacesQuestion) {
      const body = await ask("places", formatPlacesRequest(question, dialect), placesSchema);
      return readPlaces(body, question, now());
    },
    async busStop(question: BusStopQuestion) {
      const body = await ask("bus-stop", formatBusStopRequest(question, dialect), busStopSchema);
      return readBusStop(body, question.atco, now());
    },
    /** The state of the network. In the public dialect, only disruptions of buses. */
    async network() {
      const body = await ask("network", formatNetworkRequest(dialect), networkSchema);
      return readNetwork(body, dialect === "public" ? "bus-situations" : "status", now());
    },
    async journeys(question: TransportJourneyQuestion) {
      const body = await ask("journey", formatJourneyRequest(question, dialect, now()), journeySchema);
      return readJourneys(body, question, now(), (skippedRoutes) =>
        log.warn({ service: "transport", skippedRoutes }, "journey routes skipped"),
      );
    },
    /** A train's calling points, with live times if the service has any. */
    async train(question: TransportTrainQuestion) {
      const body = await ask("train", formatTrainRequest(question, dialect), trainSchema);
      return readTrain(body, question, now());
    },
  };
}

/** `now` decides whether a live board reaches as far as `from`. `source` says which kind of answer to expect. */
function formatBoardRequest(
  question: TransportQuestion,
  dialect: TransportDialect,
  now: Temporal.Instant,
): TransportRequest & { readonly source: "live" | "timetable" } {
  const { kind, via, from, limit, windowMinutes } = question;
  const scheme = dialect === "public" ? "crs:" : "";
  const common = {
    type: kind === "departures" ? "departure" : "arrival",
    // Without this, freight and empty trains may appear.
    train_status: "passenger",
    limit: String(limit),
    ...(via === undefined
      ? {}
      : { [kind === "departures" ? "calling_at" : "called_at"]: scheme + checkedCrs(via) }),
  };
  if (dialect === "public") {
    return {
      source: "timetable",
      path: `/v3/uk/train/station_timetables/crs:${checkedCrs(question.crs)}.json`,
      query: {
        ...common,
        live: String(question.live),
        ...(from && { datetime: formatUkDateTime(startOfMinute(from)) }),
        from_offset: formatOffset(0),
        to_offset: formatOffset(windowMinutes),
      },
    };
  }
  const station = `/v3/uk/train/station/${checkedCrs(question.crs)}`;
  const start = from ?? now;
  // A live board reaches no further than its own window, and its last ten minutes alone are not worth a call.
  const isWithinLiveBoard =
    windowMinutes <= LIVE_WINDOW_MINUTES && isBefore(start, now.add({ minutes: LIVE_WINDOW_MINUTES - 10 }));
  if (question.live && isWithinLiveBoard) {
    return { source: "live", path: `${station}/live.json`, query: common };
  }
  return {
    source: "timetable",
    path: `${station}/${formatUkDate(start)}/${formatUkTime(start)}/timetable.json`,
    query: { ...common, to_offset: formatOffset(windowMinutes) },
  };
}

/** A duration in the service's own form: "PT02:00:00". */
function formatOffset(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `PT${String(hours).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}:00`;
}

function formatNetworkRequest(dialect: TransportDialect): TransportRequest {
  return dialect === "public"
    ? { path: "/v3/uk/bus/situations.json", query: { limit: "20" } }
    : { path: "/v3/uk/status.json", query: {} };
}

function formatBusStopRequest({ atco, limit }: BusStopQuestion, dialect: TransportDialect): TransportRequest {
  // The code becomes part of a path, so anything else must be refused.
  if (!/^[0-9A-Z]{4,12}$/i.test(atco)) {
    throw new RangeError("a stop code has letters and digits only");
  }
  return dialect === "public"
    ? { path: `/v3/uk/bus/stop_timetables/${atco}.json`, query: { live: "true", limit: String(limit) } }
    : {
        path: `/v3/uk/bus/stop/${atco}/live.json`,
        query: { group: "no", limit: String(limit), nextbuses: "yes" },
      };
}

/** The request for a train's calling points. The specification leaves the path open. */
function formatTrainRequest(
  { trainUid, startDate }: TransportTrainQuestion,
  dialect: TransportDialect,
): TransportRequest {
  if (!TRAIN_UID.test(trainUid)) {
    throw new RangeError("a train's id has letters and digits only");
  }
  const date = startDate.toString();
  return {
    path:
      dialect === "public"
        ? `/v3/uk/train/service_timetables/${trainUid}:${date}.json`
        : `/v3/uk/train/service/train_uid:${trainUid}/${date}/timetable.json`,
    query: { live: "true" },
  };
}

/** Train ids are a letter and five digits; other lengths are accepted too. */
const TRAIN_UID = /^[A-Za-z0-9]{2,12}$/;

/**
 * The specification's path has no date; the public service's older path does. Only the older one takes a time of
 * arrival: no value of the current planner's `journey_time_type` is documented for that.
 */
function formatJourneyRequest(
  { from, to, at, arriveBy }: TransportJourneyQuestion,
  dialect: TransportDialect,
  now: Temporal.Instant,
): TransportRequest {
  const ends = { from: formatPlaceId(from), to: formatPlaceId(to) };
  const date = formatUkDate(at);
  const time = formatUkTime(at);
  // This planner covers the whole country.
  const planner = dialect === "public" ? { service: "silverrail" } : {};
  const path = `/v3/uk/public/journey/from/${ends.from}/to/${ends.to}`;
  if (arriveBy) {
    return { path: `${path}/by/${date}/${time}.json`, query: planner };
  }
  if (dialect === "public") {
    const query = { ...ends, date, time, journey_time_type: "leave_after", ...planner };
    return { path: "/v3/uk/public_journey.json", query };
  }
  return date === formatUkDate(now)
    ? { path: `${path}.json`, query: { ...ends, time } }
    : { path: `${path}/at/${date}/${time}.json`, query: {} };
}

/** A place in the service's notation, which becomes part of a path. Throws a RangeError if the value is malformed. */
function formatPlaceId(place: JourneyPlace): string {
  switch (place.kind) {
    case "station":
      return `crs:${checkedCrs(place.crs)}`;
    case "postcode":
      return `postcode:${checked(place.postcode.replace(/\s/g, ""), /^[A-Z0-9]{5,7}$/)}`;
    case "point":
      return `lonlat:${degrees(place.longitude, 180)},${degrees(place.latitude, 90)}`;
    case "stop":
      return `atcocode:${checked(place.atcocode, /^[A-Za-z0-9]{3,12}$/)}`;
  }
}

function checked(text: string, shape: RegExp): string {
  if (!shape.test(text)) {
    throw new RangeError("a place of a journey has a shape that no place has");
  }
  return text;
}

/** Degrees with six decimals, which are about ten centimetres. */
function degrees(value: number, most: number): string {
  if (!(Math.abs(value) <= most)) {
    throw new RangeError("a place of a journey lies nowhere on Earth");
  }
  return String(Number(value.toFixed(6)));
}

// A request to the service: its credentials, and the meaning of its refusals.

/** The form of the requests. Answers in either dialect are always understood. */
export type TransportDialect = "specification" | "public";

/** `path` begins with `/v3/uk`. */
export type TransportRequest = Pick<SourceRequest, "path" | "query">;

/** Returns a function like that of {@link createAsk}, with one account's credentials. */
export function createAskTransport(
  deps: AskOptions & {
    /** Without `/v3/uk`, e.g. `https://transportapi.com`; may have a path. */
    readonly baseUrl: URL;
    readonly appId: string;
    readonly appKey: string;
    readonly dialect: TransportDialect;
  },
) {
  const { baseUrl, appId, appKey, dialect, ...asking } = deps;
  const ask = createAsk("transport", asking, refusalOf);
  /** The specification requires credentials in the query. The public service accepts headers, which end up in fewer logs. */
  const inQuery = dialect === "public" ? {} : { app_id: appId, app_key: appKey };
  const headers = dialect === "public" ? { "x-app-id": appId, "x-app-key": appKey } : {};

  return <T>(verb: string, request: TransportRequest, schema: z.ZodType<T>): Promise<T> =>
    ask({ ...request, verb, baseUrl, query: { ...request.query, ...inQuery }, headers }, schema);
}

// The texts of refusals contain the caller's key: they are read here, but never stored or logged.

/** Older refusals have the status 200. Errors from servers in front of the service are often not JSON. */
function refusalOf(answer: HttpAnswer): Refusal | undefined {
  const { error } = readRefusal(answer, errorSchema) ?? {};
  const hasError = error !== undefined && error !== null;
  return isSuccess(answer) && !hasError
    ? undefined
    : [
        kindOf(answer.status, typeof error === "string" ? error : ""),
        `answered ${answer.status}${isSuccess(answer) ? " with an error inside" : ""}`,
      ];
}

const errorSchema = z.object({ error: z.unknown() });

/** The kind of a refusal. The service has no codes, only statuses and a few phrases (marknotgeorge/TransportApiSharp). */
function kindOf(status: number, text: string): Refusal[0] {
  if (status >= 500) {
    return "unavailable";
  }
  if (/usage limits?/i.test(text)) {
    return "budget-spent";
  }
  if (status === 401 || /authori[sz]ation failed|application_not_found|app_(?:id|key)/i.test(text)) {
    return "unauthorised";
  }
  switch (status) {
    case 403:
      return "not-permitted";
    case 404:
      return "not-found";
    case 429:
      return "rate-limited";
    case 200:
      return /not found|unknown|does not exist/i.test(text) ? "not-found" : "rejected";
    default:
      return status >= 300 && status < 400 ? "unexpected-answer" : "rejected";
  }
}
