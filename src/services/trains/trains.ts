// One train: where it calls, when, and where it is now.
import type { Temporal } from "temporal-polyfill";
import type { BoardKind } from "../departures/departures.ts";
import type { Stale } from "../cache/answers.ts";

/** A train as a board shows it: enough to find it again. */
export interface TrainSighting {
  /** Code of the board's station. */
  readonly crs: string;
  readonly kind: BoardKind;
  readonly aimedAt: Temporal.Instant;
  /** Its destination on departures, its origin on arrivals; perhaps only the beginning of a long name. */
  readonly place: string;
  readonly trainUid: string | undefined;
  /** The day it starts, "YYYY-MM-DD"; it may lie before the day of `aimedAt`. */
  readonly startDate: string | undefined;
}

/** How a calling point stands. */
export type PointState = "passed" | "next" | "ahead" | "cancelled";

export interface CallingPoint {
  readonly crs: string | undefined;
  readonly name: string;
  readonly platform: string | undefined;
  /** When it is to leave, or arrive where it ends. */
  readonly aimedAt: Temporal.Instant;
  /** `undefined` where nothing live is known, e.g. of points it has passed. */
  readonly expectedAt: Temporal.Instant | undefined;
  /** When it is to arrive, where it stands for some minutes before it leaves. */
  readonly arrivesAt: Temporal.Instant | undefined;
  readonly state: PointState;
}

/** Where a train is. */
export type Position =
  | { readonly kind: "not-started"; readonly at: Temporal.Instant; readonly from: string }
  | { readonly kind: "at"; readonly stop: string }
  | { readonly kind: "between"; readonly after: string; readonly before: string }
  | { readonly kind: "finished"; readonly at: string }
  | { readonly kind: "cancelled" }
  /** Late, and nobody knows by how much or where it is. */
  | { readonly kind: "delayed" }
  /** Under way by the timetable, but nobody reports it. */
  | { readonly kind: "unreported" };

export interface Train {
  readonly mode: "train" | "bus";
  readonly origin: string;
  readonly destination: string;
  /** Operator's name, e.g. `LNER`. */
  readonly operator: string | undefined;
  /** In order; at least one. */
  readonly points: readonly CallingPoint[];
  readonly position: Position;
  /** At its next calling point: expected less aimed in whole minutes; `undefined` where nothing live is known. */
  readonly delayMinutes: number | undefined;
  /** When the service made this answer. */
  readonly dataAt: Temporal.Instant;
  /** Set where the answer is older than it should be, because the service could not be asked again. */
  readonly stale: Stale | undefined;
}

export interface Trains {
  /** Throws UserError for a train that cannot be found, ServiceError as the client does. */
  open(sighting: TrainSighting): Promise<Train>;
}
