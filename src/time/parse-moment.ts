// Parses a date and time that people type as one text, in any zone: "tomorrow 18:00", "in 2 hours", "2026-12-24T18:00".
import { UserError } from "../core/errors.ts";
import { quoteText } from "../core/text.ts";
import { type Day, parseDay, type TimeOfDay, looksLikeTime, parseTimeOfDay } from "./day-and-time.ts";
import { UK_TIME_ZONE, isBefore } from "./uk-time.ts";
import { instantsOf } from "./wall-clock.ts";
import { formatDate, formatTime, plainMoment, parseSpan, unreadable } from "./words.ts";

const HOW = "Try tomorrow 18:00, Friday 9:30, 24 Dec 18:00 or in 2 hours.";

/** The time zone of the person who typed the text, and the time when they did. */
export interface TypedAt {
  /** IANA name. */
  readonly zone: string;
  readonly now: Temporal.Instant;
}

/** A time without a day means its next occurrence. Throws a UserError for other texts, and if clocks skip the time. */
export function parseMoment(text: string, at: TypedAt): Temporal.Instant {
  const typed = plainMoment(text);
  return readRelative(typed, at) ?? readIso(typed, at) ?? readDayAndTime(text, typed, at);
}

/** Further ahead than anybody needs, but within the range of dates. */
const MAX_DAYS = 10_000;

/** Parses `in 2 hours`, `in 90 min`, `in 1h 30m`, `in half an hour` or `in 3 days`. */
function readRelative(typed: string, { zone, now }: TypedAt): Temporal.Instant | undefined {
  const [, spanText = ""] = /^in (.*[a-z])$/.exec(typed) ?? [];
  const span = parseSpan(spanText);
  return (
    span &&
    now
      .toZonedDateTimeISO(zone)
      .add({
        days: Math.min(span.days, MAX_DAYS),
        seconds: Math.min(span.seconds, MAX_DAYS * 86_400),
      })
      .toInstant()
  );
}

const ISO = /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?: ?(z|utc|[+-]\d{2}:?\d{2}))?$/;

/** Parses `2026-12-24T18:00`, in the given zone unless the text contains an offset. */
function readIso(typed: string, at: TypedAt): Temporal.Instant | undefined {
  const [, date, time, offset] = ISO.exec(typed) ?? [];
  if (date === undefined || time === undefined) {
    return undefined;
  }
  try {
    const local = Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: "reject" });
    return offset === undefined
      ? momentAt(local, undefined, at).at
      : Temporal.Instant.from(`${date}T${time}${/^[zu]/.test(offset) ? "Z" : offset}`);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new UserError(`There's no ${date} ${time}. ${HOW}`);
    }
    throw error;
  }
}

function readDayAndTime(text: string, typed: string, at: TypedAt): Temporal.Instant {
  const { now, zone } = at;
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  const halves = splitDayAndTime(typed, today);
  if (!halves) {
    const only = dayOf(typed, today);
    if (only === undefined) {
      throw unreadable(text, "When?", HOW, " as a time");
    }
    throw new UserError(
      Temporal.PlainDate.compare(only.date, today) < 0
        ? `${formatDate(only.date)} has passed. ${HOW}`
        : `At what time? Add it after the day, e.g. ${quoteText(text)} 18:00.`,
    );
  }
  const time = parseTimeOfDay(halves.time);
  if (time === "now") {
    throw unreadable(text, "When?", HOW, " as a time");
  }
  const day = halves.day === "" ? undefined : parseDay(halves.day, today);
  return nextMoment(day, time, at).at;
}

/** A time has up to three words, e.g. `6 pm gmt`. */
const TIME_WORDS = [1, 2, 3];

/** Splits a text into a day and a time, in either order; `day` may be empty. A year at the end of a date is not a time. */
export function splitDayAndTime(
  typed: string,
  today: Temporal.PlainDate,
): { readonly day: string; readonly time: string } | undefined {
  const words = typed.replace(/^at /, "").split(" ");
  const years = new Set([-1, 0, 1].map((away) => String(today.year + away)));
  const isYear = (time: string, day: string): boolean =>
    years.has(time) && day !== "" && (dayOf(day, today)?.named ?? "date") === "date";
  const halves = [
    ...TIME_WORDS.map((count) => ({
      day: words
        .slice(0, -count)
        .join(" ")
        .replace(/(?:^| )at$/, ""),
      time: words.slice(-count).join(" "),
    })).filter(({ day, time }) => !isYear(time, day)),
    ...TIME_WORDS.toReversed().map((count) => ({
      day: words.slice(count).join(" "),
      time: words.slice(0, count).join(" "),
    })),
  ];
  return halves.find(({ time }) => looksLikeTime(time)) ?? splitHour(typed);
}

/** After "at", a bare hour is a time, unlike "5 past 9"; the caller then asks whether morning or evening is meant. */
function splitHour(typed: string): { readonly day: string; readonly time: string } | undefined {
  const [, before = "", time, after = ""] =
    /^(?:(.+) )?at (\d{1,2})(?: (?!(?:past|to) )(.+))?$/.exec(typed) ?? [];
  return time === undefined ? undefined : { day: `${before} ${after}`.trim(), time };
}

/** Whether a text names a day that exists. */
export function isDay(typed: string, today: Temporal.PlainDate): boolean {
  return dayOf(typed, today) !== undefined;
}

function dayOf(typed: string, today: Temporal.PlainDate): Day | undefined {
  try {
    return parseDay(typed, today);
  } catch {
    return undefined;
  }
}

interface ShownTime {
  readonly at: Temporal.Instant;
  /** Whether this is the first or the second moment, if clocks show the time twice; otherwise `undefined`. */
  readonly which: "first" | "second" | undefined;
}

/**
 * Returns the moment of a time on a day. Without a day, it is the next occurrence. A weekday whose time has passed
 * means next week's. Other days may return a past moment. Throws a UserError if clocks skip the time.
 */
export function nextMoment(day: Day | undefined, time: TimeOfDay, typedAt: TypedAt): ShownTime {
  const { now, zone } = typedAt;
  const date = day?.date ?? now.toZonedDateTimeISO(zone).toPlainDate();
  const on = (either: Temporal.PlainDate): ShownTime =>
    momentAt(either.toPlainDateTime(time), time.ukClock, typedAt);
  const shown = on(date);
  return !isBefore(shown.at, now) || (day && day.named !== "weekday")
    ? shown
    : on(date.add(day ? { weeks: 1 } : { days: 1 }));
}

/** If clocks show the time twice, it is the moment that `ukClock` names, or the first that has not passed. */
function momentAt(
  local: Temporal.PlainDateTime,
  ukClock: TimeOfDay["ukClock"],
  { zone, now }: TypedAt,
): ShownTime {
  const instants = instantsOf(local, zone);
  const [first, second] = instants;
  if (!first) {
    throw skippedTime(local, zone);
  }
  if (ukClock !== undefined) {
    const at = instants.find((each) => zone === UK_TIME_ZONE && ukClockAt(each) === ukClock);
    if (!at) {
      throw wrongUkClock(first, local, ukClock, zone);
    }
    return { at, which: second && (at === first ? "first" : "second") };
  }
  return second && isBefore(first, now)
    ? { at: second, which: "second" }
    : { at: first, which: second && "first" };
}

/** "BST" and "GMT" are only understood for UK time; elsewhere they would mean another country's time. */
function ukClockAt(at: Temporal.Instant): "bst" | "gmt" {
  return at.toZonedDateTimeISO(UK_TIME_ZONE).offsetNanoseconds === 0 ? "gmt" : "bst";
}

/** The error for a wrong "BST" or "GMT". If the word were ignored, the time would be an hour off. */
function wrongUkClock(
  at: Temporal.Instant,
  local: Temporal.PlainDateTime,
  ukClock: "bst" | "gmt",
  zone: string,
): UserError {
  const name = ukClock.toUpperCase();
  return new UserError(
    zone === UK_TIME_ZONE
      ? `UK clocks are on ${ukClockAt(at) === "gmt" ? "winter" : "summer"} time then. Type the time they show, e.g. ${formatTime(local)} without ${name}.`
      : `Clocks in this server's time zone don't show ${name} then. Type the time they show, without it.`,
  );
}

function skippedTime(local: Temporal.PlainDateTime, zone: string): UserError {
  const early = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  const late = local.toZonedDateTime(zone, { disambiguation: "later" });
  const to = early.getTimeZoneTransition("next") ?? late;
  const last = to.subtract({ minutes: 1 });
  const from = last.toPlainDateTime().add({ minutes: 1 });
  return new UserError(
    `There's no ${formatTime(local)} on ${formatDate(local)}: clocks go forward from ${formatTime(from)} to ${formatTime(to)}. Try ${formatTime(last)} or ${formatTime(late)}.`,
  );
}
