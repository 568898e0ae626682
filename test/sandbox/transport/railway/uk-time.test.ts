import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDays,
  dayOfWeek,
  formatUkDate,
  formatUkDateTime,
  formatUkTime,
  ukMoment,
} from "../../../../sandbox/transport/railway/uk-time.ts";

describe("local time in London", () => {
  test("is the same as Temporal's, at any time", () => {
    const moments = fc.integer({ min: Date.parse("2020-01-01"), max: Date.parse("2040-01-01") });
    fc.assert(
      fc.property(moments, (atMs) => {
        const zoned = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO("Europe/London");
        expect(formatUkTime(atMs)).toBe(zoned.toPlainTime().toString().slice(0, 5));
        expect(formatUkDate(atMs)).toBe(zoned.toPlainDate().toString());
        expect(Date.parse(formatUkDateTime(atMs))).toBe(Math.floor(atMs / 1000) * 1000);
        expect(dayOfWeek(formatUkDate(atMs))).toBe(zoned.dayOfWeek);
      }),
    );
  });

  test("is converted to an instant, even past midnight", () => {
    const dates = fc.integer({ min: 0, max: 3_000 }).map((days) => addDays("2024-01-01", days));
    fc.assert(
      fc.property(dates, fc.integer({ min: 0, max: 2_400 }), (date, minutes) => {
        const wall = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes });
        expect(ukMoment(date, minutes)).toBe(wall.toZonedDateTime("Europe/London").epochMilliseconds);
      }),
    );
  });

  test("is an hour later if spring skips it, and the first of two in autumn", () => {
    expect(new Date(ukMoment("2026-03-29", 90)).toISOString()).toBe("2026-03-29T01:30:00.000Z");
    expect(formatUkTime(ukMoment("2026-03-29", 90))).toBe("02:30");
    expect(new Date(ukMoment("2026-10-25", 90)).toISOString()).toBe("2026-10-25T00:30:00.000Z");
    expect(formatUkTime(Date.parse("2026-10-25T01:30:00Z"))).toBe("01:30");
  });
});
