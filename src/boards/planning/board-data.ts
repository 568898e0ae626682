// ask-boards.ts asks each distinct question once for all boards and watches.
import type { Board, BoardKind, BoardRow } from "../../rail/departures.ts";
import type { BoardSettings } from "../boards.ts";

/** A board's content as of now, for previews, messages and refreshes alike. */
export interface BoardContent {
  readonly settings: BoardSettings;
  /** `undefined` if no trains are known. */
  readonly board: Board | undefined;
  /** The text in place of trains while the board is paused or outside its hours, e.g. `Back at 07:00 on Monday`. */
  readonly closed?: string | undefined;
  /** Why no trains are known: "spent" if the plan had no call left, "failed" if the service failed. */
  readonly whyUnknown?: "spent" | "failed" | undefined;
  /** Whether this is a refresh of a board that a person has paused. */
  readonly isPaused?: boolean;
  /** Milliseconds since the epoch; `undefined` if the message will never get new data. */
  readonly nextDataMs: number | undefined;
}

/** Filters such as operator and platform are not part of it: the bot applies them at no cost. */
export interface SourceQuestion {
  readonly kind: BoardKind;
  readonly crs: string;
  readonly via?: string | undefined;
}

/** Needs a new answer for a board's slot or for a watch. */
export interface WantedQuestion {
  readonly question: SourceQuestion;
  /** Milliseconds since the epoch. The answer must be asked for at or after this time. */
  readonly sinceMs: number;
}

/** Milliseconds since the epoch. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A question that watches want answered every minute within some spans of time. */
export interface WatchedQuestion {
  readonly question: SourceQuestion;
  readonly spans: readonly TimeSpan[];
  /** The distinct people and servers. */
  readonly ownerIds: readonly string[];
}

/** A source's answer to a question, with all of its trains and buses. */
export interface KnownAnswer {
  /** In the order of aimed times. */
  readonly rows: readonly BoardRow[];
  /** The credit of its sources, as Markdown. */
  readonly credit: string;
  /** When the source made it, in milliseconds since the epoch. */
  readonly dataMs: number;
  /** All trains and buses that are aimed before this time are among the rows. */
  readonly coversUntilMs: number;
  readonly askedAtMs: number;
}

/** A board's questions: one for each calling point in its filter, or one for all trains. */
export function questionsOf({ kind, station, callingAt }: BoardSettings): readonly SourceQuestion[] {
  return callingAt.length === 0
    ? [{ kind, crs: station }]
    : callingAt.map((via) => ({ kind, crs: station, via }));
}

/** e.g. `departures:YRK:LDS`. */
export function questionKey({ kind, crs, via }: SourceQuestion): string {
  return [kind, crs, ...(via === undefined ? [] : [via])].join(":");
}
