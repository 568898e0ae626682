import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  anchorUkTime,
  formatUkDate,
  formatUkDateTime,
  formatUkTime,
  startOfMinute,
} from "../../src/time/uk-time.ts";
import { cases } from "../support/cases.ts";

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const anchored = (text: string, anchor: string): string | undefined =>
  anchorUkTime(text, at(anchor))?.toString();

describe("formatting", () => {
  test("shows UK time and date in winter and summer", () => {
    expect(formatUkTime(at("2026-01-15T09:05:59Z"))).toBe("09:05");
    expect(formatUkTime(at("2026-07-15T23:05:00Z"))).toBe("00:05");
    expect(formatUkDate(at("2026-07-15T23:05:00Z"))).toBe("2026-07-16");
    expect(formatUkDateTime(at("2026-07-15T23:05:40.123Z"))).toBe("2026-07-16T00:05:40+01:00");
  });

  test("startOfMinute drops the seconds", () => {
    expect(startOfMinute(at("2026-01-15T09:05:59.999Z")).toString()).toBe("2026-01-15T09:05:00Z");
  });
});

describe("anchoring a time of day", () => {
  test("makes a 23:58 train expected at 00:04 six minutes late", () => {
    const aimed = anchorUkTime("23:58", at("2026-03-04T23:50:00Z"));
    expect(aimed?.toString()).toBe("2026-03-04T23:58:00Z");
    expect(aimed && anchorUkTime("00:04", aimed)?.since(aimed).total("minutes")).toBe(6);
  });

  test("can go back across midnight", () => {
    expect(anchored("23:58", "2026-03-05T00:01:00Z")).toBe("2026-03-04T23:58:00Z");
  });

  test("chooses the nearer of the two times 01:30 when clocks go back", () => {
    expect(anchored("01:30", "2026-10-25T00:20:00Z")).toBe("2026-10-25T00:30:00Z");
    expect(anchored("01:30", "2026-10-25T01:20:00Z")).toBe("2026-10-25T01:30:00Z");
  });

  test("chooses the earlier of two equally near times", () => {
    expect(anchored("01:30", "2026-10-25T01:00:00Z")).toBe("2026-10-25T00:30:00Z");
  });

  test("reads the skipped hour as the following one", () => {
    expect(anchored("01:30", "2026-03-29T00:50:00Z")).toBe("2026-03-29T01:30:00Z");
  });

  test("drops seconds and refuses a text that is not a time", () => {
    expect(anchored("17:20:40", "2026-03-04T17:00:00Z")).toBe("2026-03-04T17:20:00Z");
    const refused = ["", "24:00", "7:20", "17:60", "On time", "17:20 ", "-1:00", "１７:２０"];
    expect(refused.filter((text) => anchored(text, "2026-03-04T17:00:00Z") !== undefined)).toEqual([]);
  });

  const minuteOfDay = fc.integer({ min: 0, max: 1439 });
  const nights = fc.constantFrom("2026-03-04", "2026-07-01", "2026-03-29", "2026-10-25", "2026-12-31");
  const moments = fc
    .record({ night: nights, offsetMinutes: fc.integer({ min: -1440, max: 2880 }) })
    .map(({ night, offsetMinutes }) => at(`${night}T00:00:00Z`).add({ minutes: offsetMinutes }));

  test("finds the same minute from any anchor within eleven hours, unless clocks repeat it", () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: -660, max: 660 }), (anchor, minutes) => {
        const meant = anchor.add({ minutes });
        const found = anchorUkTime(formatUkTime(meant), anchor);
        const apart = found ? Math.abs(found.since(meant).total("minutes")) : Infinity;
        // A repeated hour may be read as the other one, but only if that is no further away.
        const isTwin =
          apart === 60 &&
          found !== undefined &&
          found.since(anchor).abs().total("minutes") <= meant.since(anchor).abs().total("minutes");
        expect(apart === 0 || isTwin).toBe(true);
      }),
      { numRuns: cases(2_000) },
    );
  });

  test("always finds the nearest instant with that time of day", () => {
    fc.assert(
      fc.property(moments, minuteOfDay, (anchor, minute) => {
        const text = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
        const found = anchorUkTime(text, anchor);
        expect(found).toBeDefined();
        const away = found?.since(anchor).abs().total("minutes") ?? Infinity;
        const isMissingHour = found !== undefined && formatUkTime(found) !== text;
        expect(isMissingHour ? text.slice(0, 2) : "01").toBe("01");
        // No other minute around the anchor that shows this time is nearer.
        const nearer = [-1, 1].flatMap((sign) =>
          [0, 60, 1380, 1440, 1500].map((step) => (found ?? anchor).add({ minutes: sign * step })),
        );
        for (const candidate of nearer.filter((instant) => formatUkTime(instant) === text)) {
          expect(candidate.since(anchor).abs().total("minutes")).toBeGreaterThanOrEqual(away);
        }
      }),
      { numRuns: cases(2_000) },
    );
  });
});
