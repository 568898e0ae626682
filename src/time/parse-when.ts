// Parses a date and a time that people type separately, in UK time.
import { type Clock, currentInstant } from "../core/clock.ts";
import { UserError } from "../core/errors.ts";
import { UK_TIME_ZONE, isBefore, startOfMinute, ukInstantOf } from "./uk-time.ts";
import { type Day, parseDay, looksLikeTime, parseTimeOfDay } from "./day-and-time.ts";
import { isDay, nextMoment, splitDayAndTime } from "./parse-moment.ts";
import { formatDate, formatTime, nonBlank, plainMoment } from "./words.ts";

export const dateOption = {
  type: "string",
  description: "Which day, e.g. tomorrow, Fri, 25 Dec or 2026-12-25",
} as const;
export const timeOption = {
  type: "string",
  description: "UK time, e.g. 17:31 or 5pm (default: now)",
} as const;

export type WhenReader = ReturnType<typeof createWhenReader>;

export function createWhenReader(clock: Clock) {
  return {
    /** Throws a UserError that says what to type instead. */
    read: (text: WhenText) => parseWhen(text, currentInstant(clock)),
    /** The arguments of `read` for a text that is clearly a day, a time or both; otherwise `undefined`. */
    split: (text: string) =>
      splitWhen(text, currentInstant(clock).toZonedDateTimeISO(UK_TIME_ZONE).toPlainDate()),
  };
}

/**
 * Parses a moment. Without a date, a time means the next time that clocks show it. Without a time, a date means the
 * current time on that day. Throws a UserError if the moment is past, more than twelve weeks ahead, or does not exist.
 */
export function parseWhen(text: WhenText, instant: Temporal.Instant): When {
  const now = startOfMinute(instant);
  const today = now.toZonedDateTimeISO(UK_TIME_ZONE).toPlainDate();
  const { date, time } = assignDateAndTime(nonBlank(text.date), nonBlank(text.time), today);
  const day = date === undefined ? undefined : parseDay(date, today);
  if (day) {
    refuseFarDays(day, today);
  }
  const timeOfDay = time === undefined ? "now" : parseTimeOfDay(time);
  if (timeOfDay === "now") {
    return thisTime(day, now, today, time !== undefined);
  }
  const { at, which } = nextMoment(day, timeOfDay, { zone: UK_TIME_ZONE, now });
  const written = formatTime(timeOfDay);
  if (isBefore(at, now)) {
    throw new UserError(`${written} has already passed today. Pick a later time, or tomorrow as the date.`);
  }
  const other = which === "second" ? "BST for the first" : "GMT for the second";
  return {
    at,
    isNow: false,
    note:
      which &&
      `Clocks go back that night, so ${written} happens twice. This is the ${which}; type ${written} ${other}.`,
  };
}

/** Also understands a time that was typed as the date, or both in one of the two options, e.g. `tomorrow 8:16`. */
function assignDateAndTime(
  date: string | undefined,
  time: string | undefined,
  today: Temporal.PlainDate,
): WhenText {
  if (date !== undefined && time !== undefined) {
    return { date, time };
  }
  const both = splitDayAndTime(plainMoment(date ?? time ?? ""), today);
  if (both && both.day !== "") {
    const { day, time: typed } = both;
    const mayBeTime = looksLikeTime(typed) || HOUR.test(typed);
    if (LOOKS_LIKE_TIME.test(typed) || (mayBeTime && isDay(day, today))) {
      return { date: day, time: typed };
    }
  }
  const isTime = LOOKS_LIKE_TIME.test(date?.trim() ?? "");
  return isTime ? { date: undefined, time: date } : { date, time };
}

function splitWhen(text: string, today: Temporal.PlainDate): WhenText | undefined {
  const typed = plainMoment(text);
  const { day, time } = splitDayAndTime(typed, today) ?? { day: typed, time: undefined };
  const date = nonBlank(day.replace(/^on /, ""));
  const isMoment = date === undefined ? time !== undefined : isDay(date, today);
  return isMoment ? { date, time } : undefined;
}

/** A bare hour; it only counts as a time after "at". */
const HOUR = /^\d{1,2}$/;
/** Unlike `looksLikeTime`, not a bare `25.12`, which is a date. */
const LOOKS_LIKE_TIME = /^now$|^at \d{1,2}$|^(?:at )?\d{1,2}(?::\d{2}|(?:[:.]\d{2})? ?[ap]m$)/i;

function refuseFarDays({ date }: Day, today: Temporal.PlainDate): void {
  if (Temporal.PlainDate.compare(date, today) < 0) {
    throw new UserError(`${formatDate(date)} has passed. Pick today or a later day.`);
  }
  const last = today.add({ weeks: WEEKS_AHEAD });
  if (Temporal.PlainDate.compare(date, last) > 0) {
    throw new UserError(
      `${formatDate(date)} is too far ahead: I have timetables for the next ${WEEKS_AHEAD} weeks. Pick a day up to ${formatDate(last)}.`,
    );
  }
}

function thisTime(
  day: Day | undefined,
  now: Temporal.Instant,
  today: Temporal.PlainDate,
  saysNow: boolean,
): When {
  if (!day || day.date.equals(today)) {
    return { at: now, isNow: true, note: undefined };
  }
  if (saysNow) {
    throw new UserError(
      `“Now” isn't on ${formatDate(day.date)}. Leave out the date, or type a time like 17:31.`,
    );
  }
  const clock = now.toZonedDateTimeISO(UK_TIME_ZONE).toPlainTime();
  return { at: ukInstantOf(day.date.toPlainDateTime(clock)), isNow: false, note: undefined };
}

/** The texts that a person typed; `undefined` if they left one out. */
export interface WhenText {
  readonly date: string | undefined;
  readonly time: string | undefined;
}

/** A moment, to the minute. */
interface When {
  readonly at: Temporal.Instant;
  /** Whether it is the current time because the person gave no other. */
  readonly isNow: boolean;
  /** A sentence for people if clocks show the time twice, e.g. which of two 01:30 was taken; `undefined` otherwise. */
  readonly note: string | undefined;
}

/** How far ahead timetables may be requested: railways publish theirs about twelve weeks ahead. */
export const WEEKS_AHEAD = 12;
