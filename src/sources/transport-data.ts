// The questions to the sources and their answers, in a form that is the same for every source.
import type { PlannedService } from "../plan/budget.ts";

/** Who answers: the transport service, the railway's own boards, or Transport for London. */
export type SourceName = Exclude<PlannedService, "style">;

export interface TransportQuestion {
  /**
   * Three capital letters name a railway station; 7 to 12 letters and digits, e.g. `940GZZLUOXC`, a London stop. Anything
   * else is a bug in the caller and throws a RangeError.
   */
  readonly crs: string;
  readonly kind: "departures" | "arrivals";
  /** Code of a station called at later (departures) or before (arrivals). */
  readonly via?: string | undefined;
  /** Beginning of the window; now where it is absent. */
  readonly from?: Temporal.Instant | undefined;
  /** Length of the window in minutes, at most 22 hours. */
  readonly windowMinutes: number;
  /** Largest number of rows; the service may give fewer. */
  readonly limit: number;
  /** Whether expected times are wanted where the service has them. */
  readonly live: boolean;
}

interface Dated {
  /** When the service made this answer; when it came where the service does not say. */
  readonly dataAt: Temporal.Instant;
}

interface Credited extends Dated {
  readonly source: SourceName;
  /** The operator's words to credit the source, as Markdown; absent for the usual ones. */
  readonly credit?: string | undefined;
}

/** A station's board as the service gave it. */
export interface TransportBoard extends Credited {
  readonly crs: string;
  readonly stationName: string | undefined;
  /** All that is aimed before this moment is among the rows; there may be more later. */
  readonly coversUntil: Temporal.Instant;
  readonly rows: readonly TransportRow[];
  /** What the station tells its passengers, without markup; the only links are https ones to nationalrail.co.uk. */
  readonly messages?: readonly string[] | undefined;
}

/** What is known of a train, or of a replacement bus. */
interface Vehicle {
  readonly mode: "train" | "bus";
  /** ATOC code, e.g. `GR`. */
  readonly operatorCode: string | undefined;
  readonly operatorName: string | undefined;
  /** Why it is late or cancelled: one sentence, as the source words it. */
  readonly reason?: string | undefined;
  /** How many coaches it has; absent where nobody knows, never 0. */
  readonly coaches?: number | undefined;
}

/** One train or replacement bus at the station. Times are departures or arrivals, as was asked. */
export interface TransportRow extends Vehicle {
  /** The service's own word in capitals, e.g. `STARTS HERE`; it says little about punctuality. */
  readonly status: string | undefined;
  readonly aimedAt: Temporal.Instant;
  readonly expectedAt: Temporal.Instant | undefined;
  /** e.g. `4`, `4B`, `A`. */
  readonly platform: string | undefined;
  /** Destination of departures, origin of arrivals. */
  readonly place: string;
  /**
   * Names a train among those of one day; `undefined` in the specification's dialect. It belongs to its source: those of
   * rail data begin with `ldb:`, and no other source is asked about them.
   */
  readonly trainUid?: string | undefined;
  /** The day on which it starts, "YYYY-MM-DD", which may be the one before. */
  readonly startDate?: string | undefined;
  /** A code that several trains share. */
  readonly service: string | undefined;
  /** It runs, but its call at the station asked for (`via`) is cancelled. */
  readonly viaCancelled?: true | undefined;
  /** Id of a London line, e.g. `victoria`. */
  readonly line?: string | undefined;
  /** Its direction, as on the platform's signs, e.g. `Northbound`. */
  readonly direction?: string | undefined;
  /** The source plans no times: `aimedAt` is when it is expected, to the minute, and it is never late or on time. */
  readonly timing?: "expected-only" | undefined;
}

export interface BusStopQuestion {
  /** Letters and digits; anything else is a bug in the caller and throws a RangeError. */
  readonly atco: string;
  /** Largest number of departures; the service may give fewer. */
  readonly limit: number;
}

export interface TransportBusStop extends Credited {
  readonly atco: string;
  /** e.g. `Boar Lane (stop P6)`. */
  readonly name: string | undefined;
  /** e.g. `Leeds City Centre, Leeds`. */
  readonly locality: string | undefined;
  /** The way its buses face, e.g. `SE`. */
  readonly bearing: string | undefined;
  readonly point: PlacePoint | undefined;
  /** In the order in which they are due. */
  readonly departures: readonly BusDeparture[];
}

/** One bus. At least one of its two times is known. */
export interface BusDeparture {
  /** e.g. `4A`. */
  readonly line: string;
  /** Where it goes; `undefined` where the service does not know. */
  readonly direction: string | undefined;
  /** Name where it is known, else code. */
  readonly operator: string | undefined;
  /** The timetable's time; often absent in London. */
  readonly aimedAt: Temporal.Instant | undefined;
  /** Where the bus itself has reported. */
  readonly expectedAt: Temporal.Instant | undefined;
  readonly isCancelled: boolean;
}

/** Where a journey begins or ends. Values that could not be one are a bug in the caller and throw a RangeError. */
export type JourneyPlace =
  | { readonly kind: "station"; readonly crs: string }
  /** With or without its space, e.g. `YO24 1AB`. */
  | { readonly kind: "postcode"; readonly postcode: string }
  /** Degrees. */
  | { readonly kind: "point"; readonly latitude: number; readonly longitude: number }
  | { readonly kind: "stop"; readonly atcocode: string };

export interface TransportJourneyQuestion {
  readonly from: JourneyPlace;
  readonly to: JourneyPlace;
  /** To the minute. */
  readonly at: Temporal.Instant;
  /** Whether `at` is the latest arrival and not the earliest departure. */
  readonly arriveBy: boolean;
}

export interface TransportJourneys extends Dated {
  readonly routes: readonly TransportRoute[];
  /** Whom the answer asks to name beside the service itself. */
  readonly acknowledgements: string | undefined;
}

export interface TransportRoute {
  readonly departsAt: Temporal.Instant;
  readonly arrivesAt: Temporal.Instant;
  readonly durationMinutes: number;
  /** Pounds sterling. */
  readonly pricePounds: number | undefined;
  /** At least one; waits are the gaps between them. */
  readonly legs: readonly TransportLeg[];
  /** Vehicles less one: what one walks is no change. */
  readonly changes: number;
}

export interface TransportLeg {
  /** `walk`, or the service's word for the vehicle in small letters, e.g. `train`, `bus`, `tube`, `tram`, `boat`. */
  readonly mode: string;
  /** e.g. `Northern` or `4A`; trains of the public service have a number here. */
  readonly line: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** What the vehicle has on its front. */
  readonly destination: string | undefined;
  readonly departsAt: Temporal.Instant;
  readonly arrivesAt: Temporal.Instant;
}

/** `other` is whatever the service does not name. */
export type NetworkMode = "train" | "tube" | "tram" | "bus" | "ferry" | "other";

/** The cache key of each source's answer about its network, which people's questions and watches share. */
export const NETWORK_KEYS: Readonly<Record<SourceName, string>> = {
  transport: "network",
  "rail-data": "operators",
  tfl: "line-status",
};

/** How the network stands, as far as the service says. */
export interface TransportNetwork extends Dated {
  /**
   * `status`: every line, good or not, as the specification's short path gives. `bus-situations`: disruptions on the
   * buses and nothing else, which is all that the public service has.
   */
  readonly basis: "status" | "bus-situations";
  /** As in {@link TransportBoard}. */
  readonly credit?: string | undefined;
  readonly entries: readonly NetworkEntry[];
}

export interface NetworkEntry {
  /** Id of a London line, e.g. `victoria`. */
  readonly line?: string | undefined;
  readonly mode: NetworkMode;
  /** The source's id of the incident that this is about, where it gives one; several operators may report the same. */
  readonly incident?: string | undefined;
  /** A line's name or an incident's summary. */
  readonly name: string;
  /** A line's state in the service's words, e.g. `Minor delays`; `undefined` for an incident. */
  readonly state: string | undefined;
  readonly description: string | undefined;
  readonly isDisrupted: boolean;
  /** When an incident begins and ends, where it is known. */
  readonly from: Temporal.Instant | undefined;
  readonly until: Temporal.Instant | undefined;
}

/** What a place is. `other` is anything the service has no boards or stops for, e.g. a street or a point of interest. */
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

/** What to ask for. Without `text` and without `near` every answer is empty. */
export interface PlacesQuestion {
  /** Part of a name, or a postcode. */
  readonly text?: string | undefined;
  readonly near?: PlacePoint | undefined;
  /** Only places of these kinds; every kind where it is absent. */
  readonly kinds?: readonly PlaceKind[] | undefined;
  /** From 1. */
  readonly page: number;
}

export interface Place extends PlacePoint {
  readonly kind: PlaceKind;
  readonly name: string;
  /** Code of a train station, e.g. `YRK`. */
  readonly crs: string | undefined;
  /** Code of a stop or station in the national register (NaPTAN), e.g. `3290YYA00103`. */
  readonly atco: string | undefined;
  /** From the point asked about, where the service says so. */
  readonly distanceMetres: number | undefined;
  /** Where it lies, e.g. `Bishopthorpe, York`. */
  readonly locality: string | undefined;
}

/** One page of places, in the service's order. */
export interface PlacesPage extends Dated {
  readonly places: readonly Place[];
  /** Whether a further page may hold more; the service seldom says so itself. */
  readonly hasMore: boolean;
  /** Whom the service's terms ask to be named, as the service words it. */
  readonly acknowledgements: string | undefined;
}

/** Which train: its id among those of one day, and the day it starts. */
export interface TransportTrainQuestion {
  /** e.g. `C00001`, or `ldb:` and an id of rail data; a value that could not be one is a bug in the caller and throws a RangeError. */
  readonly trainUid: string;
  readonly startDate: Temporal.PlainDate;
}

export interface TransportTrain extends Credited, Vehicle {
  readonly origin: string | undefined;
  readonly destination: string | undefined;
  /** Where it stops, in order; at least one. Where it only passes is left out. */
  readonly stops: readonly TransportStop[];
  /** Parts that leave or join the train on the way; their stops are not among the train's own. */
  readonly portions?: readonly TransportPortion[] | undefined;
}

/** A part of a train that leaves it or joins it on the way. */
export interface TransportPortion {
  readonly kind: "divides" | "joins";
  /** The station at which it does so: the first of its stops if the train divides, the last if it joins. */
  readonly at: string;
  /** At least two. */
  readonly stops: readonly TransportStop[];
  readonly coaches?: number | undefined;
  /** The coaches at the front are the ones that leave; absent where nobody knows which. */
  readonly isFront?: true | undefined;
}

/** Times are `undefined` where the train has none (its first arrival), or where nothing live is known. */
export interface TransportStop {
  readonly crs: string | undefined;
  readonly name: string;
  readonly platform: string | undefined;
  readonly aimedArrivalAt: Temporal.Instant | undefined;
  readonly expectedArrivalAt: Temporal.Instant | undefined;
  readonly aimedDepartureAt: Temporal.Instant | undefined;
  readonly expectedDepartureAt: Temporal.Instant | undefined;
  /** The service's own word in capitals, e.g. `CANCELLED`; passed stops have none. */
  readonly status: string | undefined;
}

// The ids of trains. Each belongs to the source that gave it.

/** The prefix of rail data's ids; the service's own id follows. */
export const RAIL_DATA_PREFIX = "ldb:";

/** The only source that can be asked about this train. */
export function sourceOfTrain(trainUid: string): SourceName {
  return trainUid.startsWith(RAIL_DATA_PREFIX) ? "rail-data" : "transport";
}

/** The part of an id that is the same on every station's board: rail data adds the station to a number. */
export function commonTrainId(trainUid: string): string {
  return sourceOfTrain(trainUid) === "rail-data" ? trainUid.slice(0, RAIL_DATA_PREFIX.length + 7) : trainUid;
}
