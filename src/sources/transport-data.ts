// The types of questions and answers, the same for every source.
import type { PlannedService } from "../plan/budget.ts";

/** The transport service, the railway's own boards (rail data), or Transport for London. */
export type SourceName = Exclude<PlannedService, "style">;

export interface TransportQuestion {
  /** Three capital letters, or a London stop's id, e.g. `940GZZLUOXC`; for others, clients throw a RangeError. */
  readonly crs: string;
  readonly kind: "departures" | "arrivals";
  /** The code of a station at which the train calls afterwards (departures) or has called before (arrivals). */
  readonly via?: string | undefined;
  /** Beginning of the window. Default: now. */
  readonly from?: Temporal.Instant | undefined;
  /** Length of the window in minutes, at most 22 hours. */
  readonly windowMinutes: number;
  /** The largest number of rows; the service may return fewer. */
  readonly limit: number;
  /** Whether to ask for expected times too. */
  readonly live: boolean;
}

interface Dated {
  /** When the service produced the answer; if it does not say, when the answer arrived. */
  readonly dataAt: Temporal.Instant;
}

interface Credited extends Dated {
  readonly source: SourceName;
  /** The operator's wording of the source's credit, as Markdown; absent for the default in `source-words.ts`. */
  readonly credit?: string | undefined;
}

export interface TransportBoard extends Credited {
  readonly crs: string;
  /** The rows include everything that is aimed before this time. Later trains may be missing. */
  readonly coversUntil: Temporal.Instant;
  readonly rows: readonly TransportRow[];
  /** The station's messages to passengers, as Markdown; the only links are https links to nationalrail.co.uk. */
  readonly messages?: readonly string[] | undefined;
}

/** A train or a replacement bus. */
interface Vehicle {
  readonly mode: "train" | "bus";
  /** ATOC code, e.g. `GR`. */
  readonly operatorCode: string | undefined;
  readonly operatorName: string | undefined;
  /** Why it is late or cancelled, in one sentence from the source. */
  readonly reason?: string | undefined;
  /** The number of coaches, at least 1; absent if it is not known. */
  readonly coaches?: number | undefined;
}

/** One train or replacement bus at the station. Its times are departures or arrivals, depending on the question. */
export interface TransportRow extends Vehicle {
  /** The service's own word in capitals, e.g. `STARTS HERE`; it says little about punctuality. */
  readonly status: string | undefined;
  readonly aimedAt: Temporal.Instant;
  readonly expectedAt: Temporal.Instant | undefined;
  /** e.g. `4`, `4B`, `A`. */
  readonly platform: string | undefined;
  /** The destination of a departure, the origin of an arrival. */
  readonly place: string;
  /** Unique among a day's trains of its source; rail data's begin with `ldb:`. The specification has none. */
  readonly trainUid?: string | undefined;
  /** The day on which the train starts, "YYYY-MM-DD", which may be the day before. */
  readonly startDate?: string | undefined;
  /** The way it takes, e.g. `via Hounslow`, if several lead to the place. */
  readonly route?: string | undefined;
  /** A planned destination (of an arrival: origin) that the train no longer has, although it runs, e.g. `Brighton`. */
  readonly cancelledPlace?: string | undefined;
  /** The train runs, but some of its later stops are cancelled. Only set if the question has no `via`. */
  readonly laterCancelled?: true | undefined;
  /** The train runs, but does not call at the question's `via`. */
  readonly viaCancelled?: true | undefined;
  /** Id of a London line, e.g. `victoria`. */
  readonly line?: string | undefined;
  /** The line's direction, as on the platform's signs, e.g. `Northbound`. */
  readonly direction?: string | undefined;
  /** The source has no timetable: `aimedAt` is the expected time to the minute, and the train is never late or on time. */
  readonly timing?: "expected-only" | undefined;
}

export interface BusStopQuestion {
  /** Letters and digits. Anything else is a bug in the caller, for which clients throw a RangeError. */
  readonly atco: string;
  /** The largest number of departures; the service may return fewer. */
  readonly limit: number;
}

export interface TransportBusStop extends Credited {
  readonly atco: string;
  /** e.g. `Boar Lane (stop P6)`. */
  readonly name: string | undefined;
  /** e.g. `Leeds City Centre, Leeds`. */
  readonly locality: string | undefined;
  /** The direction that its buses face, e.g. `SE`. */
  readonly bearing: string | undefined;
  readonly point: PlacePoint | undefined;
  /** Sorted by the time at which they are due. */
  readonly departures: readonly BusDeparture[];
}

/** One bus, with at least one of its two times. */
export interface BusDeparture {
  /** e.g. `4A`. */
  readonly line: string;
  /** The destination; `undefined` if the service does not know it. */
  readonly direction: string | undefined;
  /** The operator's name or, if that is not known, its code. */
  readonly operator: string | undefined;
  /** The timetable's time; often absent in London. */
  readonly aimedAt: Temporal.Instant | undefined;
  /** Known if the bus itself has reported. */
  readonly expectedAt: Temporal.Instant | undefined;
  readonly isCancelled: boolean;
}

/** Where a journey begins or ends. A malformed value is a bug in the caller, for which clients throw a RangeError. */
export type JourneyPlace =
  | { readonly kind: "station"; readonly crs: string }
  /** With or without the space, e.g. `YO24 1AB`. */
  | { readonly kind: "postcode"; readonly postcode: string }
  /** Degrees. */
  | { readonly kind: "point"; readonly latitude: number; readonly longitude: number }
  | { readonly kind: "stop"; readonly atcocode: string };

export interface TransportJourneyQuestion {
  readonly from: JourneyPlace;
  readonly to: JourneyPlace;
  /** Precise to the minute. */
  readonly at: Temporal.Instant;
  /** Whether `at` is the latest arrival. Otherwise, it is the earliest departure. */
  readonly arriveBy: boolean;
}

export interface TransportJourneys extends Dated {
  readonly routes: readonly TransportRoute[];
  /** Acknowledgements that the answer requires, in addition to the service's credit. */
  readonly acknowledgements: string | undefined;
}

export interface TransportRoute {
  readonly departsAt: Temporal.Instant;
  readonly arrivesAt: Temporal.Instant;
  readonly durationMinutes: number;
  readonly pricePounds: number | undefined;
  /** At least one. A wait is a gap between two legs. */
  readonly legs: readonly TransportLeg[];
  /** The number of vehicles minus one; walking does not count. */
  readonly changes: number;
}

export interface TransportLeg {
  /** `walk`, or the service's word for the vehicle in lower case, e.g. `train`, `bus`, `tube`, `tram`, `boat`. */
  readonly mode: string;
  /** e.g. `Northern` or `4A`; in the public service's dialect, trains have a number here. */
  readonly line: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The destination on the vehicle's front. */
  readonly destination: string | undefined;
  readonly departsAt: Temporal.Instant;
  readonly arrivesAt: Temporal.Instant;
}

/** `other`: the service does not name the mode, or names an unknown one. */
export type NetworkMode = "train" | "tube" | "tram" | "bus" | "ferry" | "other";

/** The cache key of each source's answer about its network. People's questions and watches share the answer. */
export const NETWORK_KEYS: Readonly<Record<SourceName, string>> = {
  transport: "network",
  "rail-data": "operators",
  tfl: "line-status",
};

export interface TransportNetwork extends Dated {
  /** `bus-situations`: only disruptions of buses; the public dialect of the transport service has nothing else. */
  readonly basis: "status" | "bus-situations";
  /** As in {@link TransportBoard}. */
  readonly credit?: string | undefined;
  readonly entries: readonly NetworkEntry[];
}

export interface NetworkEntry {
  /** Id of a London line, e.g. `victoria`. */
  readonly line?: string | undefined;
  readonly mode: NetworkMode;
  /** The source's id of the incident, if it has one. Several operators may report the same incident. */
  readonly incident?: string | undefined;
  /** A line's or operator's name, or an incident's summary. */
  readonly name: string;
  /** A line's or operator's state in the service's words, e.g. `Minor delays`; `undefined` for an incident. */
  readonly state: string | undefined;
  readonly description: string | undefined;
  readonly isDisrupted: boolean;
  /** When an incident begins and ends, if known. */
  readonly from: Temporal.Instant | undefined;
  readonly until: Temporal.Instant | undefined;
}

/** `other`: a place without boards or stops, e.g. a street or a point of interest. */
export type PlaceKind =
  | "train-station"
  | "bus-stop"
  | "tube-station"
  | "tram-stop"
  | "ferry"
  | "settlement"
  | "postcode"
  | "other";

/** Degrees, WGS 84. */
export interface PlacePoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** A search for places. Without `text` and `near`, every answer is empty. */
export interface PlacesQuestion {
  /** Part of a name, or a postcode. */
  readonly text?: string | undefined;
  readonly near?: PlacePoint | undefined;
  /** Only places of these kinds. Default: all kinds. */
  readonly kinds?: readonly PlaceKind[] | undefined;
  /** Counted from 1. */
  readonly page: number;
}

export interface Place extends PlacePoint {
  readonly kind: PlaceKind;
  readonly name: string;
  /** Code of a train station, e.g. `YRK`. */
  readonly crs: string | undefined;
  /** Code of a stop or station in the national register (NaPTAN), e.g. `3290YYA00103`. */
  readonly atco: string | undefined;
  /** The distance from `near`, if the service reports it. */
  readonly distanceMetres: number | undefined;
  /** e.g. `Bishopthorpe, York`. */
  readonly locality: string | undefined;
}

/** One page of places, in the service's order. */
export interface PlacesPage extends Dated {
  readonly places: readonly Place[];
  /** Whether the next page may have more places. Usually a guess, because the service seldom gives the total. */
  readonly hasMore: boolean;
  /** Acknowledgements that the service's terms require, in its own words. */
  readonly acknowledgements: string | undefined;
}

export interface TransportTrainQuestion {
  /** e.g. `C00001`, or `ldb:` and an id of rail data. For any other, which is a bug, clients throw a RangeError. */
  readonly trainUid: string;
  /** The day on which the train starts. */
  readonly startDate: Temporal.PlainDate;
}

export interface TransportTrain extends Credited, Vehicle {
  readonly origin: string | undefined;
  readonly destination: string | undefined;
  /** At least one, in order, without the stations that the train only passes. */
  readonly stops: readonly TransportStop[];
  /** Their stops are not among the train's own. */
  readonly portions?: readonly TransportPortion[] | undefined;
}

/** A part of a train that leaves or joins it on the way. */
export interface TransportPortion {
  readonly kind: "divides" | "joins";
  /** The station at which it leaves or joins: its first stop if it leaves, its last if it joins. */
  readonly at: string;
  /** At least two. */
  readonly stops: readonly TransportStop[];
  readonly coaches?: number | undefined;
  /** The coaches at the front leave; absent if it is not known which leave. */
  readonly isFront?: true | undefined;
}

/** A time is `undefined` if the train has none, e.g. no arrival at its first stop, or if nothing live is known. */
export interface TransportStop {
  readonly crs: string | undefined;
  readonly name: string;
  readonly platform: string | undefined;
  readonly aimedArrivalAt: Temporal.Instant | undefined;
  readonly expectedArrivalAt: Temporal.Instant | undefined;
  readonly aimedDepartureAt: Temporal.Instant | undefined;
  readonly expectedDepartureAt: Temporal.Instant | undefined;
  /** The service's own word in capitals, e.g. `CANCELLED`; `undefined` for stops that are over. */
  readonly status: string | undefined;
}

/** The prefix that we put before rail data's own ids. */
export const RAIL_DATA_PREFIX = "ldb:";

/** The only source that can be asked about this train. */
export function sourceOfTrain(trainUid: string): SourceName {
  return trainUid.startsWith(RAIL_DATA_PREFIX) ? "rail-data" : "transport";
}

/** The part of an id that is the same on every station's board. In rail data, an id is a number followed by the station. */
export function commonTrainId(trainUid: string): string {
  return sourceOfTrain(trainUid) === "rail-data" ? trainUid.slice(0, RAIL_DATA_PREFIX.length + 7) : trainUid;
}
