// What a board without rows says.
import type { Temporal } from "temporal-polyfill";
import { UK_TIME_ZONE, formatUkDay } from "../core/uk-time.ts";
import type { Board } from "../services/departures/departures.ts";
import { dayAndTime, laterStart, placeWord, questionFilters, rowWords } from "./board-words.ts";

/** What an empty board says: that nothing goes, and when the next one does. */
export interface EmptyWords {
  /** e.g. `No departures in the next two hours`, `No direct trains in the two hours from 19:20`, `… before 19:20`. */
  readonly nothing: string;
  /** e.g. `05:12`, `to`, `Leeds`. `first` where nothing is known to leave before, e.g. `First train`. */
  readonly next:
    | {
        readonly first: string | undefined;
        readonly time: string;
        readonly toward: string;
        readonly place: string;
      }
    | undefined;
  /** e.g. `tomorrow`; empty when it is today, or where `nothing` says it. */
  readonly nextDay: string;
  /** e.g. `expected 05:20`; empty when all is well. */
  readonly nextState: string;
  /** Where the next one was looked for in vain, e.g. `within 24 hours`; empty where nobody looked. */
  readonly looked: string;
  /** What to try where the filters leave nothing at all, e.g. `Try a station on the way`; else empty. */
  readonly hint: string;
}

/** Words for a board without rows. */
export function emptyWords(board: Board): EmptyWords {
  const { via, operator, platform } = board.question;
  const later = laterStart(board);
  // A channel's board stands for longer than "the next two hours" would be true.
  const { knownUntil } = board;
  const when = knownUntil
    ? `before ${dayAndTime(knownUntil, board.dataAt)}`
    : later
      ? `in the two hours from ${dayAndTime(later, board.dataAt)}`
      : "in the next two hours";
  const next = board.next && rowWords(board.next, board.dataAt);
  return {
    nothing: `No ${trainsWord(board)} ${when}`,
    next: next && {
      first: knownUntil && `First ${next.isBus ? "bus" : "train"}`,
      time: next.time,
      toward: placeWord(board.question.kind),
      place: next.place,
    },
    // A channel's board may stand until "tomorrow" has come.
    nextDay: board.next && !knownUntil ? relativeDay(board.next.aimedAt, board.dataAt) : "",
    nextState: next?.lateness === undefined ? troubleWord(next?.expected) : `expected ${next.expected}`,
    looked: knownUntil ? "" : "within 24 hours",
    // Who reads a channel's board cannot change it.
    hint: knownUntil
      ? ""
      : operator || platform
        ? "Leave out a filter to see more"
        : via
          ? "Try a station on the way"
          : "",
  };
}

/** Without a word for the filters, a board that they emptied reads as if the station slept. */
function trainsWord({ question }: Board): string {
  const { kind, via, operator, platform, narrowing } = question;
  const isNarrowed = narrowing && questionFilters({ ...question, via: undefined }).length > 0;
  const such = narrowing?.transport === "buses" ? "such buses" : "such trains";
  return operator || platform || isNarrowed ? such : via ? "direct trains" : kind;
}

function troubleWord(expected: string | undefined): string {
  return expected === "Cancelled" || expected === "Delayed" ? expected.toLowerCase() : "";
}

function relativeDay(instant: Temporal.Instant, dataAt: Temporal.Instant): string {
  const day = instant.toZonedDateTimeISO(UK_TIME_ZONE).toPlainDate();
  const today = dataAt.toZonedDateTimeISO(UK_TIME_ZONE).toPlainDate();
  const days = today.until(day).days;
  return days === 0 ? "" : days === 1 ? "tomorrow" : `on ${formatUkDay(instant)}`;
}
