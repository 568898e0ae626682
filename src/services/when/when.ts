// The moment a person means, from what they typed for a date and a time.
import type { Temporal } from "temporal-polyfill";

/** What a person typed; `undefined` where they left it out. */
export interface WhenText {
  readonly date: string | undefined;
  readonly time: string | undefined;
}

/** A moment, to the minute. */
export interface When {
  readonly at: Temporal.Instant;
  /** They asked for no other time than this one. */
  readonly isNow: boolean;
  /** A sentence for people where clocks change, e.g. which of two 01:30 was taken; `undefined` otherwise. */
  readonly note: string | undefined;
}

/** Reads times as people write them. */
export interface WhenReader {
  /** Throws a UserError that says what to type instead. */
  read(text: WhenText): When;
}

/** How far ahead timetables are asked for: railways publish theirs some twelve weeks ahead. */
export const WEEKS_AHEAD = 12;
