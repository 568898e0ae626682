// The transport data service: one verb for each thing that can be asked. Both dialects are spoken when asking;
// answers of either are always understood.
import { currentInstant } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { type TransportDialect, type TransportRequest, createAskTransport } from "./ask.ts";
import { checkedCrs } from "../ask.ts";
import { LIVE_WINDOW_MINUTES, boardSchema, readBoard } from "./read-board.ts";
import type {
  BusStopQuestion,
  JourneyPlace,
  PlacesPage,
  PlacesQuestion,
  TransportBoard,
  TransportBusStop,
  TransportJourneyQuestion,
  TransportJourneys,
  TransportNetwork,
  TransportQuestion,
  TransportTrain,
  TransportTrainQuestion,
} from "../transport-data.ts";
import { networkSchema, readNetwork } from "./read-network.ts";
import { formatPlacesRequest, placesSchema, readPlaces } from "./read-places.ts";
import { busStopSchema, readBusStop } from "./read-bus-stop.ts";
import { journeySchema, readJourneys } from "./read-journey.ts";
import { readTrain, trainSchema } from "./read-train.ts";
import { formatUkDate, formatUkDateTime, formatUkTime, isBefore, startOfMinute } from "../../time/uk-time.ts";

export type TransportClient = ReturnType<typeof createTransportClient>;

/** A client for one account. Each verb is one request and throws as {@link createAsk} says. */
export function createTransportClient({
  log,
  ...dependencies
}: Parameters<typeof createAskTransport>[0] & {
  /** Gets a line when parts of an answer could not be used. */
  readonly log: Log;
}) {
  const { dialect, clock } = dependencies;
  const ask = createAskTransport(dependencies);
  const now = () => currentInstant(clock);

  return {
    /** Whether it is about a railway station. */
    canAnswer: ({ crs }: TransportQuestion): boolean => crs.length === 3,
    async board(question: TransportQuestion): Promise<TransportBoard> {
      const askedAt = now();
      const request = formatBoardRequest(question, dialect, askedAt);
      const body = await ask("board", request, boardSchema);
      return readBoard(body, { question, source: request.source, now: askedAt }, (skippedRows) =>
        log.warn({ service: "transport", crs: question.crs, skippedRows }, "board rows skipped"),
      );
    },
    async places(question: PlacesQuestion): Promise<PlacesPage> {
      const body = await ask("places", formatPlacesRequest(question, dialect), placesSchema);
      return readPlaces(body, question, now());
    },
    async busStop(question: BusStopQuestion): Promise<TransportBusStop> {
      const body = await ask("bus-stop", formatBusStopRequest(question, dialect), busStopSchema);
      return readBusStop(body, question.atco, now());
    },
    /** The state of the network, or what the dialect has instead. */
    async network(): Promise<TransportNetwork> {
      const body = await ask("network", formatNetworkRequest(dialect), networkSchema);
      return readNetwork(body, dialect === "public" ? "bus-situations" : "status", now());
    },
    async journeys(question: TransportJourneyQuestion): Promise<TransportJourneys> {
      const body = await ask("journey", formatJourneyRequest(question, dialect, now()), journeySchema);
      return readJourneys(body, question, now(), (skippedRoutes) =>
        log.warn({ service: "transport", skippedRoutes }, "journey routes skipped"),
      );
    },
    /** One train's calling points, live where the service knows more than its timetable. */
    async train(question: TransportTrainQuestion): Promise<TransportTrain> {
      const body = await ask("train", formatTrainRequest(question, dialect), trainSchema);
      return readTrain(body, question, now());
    },
  };
}

/**
 * Writes a question as a request. `now` decides whether a live board reaches as far as `from`. `source` says which of the
 * service's answers it will be: they cover different spans of time.
 */
function formatBoardRequest(
  question: TransportQuestion,
  dialect: TransportDialect,
  now: Temporal.Instant,
): TransportRequest & { readonly source: "live" | "timetable" } {
  const { kind, via, from, limit, windowMinutes } = question;
  const scheme = dialect === "public" ? "crs:" : "";
  const common = {
    type: kind === "departures" ? "departure" : "arrival",
    // Freight and empty trains may appear otherwise.
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
  // A live board reaches no further than its own window, whose last minutes are not worth asking for.
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

/** The service's own form of a length of time: "PT02:00:00". */
function formatOffset(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `PT${String(hours).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}:00`;
}

/** The specification has a short path for it; the public service has no state of the network, only bus situations. */
function formatNetworkRequest(dialect: TransportDialect): TransportRequest {
  return dialect === "public"
    ? { path: "/v3/uk/bus/situations.json", query: { limit: "20" } }
    : { path: "/v3/uk/status.json", query: {} };
}

function formatBusStopRequest({ atco, limit }: BusStopQuestion, dialect: TransportDialect): TransportRequest {
  // A code becomes part of a path, so nothing but a code may pass.
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

/** Writes the question for one train's calling points in a dialect's terms; the specification leaves its path open. */
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

/** A letter, or a space on paper, and five digits; read generously. */
const TRAIN_UID = /^[A-Za-z0-9]{2,12}$/;

/**
 * Writes a question as a request. The specification's path has a time but no date: for other days than today's, and
 * for arriving by a time, it is asked in the way that the public service had before.
 */
function formatJourneyRequest(
  { from, to, at, arriveBy }: TransportJourneyQuestion,
  dialect: TransportDialect,
  now: Temporal.Instant,
): TransportRequest {
  const ends = { from: formatPlaceId(from), to: formatPlaceId(to) };
  const date = formatUkDate(at);
  const time = formatUkTime(at);
  if (dialect === "public") {
    return {
      path: "/v3/uk/public_journey.json",
      query: {
        ...ends,
        date,
        time,
        // The word for arriving is in no document at hand; the sibling of the one that is.
        journey_time_type: arriveBy ? "arrive_before" : "leave_after",
        // Plans for the whole of the country.
        service: "silverrail",
      },
    };
  }
  const path = `/v3/uk/public/journey/from/${ends.from}/to/${ends.to}`;
  return arriveBy || date !== formatUkDate(now)
    ? { path: `${path}/${arriveBy ? "by" : "at"}/${date}/${time}.json`, query: {} }
    : { path: `${path}.json`, query: { ...ends, time } };
}

/** A place in the service's notation, which becomes part of a path: nothing but a place may pass. */
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

/** Six digits are some ten centimetres. */
function degrees(value: number, most: number): string {
  if (!(Math.abs(value) <= most)) {
    throw new RangeError("a place of a journey lies nowhere on Earth");
  }
  return String(Number(value.toFixed(6)));
}
