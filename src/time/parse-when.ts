// Puts a typed date and time together into a moment in UK time.
import { Temporal } from "temporal-polyfill";
import type { Clock } from "../core/clock.ts";
import { UserError } from "../core/errors.ts";
import { UK_TIME_ZONE, startOfMinute, ukInstantOf, ukInstants } from "./uk-time.ts";
import { type Day, parseDay } from "./parse-day.ts";
import { type TimeOfDay, given, parseTimeOfDay } from "./parse-time-of-day.ts";
import { formatTime } from "./wall-clock.ts";

/** Options of commands that take a moment. */
export const dateOption = {
  type: "string",
  description: "Which day, e.g. tomorrow, Fri, 25 Dec or 2026-12-25",
} as const;
export const timeOption = {
  type: "string",
  description: "When, in UK time, e.g. 17:31 or 5pm; now unless you say",
} as const;

export type WhenReader = ReturnType<typeof createWhenReader>;

/** Reads times as people write them, with the clock's "now". */
export function createWhenReader(clock: Clock) {
  return {
    /** Throws a UserError that says what to type instead. */
    read: (text: WhenText) => parseWhen(text, Temporal.Instant.fromEpochMilliseconds(clock.now())),
  };
}

/**
 * Reads a moment. Without a date, a time means the next time clocks show it; without a time, a date means this time
 * of that day. Throws a UserError for what is past, more than twelve weeks ahead, or does not exist.
 */
export function parseWhen(text: WhenText, now: Temporal.Instant): When {
  const { date, time } = swapped({ date: given(text.date), time: given(text.time) });
  const minute = startOfMinute(now);
  const today = minute.toZonedDateTimeISO(UK_TIME_ZONE).toPlainDate();
  const day = date === undefined ? undefined : parseDay(date, today);
  if (day) {
    refuseFarDays(day, today);
  }
  const timeOfDay = time === undefined ? "now" : parseTimeOfDay(time);
  if (timeOfDay === "now") {
    return thisTime(day, minute, today, time !== undefined);
  }
  if (!day) {
    return nextOf(timeOfDay, minute, today);
  }
  const moment = momentOn(day.date, timeOfDay, minute);
  if (!isPast(moment.at, minute)) {
    return moment;
  }
  if (day.named === "weekday") {
    return momentOn(day.date.add({ weeks: 1 }), timeOfDay, minute);
  }
  throw new UserError(
    `${formatTime(timeOfDay.hour, timeOfDay.minute)} today has passed. Pick a later time, or tomorrow as the date.`,
  );
}

/** A time typed where the date goes, on its own, is understood all the same. */
function swapped({ date, time }: WhenText): WhenText {
  return date !== undefined &&
    time === undefined &&
    /^now$|^\d{1,2}:\d{2}|^\d{1,2}(?:[:.]\d{2})? ?[ap]m$/i.test(date.trim())
    ? { date: undefined, time: date }
    : { date, time };
}

function refuseFarDays({ date }: Day, today: Temporal.PlainDate): void {
  if (Temporal.PlainDate.compare(date, today) < 0) {
    throw new UserError(`${formatDate(date)} has passed. Pick today or a later day.`);
  }
  const last = today.add({ weeks: WEEKS_AHEAD });
  if (Temporal.PlainDate.compare(date, last) > 0) {
    throw new UserError(
      `${formatDate(date)} is too far ahead: timetables are known for ${WEEKS_AHEAD} weeks. Pick a day up to ${formatDate(last)}.`,
    );
  }
}

function thisTime(
  day: Day | undefined,
  minute: Temporal.Instant,
  today: Temporal.PlainDate,
  saysNow: boolean,
): When {
  if (!day || day.date.equals(today)) {
    return { at: minute, isNow: true, note: undefined };
  }
  if (saysNow) {
    throw new UserError(
      `It is not ${formatDate(day.date)} now. Leave out the date, or type a time like 17:31.`,
    );
  }
  const clock = minute.toZonedDateTimeISO(UK_TIME_ZONE).toPlainTime();
  return { at: ukInstantOf(day.date.toPlainDateTime(clock)), isNow: false, note: undefined };
}

function nextOf(time: TimeOfDay, minute: Temporal.Instant, today: Temporal.PlainDate): When {
  const moment = momentOn(today, time, minute);
  return isPast(moment.at, minute) ? momentOn(today.add({ days: 1 }), time, minute) : moment;
}

/** The moment when clocks show this time on this day: the first that is not past, where there are two. */
function momentOn(date: Temporal.PlainDate, time: TimeOfDay, minute: Temporal.Instant): When {
  const written = formatTime(time.hour, time.minute);
  const instants = ukInstants(date.toPlainDateTime({ hour: time.hour, minute: time.minute }));
  const [first, second] = instants;
  if (!first) {
    const after = formatTime(time.hour + 1, time.minute);
    throw new UserError(
      `There is no ${written} on ${formatDate(date)}: clocks go forward from 01:00 to 02:00. Try 00:59 or ${after}.`,
    );
  }
  if (!second) {
    refuseOtherClock(first, time);
    return { at: first, isNow: false, note: undefined };
  }
  const isSecond = time.side === undefined ? isPast(first, minute) : time.side === "gmt";
  const [which, other] = isSecond ? ["second", "BST for the first"] : ["first", "GMT for the second"];
  return {
    at: isSecond ? second : first,
    isNow: false,
    note: `Clocks go back that night, so ${written} comes twice. This is the ${which}; type ${written} ${other}.`,
  };
}

/** Read as if nothing were said, such a time would be an hour off. */
function refuseOtherClock(at: Temporal.Instant, time: TimeOfDay): void {
  const clock = at.toZonedDateTimeISO(UK_TIME_ZONE).offsetNanoseconds === 0 ? "gmt" : "bst";
  if (time.side !== undefined && time.side !== clock) {
    throw new UserError(
      `UK clocks are on ${clock === "gmt" ? "winter" : "summer"} time then. Type the time that they show, e.g. ${formatTime(time.hour, time.minute)} without ${time.side.toUpperCase()}.`,
    );
  }
}

function isPast(at: Temporal.Instant, minute: Temporal.Instant): boolean {
  return Temporal.Instant.compare(at, minute) < 0;
}

/** e.g. `Fri 25 Dec 2026`. */
function formatDate(date: Temporal.PlainDate): string {
  return date
    .toLocaleString("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric" })
    .replace(",", "");
}

/** What a person typed; `undefined` where they left it out. */
interface WhenText {
  readonly date: string | undefined;
  readonly time: string | undefined;
}

/** A moment, to the minute. */
interface When {
  readonly at: Temporal.Instant;
  /** They asked for no other time than this one. */
  readonly isNow: boolean;
  /** A sentence for people where clocks change, e.g. which of two 01:30 was taken; `undefined` otherwise. */
  readonly note: string | undefined;
}

/** How far ahead timetables are asked for: railways publish theirs some twelve weeks ahead. */
export const WEEKS_AHEAD = 12;
