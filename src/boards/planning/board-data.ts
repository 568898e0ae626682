// What boards and watches ask, and what they get. Distinct questions are asked once for all, as ask-boards.ts decides.
import type { Board, BoardKind, BoardRow } from "../../rail/departures.ts";
import type { BoardSettings } from "../boards.ts";

/** A board's content as it stands now: the same for the preview, the post and the refresh. */
export interface BoardContent {
  readonly settings: BoardSettings;
  /** `undefined` where nothing is known. */
  readonly board: Board | undefined;
  /** Stands in place of the trains where nobody keeps them up to date for now, e.g. `Back at 07:00 on Monday`. */
  readonly closed?: string | undefined;
  /** Why nothing is known: the plan had no call left, or the service failed. `undefined` where neither is so. */
  readonly whyUnknown?: "spent" | "failed" | undefined;
  /** Whether a person paused the board, and another one refreshed it. */
  readonly isPaused?: boolean;
  /** When its data is asked for again, milliseconds since the epoch; `undefined` where nobody asks any more. */
  readonly nextDataMs: number | undefined;
}

/** One question to the transport service. Operator, platform and the like are filtered here and cost nothing. */
export interface SourceQuestion {
  readonly kind: BoardKind;
  readonly crs: string;
  readonly via?: string | undefined;
}

/** A board that runs, as far as the plan cares. */
export interface PlannedBoard {
  readonly id: string;
  readonly settings: BoardSettings;
}

/** A question that a board's slot, or somebody who refreshed, wants answered again. */
export interface WantedQuestion {
  readonly question: SourceQuestion;
  /** Since when, milliseconds since the epoch: the longest waiting is asked first. */
  readonly sinceMs: number;
}

/** Some time, milliseconds since the epoch. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A question that watches want answered every minute within some spans of time. */
export interface WatchedQuestion {
  readonly question: SourceQuestion;
  readonly spans: readonly TimeSpan[];
  /** The people and servers whose watches these are, each once. */
  readonly ownerIds: readonly string[];
}

/** What the service said to a question, every train and bus of it. */
export interface KnownAnswer {
  /** In the order of aimed times. */
  readonly rows: readonly BoardRow[];
  /** The credit of its sources, as Markdown. */
  readonly credit: string;
  /** When the service made it, milliseconds since the epoch. */
  readonly dataMs: number;
  /** All that is aimed before this moment is among the rows. */
  readonly coversUntilMs: number;
  readonly askedAtMs: number;
}

/** A board's questions: one for each station that it calls at, or one without any. */
export function questionsOf({ kind, station, callingAt }: BoardSettings): readonly SourceQuestion[] {
  return callingAt.length === 0
    ? [{ kind, crs: station }]
    : callingAt.map((via) => ({ kind, crs: station, via }));
}

/** Names a question, e.g. `departures:YRK:LDS`. */
export function questionKey({ kind, crs, via }: SourceQuestion): string {
  return [kind, crs, ...(via === undefined ? [] : [via])].join(":");
}
