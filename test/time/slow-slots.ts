// A slow second implementation of slots that looks up the local time of every minute of some weeks with Intl. Tests
// compare slots.ts with it.
import * as fc from "fast-check";
import type { Schedule, Weekday } from "../../src/time/schedule.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** The local time of every minute of some weeks in a time zone. */
export interface Weeks {
  readonly zone: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The first time at which local time shows each minute; the keys count minutes since 1970 in local time. */
  readonly firstShownMs: ReadonlyMap<number, number>;
}

/** Reads the local time of each minute of the eight weeks around a date. */
export function weeksAround(zone: string, date: string): Weeks {
  const middleMs = Date.parse(`${date}T00:00Z`);
  const fromMs = middleMs - 28 * DAY_MINUTES * MINUTE_MS;
  const toMs = middleMs + 28 * DAY_MINUTES * MINUTE_MS;
  const wall = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "short",
  });
  const firstShownMs = new Map<number, number>();
  for (let ms = fromMs; ms <= toMs; ms += MINUTE_MS) {
    const [day, month, year, hour, minute] = wall.format(ms).match(/\d+/g)?.map(Number) ?? [];
    const shown = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute) / MINUTE_MS;
    if (!firstShownMs.has(shown)) {
      firstShownMs.set(shown, ms);
    }
  }
  return { zone, fromMs, toMs, firstShownMs };
}

/** All slots of a schedule in these weeks, except in the first and last two days, in order. */
export function slowSlots(schedule: Schedule, weeks: Weeks): readonly number[] {
  const slots = new Set<number>();
  const firstDay = Math.floor(weeks.fromMs / MINUTE_MS / DAY_MINUTES) + 2;
  const lastDay = Math.floor(weeks.toMs / MINUTE_MS / DAY_MINUTES) - 2;
  for (let day = firstDay; day < lastDay; day += 1) {
    // 1 January 1970 was a Thursday.
    if (schedule.days.some((weekday) => weekday === ((day + 3) % 7) + 1)) {
      slotsOfDay(schedule, weeks, day * DAY_MINUTES).forEach((slot) => slots.add(slot));
    }
  }
  return [...slots].toSorted((a, b) => a - b);
}

function slotsOfDay({ timing, hours }: Schedule, weeks: Weeks, midnight: number): readonly number[] {
  const first = midnight + (hours ? minutes(hours.from) : 0);
  const nominalLast = midnight + (hours ? minutes(hours.to) : DAY_MINUTES - 1);
  const last = nominalLast < first ? nominalLast + DAY_MINUTES : nominalLast;
  if ("at" in timing) {
    return timing.at
      .flatMap((time) => [midnight + minutes(time), midnight + DAY_MINUTES + minutes(time)])
      .filter((shown) => first <= shown && shown <= last)
      .map((shown) => currentInstant(weeks, shown));
  }
  if (timing.every > 60) {
    const shown = [];
    for (let minute = first; minute <= last; minute += timing.every) {
      shown.push(minute);
    }
    return shown.map((minute) => currentInstant(weeks, minute));
  }
  const begin = hours ? currentInstant(weeks, first) : firstFrom(weeks, first);
  const end = hours ? lastUntil(weeks, last) : firstFrom(weeks, last + 1) - MINUTE_MS;
  const slots = [];
  for (let ms = begin; ms <= end; ms += timing.every * MINUTE_MS) {
    slots.push(ms);
  }
  return slots;
}

/** The first time at which local time shows this minute or, if it is skipped, the next minute that is shown. */
function firstFrom(weeks: Weeks, shown: number): number {
  return weeks.firstShownMs.get(shown) ?? firstFrom(weeks, shown + 1);
}

/**
 * The first time at which local time shows this minute. For a skipped minute, the time at which clocks would show it if
 * they had already changed.
 */
function lastUntil(weeks: Weeks, shown: number): number {
  return weeks.firstShownMs.get(shown) ?? lastUntil(weeks, shown + 1) - MINUTE_MS;
}

/**
 * The first time at which local time shows this minute. If it is skipped, the time that would show it if the clocks
 * had not changed.
 */
function currentInstant(weeks: Weeks, shown: number): number {
  return weeks.firstShownMs.get(shown) ?? currentInstant(weeks, shown - 1) + MINUTE_MS;
}

function minutes(time: string): number {
  const [hour, minute] = time.split(":").map(Number);
  return (hour ?? 0) * 60 + (minute ?? 0);
}

const time = fc
  .integer({ min: 0, max: DAY_MINUTES - 1 })
  .map((minute) => new Date(minute * MINUTE_MS).toISOString().slice(11, 16));

/** Times of day, mostly in the early hours, when clocks change. */
const likelyTime = fc.oneof(
  time,
  fc
    .tuple(fc.constantFrom("00", "01", "02", "03", "23"), fc.constantFrom("00", "01", "15", "30", "59"))
    .map((parts) => parts.join(":")),
);

/** Generates every kind of schedule. */
export function anySchedule(zone: string): fc.Arbitrary<Schedule> {
  return fc.record(
    {
      timing: fc.oneof(
        fc.record({ every: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 1_440 })) }),
        fc.record({
          at: fc.uniqueArray(likelyTime, { minLength: 1, maxLength: 6 }).map((at) => at.toSorted()),
        }),
      ),
      days: fc
        .uniqueArray(fc.constantFrom<Weekday[]>(1, 2, 3, 4, 5, 6, 7), { minLength: 1, maxLength: 7 })
        .map((days) => days.toSorted((a, b) => a - b)),
      hours: fc.record({ from: likelyTime, to: likelyTime }),
      zone: fc.constant(zone),
    },
    { requiredKeys: ["timing", "days", "zone"] },
  );
}
