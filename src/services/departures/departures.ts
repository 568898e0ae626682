// Live boards: what leaves, or arrives at, a station.
import type { Temporal } from "temporal-polyfill";
import type { Stale } from "../cache/answers.ts";
import type { Station } from "../stations/stations.ts";

export type BoardKind = "departures" | "arrivals";

/** How far a board looks ahead: what the public service's live boards do by themselves. */
export const BOARD_WINDOW_MINUTES = 120;

/** What a person wants to see. */
export interface BoardQuestion {
  readonly kind: BoardKind;
  readonly station: Station;
  /** Departures: only trains that call there later. Arrivals: only trains that called there before. */
  readonly via?: Station | undefined;
  /** Operator's code or name, in any case, e.g. `GR` or `lner`. */
  readonly operator?: string | undefined;
  /** e.g. `4` or `4b`, in any case. */
  readonly platform?: string | undefined;
  /** How many rows at most. */
  readonly rows: number;
  /** First aimed time to show; now where it is absent or past. */
  readonly from?: Temporal.Instant | undefined;
  /** Set on a channel's board. */
  readonly narrowing?: BoardNarrowing | undefined;
}

/** What only a channel's board can be narrowed to. */
export interface BoardNarrowing {
  /** Two or more stations, as `via` for one; otherwise empty. */
  readonly callingAt: readonly Station[];
  /** Whether a train must call at all of them; otherwise at any. */
  readonly callingAtAll: boolean;
  /** Two or more platforms, any of which will do, as `platform` for one; otherwise empty. */
  readonly platforms: readonly string[];
  readonly transport: "all" | "trains" | "buses";
  /** Leaves out what leaves sooner than one can be there; 0 for nothing. */
  readonly walkMinutes: number;
}

/** How a service stands at this station. Worked out from the times; the service's word counts only for the first three. */
export type RowState =
  | "cancelled"
  /** Late, and nobody knows by how much. */
  | "delayed"
  /** Nothing live is known; only the timetable's time. */
  | "scheduled"
  | "late"
  | "early"
  | "on-time";

export interface BoardRow {
  /** `bus`: a replacement bus. */
  readonly mode: "train" | "bus";
  /** Where it goes (departures) or comes from (arrivals). */
  readonly place: string;
  readonly platform: string | undefined;
  /** Operator's name, e.g. `LNER`. */
  readonly operator: string | undefined;
  readonly aimedAt: Temporal.Instant;
  readonly expectedAt: Temporal.Instant | undefined;
  /** Whole minutes, expected less aimed; negative when early; `undefined` without an expected time. */
  readonly delayMinutes: number | undefined;
  readonly state: RowState;
  /** Names the train among those of one day, e.g. `C00001`, where the service says so. */
  readonly trainUid?: string | undefined;
  /** The day on which it starts, "YYYY-MM-DD", where the service says so. */
  readonly startDate?: string | undefined;
}

export interface Board {
  readonly question: BoardQuestion;
  /** In the order of aimed times. */
  readonly rows: readonly BoardRow[];
  /** When the service made this answer. */
  readonly dataAt: Temporal.Instant;
  /** Set where the answer is older than it should be, because the service could not be asked again. */
  readonly stale?: Stale;
  /** Aimed time of the first row that did not fit, for a "later" button; `undefined` when all are shown. */
  readonly laterFrom: Temporal.Instant | undefined;
  /** On a board without rows: the next service that fits the question, within a day; `undefined` if there is none. */
  readonly next: BoardRow | undefined;
  /**
   * Set on a channel's board, which is never looked for beyond: all that is aimed before this moment is known. Where it
   * has no rows but a `next`, that one's time: nothing leaves before.
   */
  readonly knownUntil?: Temporal.Instant | undefined;
}

export interface Departures {
  /** Asks the transport service. Throws UserError for a question that cannot be answered, ServiceError as the client does. */
  board(question: BoardQuestion): Promise<Board>;
}
