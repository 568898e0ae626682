// Reads when a video is to be published, as people type it: "tomorrow 18:00", "Friday 9:30", "24 Dec 18:00",
// "in 2 hours", "2026-12-24T18:00".
import { Temporal } from "temporal-polyfill";
import { UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/text.ts";
import { isBefore } from "../../time/uk-time.ts";
import { type Day, parseDay } from "../../time/parse-day.ts";
import { type TimeOfDay, parseTimeOfDay } from "../../time/parse-time-of-day.ts";

/** The service takes nothing nearer than ten minutes, nor further than a month for certain. */
export const EARLIEST_MS = 10 * 60_000;
const LATEST_MS = 30 * 86_400_000;

const HOW = "Type it like tomorrow 18:00, Friday 9:30, 24 Dec 18:00 or in 2 hours.";
/** Longer texts are nothing that could be a time. */
const LONGEST = 60;

/**
 * Gives the moment in milliseconds since the epoch. A time without a day is the next one. Throws UserError for what
 * cannot be read, is past, nearer than ten minutes, further than 30 days, or left out by a change of clocks.
 */
export function parsePublishAt(
  text: string,
  { timeZone, nowMs }: { readonly timeZone: string; readonly nowMs: number },
): number {
  const typed = text
    .slice(0, LONGEST + 1)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[,\s\p{C}]+/gu, " ")
    .trim();
  if (typed === "" || typed.length > LONGEST) {
    throw nonsense(text);
  }
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone);
  const at = readDuration(typed, now) ?? readIso(typed, timeZone) ?? readDayAndTime(text, typed, now);
  return checkWindow(at, now);
}

const UNITS: readonly (readonly [RegExp, "minutes" | "hours" | "days" | "weeks"])[] = [
  [/^m(?:in(?:ute)?s?)?$/, "minutes"],
  [/^h(?:(?:ou)?rs?)?$/, "hours"],
  [/^d(?:ays?)?$/, "days"],
  [/^w(?:ee)?ks?$/, "weeks"],
];

const DURATION = /^(?:\d{1,4} ?[a-z]+ ?)+$/;

/** `in 2 hours`, `in 90 min`, `in 1h 30m`, `in an hour`, `in half an hour`. */
function readDuration(typed: string, now: Temporal.ZonedDateTime): Temporal.Instant | undefined {
  const [, said = ""] = /^in (.+)$/.exec(typed) ?? [];
  const plain = said
    .replace(/^half an hour$/, "30 min")
    .replace(/^an? /, "1 ")
    .replaceAll(" and ", " ");
  if (!DURATION.test(plain)) {
    return undefined;
  }
  let at = now;
  for (const [, amount, word = ""] of plain.matchAll(/(\d+) ?([a-z]+)/g)) {
    const unit = UNITS.find(([name]) => name.test(word))?.[1];
    if (unit === undefined) {
      return undefined;
    }
    at = at.add({ [unit]: Number(amount) });
  }
  return at.toInstant();
}

const ISO = /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?: ?(z|utc|[+-]\d{2}:?\d{2}))?$/;

/** `2026-12-24T18:00`, in the zone unless it says another offset. */
function readIso(typed: string, timeZone: string): Temporal.Instant | undefined {
  const [, date, time, offset] = ISO.exec(typed) ?? [];
  if (date === undefined || time === undefined) {
    return undefined;
  }
  try {
    const local = Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: "reject" });
    return offset === undefined
      ? instantOf(local, timeZone, undefined)
      : Temporal.Instant.from(`${date}T${time}${/^[zu]/.test(offset) ? "Z" : offset}`);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new UserError(`There is no ${date} ${time}. ${HOW}`);
    }
    throw error;
  }
}

const TIME = String.raw`(?:noon|midday|midnight|\d{1,2}[:.]\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?|\d{3,4})(?: (?:bst|gmt))?`;
const TIME_LAST = new RegExp(String.raw`^(?:(.+?) )??(?:at )?(${TIME})$`);
const TIME_FIRST = new RegExp(String.raw`^(?:at )?(${TIME}) (?:on )?(.+)$`);

function readDayAndTime(text: string, typed: string, now: Temporal.ZonedDateTime): Temporal.Instant {
  const [dayText, timeText] = split(typed, now);
  const today = now.toPlainDate();
  if (timeText === undefined) {
    throw missingTime(text, typed, today);
  }
  const time = parseTimeOfDay(timeText);
  if (time === "now") {
    throw nonsense(text);
  }
  const day = dayText === undefined ? undefined : parseDay(dayText.replace(/^on /, ""), today);
  return day === undefined ? nextOf(time, now) : momentOn(day, time, now);
}

/** A day and a time, either of which may come first; a year at the end is no time. */
function split(
  typed: string,
  now: Temporal.ZonedDateTime,
): readonly [string | undefined, string | undefined] {
  const [, before, last] = TIME_LAST.exec(typed) ?? [];
  const isYear = last !== undefined && before !== undefined && isYearNear(last, now);
  if (last !== undefined && !isYear) {
    return [before, last];
  }
  const [, first, after] = TIME_FIRST.exec(typed) ?? [];
  return [after ?? typed, first];
}

function isYearNear(text: string, now: Temporal.ZonedDateTime): boolean {
  return [now.year, now.year + 1].some((year) => String(year) === text);
}

/** Says which half is missing, where there is half of it. */
function missingTime(text: string, typed: string, today: Temporal.PlainDate): UserError {
  try {
    parseDay(typed, today);
  } catch {
    return nonsense(text);
  }
  const quote = quoteText(text);
  return new UserError(`At which time? Type it after the day, e.g. ${quote} 18:00.`);
}

function nextOf(time: TimeOfDay, now: Temporal.ZonedDateTime): Temporal.Instant {
  const today = now.toPlainDate();
  const at = momentOf(today, time, now);
  return isBefore(at, now.toInstant()) ? momentOf(today.add({ days: 1 }), time, now) : at;
}

function momentOn({ date, named }: Day, time: TimeOfDay, now: Temporal.ZonedDateTime): Temporal.Instant {
  const at = momentOf(date, time, now);
  // On a Friday evening, "Friday 9:30" means the next one.
  return named === "weekday" && isBefore(at, now.toInstant())
    ? momentOf(date.add({ weeks: 1 }), time, now)
    : at;
}

function momentOf(date: Temporal.PlainDate, time: TimeOfDay, now: Temporal.ZonedDateTime): Temporal.Instant {
  const local = date.toPlainDateTime({ hour: time.hour, minute: time.minute });
  return instantOf(local, now.timeZoneId, time.side, now.toInstant());
}

/** When clocks show it: of two moments the one that `side` says, or the first that is not past. */
function instantOf(
  local: Temporal.PlainDateTime,
  timeZone: string,
  side: TimeOfDay["side"],
  now?: Temporal.Instant,
): Temporal.Instant {
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  const later = local.toZonedDateTime(timeZone, { disambiguation: "later" });
  if (!earlier.toPlainDateTime().equals(local)) {
    const [before, after] = [earlier, later].map((at) =>
      at.toPlainTime().toString({ smallestUnit: "minute" }),
    );
    throw new UserError(
      `There is no ${formatTime(local)} on ${formatDate(local)}: clocks go forward then. Try ${before} or ${after}.`,
    );
  }
  if (side !== undefined) {
    const found = [earlier, later].find((at) => offsetOf(side, timeZone) === at.offsetNanoseconds);
    if (found === undefined) {
      throw new UserError(
        `Clocks do not show ${side.toUpperCase()} in this server's zone then. Type the time that they show, without it.`,
      );
    }
    return found.toInstant();
  }
  const first = earlier.toInstant();
  return now !== undefined && isBefore(first, now) ? later.toInstant() : first;
}

/** The words are the UK's; elsewhere they are somebody else's time. */
function offsetOf(side: "bst" | "gmt", timeZone: string): number | undefined {
  return timeZone === "Europe/London" ? (side === "bst" ? 3_600_000_000_000 : 0) : undefined;
}

function checkWindow(at: Temporal.Instant, now: Temporal.ZonedDateTime): number {
  const waitMs = at.epochMilliseconds - now.epochMilliseconds;
  if (waitMs < 0) {
    throw new UserError(
      `${formatMoment(at, now)} has passed. Pick a later time, or leave it empty to publish at once.`,
    );
  }
  if (waitMs < EARLIEST_MS) {
    throw new UserError(
      "That is too soon: the service wants at least 10 minutes. Pick a later time, or leave it empty to publish at once.",
    );
  }
  if (waitMs > LATEST_MS) {
    throw new UserError(`${formatMoment(at, now)} is too far ahead: up to 30 days will do.`);
  }
  return at.epochMilliseconds;
}

function formatMoment(at: Temporal.Instant, { timeZoneId }: Temporal.ZonedDateTime): string {
  const local = at.toZonedDateTimeISO(timeZoneId).toPlainDateTime();
  return `${formatTime(local)} on ${formatDate(local)}`;
}

function formatTime(local: Temporal.PlainDateTime): string {
  return local.toPlainTime().toString({ smallestUnit: "minute" });
}

/** e.g. `Fri 25 Dec 2026`. */
function formatDate(local: Temporal.PlainDateTime): string {
  return local
    .toPlainDate()
    .toLocaleString("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric" })
    .replace(",", "");
}

function nonsense(text: string): UserError {
  const quote = quoteText(text);
  return new UserError(quote === "" ? `When? ${HOW}` : `“${quote}” is no time I can read. ${HOW}`);
}
