import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { parseWhen } from "../../src/time/parse-when.ts";
import { cases } from "../support/cases.ts";
import { resultOrMessage } from "../support/outcomes.ts";

const NOW = "2026-11-18T17:20:40Z"; // a Wednesday

/** The parsed time, in UK time, or the error's message if the text is refused. */
function read(date: string | undefined, time: string | undefined, now = NOW): string {
  return resultOrMessage(() => {
    const { at } = parseWhen({ date, time }, Temporal.Instant.from(now));
    return at.toZonedDateTimeISO("Europe/London").toString({ timeZoneName: "never", smallestUnit: "minute" });
  });
}

describe("a date and a time", () => {
  test.each([
    [undefined, undefined, "2026-11-18T17:20+00:00"],
    [undefined, "now", "2026-11-18T17:20+00:00"],
    ["today", "", "2026-11-18T17:20+00:00"],
    [undefined, "17:31", "2026-11-18T17:31+00:00"],
    [undefined, "1731", "2026-11-18T17:31+00:00"],
    [undefined, "17.31", "2026-11-18T17:31+00:00"],
    [undefined, "１７:３１", "2026-11-18T17:31+00:00"],
    [undefined, " 5:30 PM ", "2026-11-18T17:30+00:00"],
    [undefined, "6pm", "2026-11-18T18:00+00:00"],
    [undefined, "9.05am", "2026-11-19T09:05+00:00"],
    [undefined, "905", "2026-11-19T09:05+00:00"],
    [undefined, "12am", "2026-11-19T00:00+00:00"],
    [undefined, "noon", "2026-11-19T12:00+00:00"],
    [undefined, "17:20", "2026-11-18T17:20+00:00"],
    [undefined, "17:19", "2026-11-19T17:19+00:00"],
    ["tomorrow", undefined, "2026-11-19T17:20+00:00"],
    ["next Tuesday", "09:00", "2026-11-24T09:00+00:00"],
    ["next Wednesday", "09:00", "2026-11-25T09:00+00:00"],
    ["in 3 days", "09:00", "2026-11-21T09:00+00:00"],
    ["two weeks from now", "09:00", "2026-12-02T09:00+00:00"],
    ["next week", "09:00", "2026-11-25T09:00+00:00"],
    ["tomorrow", "09:00", "2026-11-19T09:00+00:00"],
    ["18:00", undefined, "2026-11-18T18:00+00:00"],
    ["At 18:00", undefined, "2026-11-18T18:00+00:00"],
    ["Fri", "7am", "2026-11-20T07:00+00:00"],
    ["Fri", "at 7am", "2026-11-20T07:00+00:00"],
    ["tomorrow 8:16", undefined, "2026-11-19T08:16+00:00"],
    [undefined, "8:16 tomorrow", "2026-11-19T08:16+00:00"],
    [undefined, "Fri, 25 Dec at 5 pm", "2026-12-25T17:00+00:00"],
    ["2026-12-25 12:00", undefined, "2026-12-25T12:00+00:00"],
    ["tomorrow noon", undefined, "2026-11-19T12:00+00:00"],
    [undefined, "Fri at noon", "2026-11-20T12:00+00:00"],
    ["tomorrow 1731", undefined, "2026-11-19T17:31+00:00"],
    [undefined, "5 p.m. tomorrow", "2026-11-19T17:00+00:00"],
    ["tomorrow 17.31", undefined, "2026-11-19T17:31+00:00"],
    ["tomorrow 2026", undefined, "2026-11-19T20:26+00:00"],
    ["25 Dec 2026", undefined, "2026-12-25T17:20+00:00"],
    ["25.12", undefined, "2026-12-25T17:20+00:00"],
    ["wednesday", "18:00", "2026-11-18T18:00+00:00"],
    ["wed", "17:00", "2026-11-25T17:00+00:00"],
    ["25 Dec", "12:00", "2026-12-25T12:00+00:00"],
    ["25th of December 2026", "12:00", "2026-12-25T12:00+00:00"],
    ["Fri, 25 Dec", "12:00", "2026-12-25T12:00+00:00"],
    ["Dec 25", "12:00", "2026-12-25T12:00+00:00"],
    ["2026-12-25", "12:00", "2026-12-25T12:00+00:00"],
    ["25/12/2026", "12:00", "2026-12-25T12:00+00:00"],
    ["25.12.26", "12:00", "2026-12-25T12:00+00:00"],
    ["25/12", "12:00", "2026-12-25T12:00+00:00"],
    ["5 Jan", "12:00", "2027-01-05T12:00+00:00"],
    ["Christmas Day", "12:00", "2026-12-25T12:00+00:00"],
    ["boxing day", "12:00", "2026-12-26T12:00+00:00"],
    ["New Year’s Day", "12:00", "2027-01-01T12:00+00:00"],
  ])("are read from %j and %j", (date, time, expected) => {
    expect(read(date, time)).toBe(expected);
  });

  test("are now only if nothing else was typed", () => {
    const isNow = (date?: string, time?: string) =>
      parseWhen({ date, time }, Temporal.Instant.from(NOW)).isNow;
    expect([isNow(), isNow("today"), isNow("today", "now")]).toEqual([true, true, true]);
    expect([isNow("tomorrow"), isNow(undefined, "17:20"), isNow("today", "18:00")]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test.each([
    [undefined, "24:61", /24:61 isn't a time.*17:31/],
    [undefined, "tomorrow at 9", /What time is “9”\? Type 09:00 or 9pm\./],
    [undefined, "at 9", /What time is “9”\? Type 09:00 or 9pm\./],
    ["at 9", undefined, /What time is “9”\? Type 09:00 or 9pm\./],
    ["tomorrow", "At 9", /What time is “9”\? Type 09:00 or 9pm\./],
    [undefined, "tomorrow at 5 past 9", /“tomorrow at 5 past 9” as a time/],
    ["tomorrow at 5 past 9", undefined, /“tomorrow at 5 past 9” as a date/],
    [undefined, "24:00", /00:00/],
    [undefined, "7:99", /7:99 isn't a time/],
    [undefined, "13pm", /13pm isn't a time/],
    [undefined, "17", /Type 17:00/],
    [undefined, "5", /05:00 or 5pm/],
    [undefined, "soon", /“soon” as a time.*17:31/],
    [undefined, "🚂", /as a time/],
    [undefined, "17:31; drop table", /as a time/],
    ["today", "09:00", /09:00 has already passed today.*later/],
    ["2026-11-17", undefined, /Tue 17 Nov 2026 has passed/],
    ["17 Nov", undefined, /has passed/],
    ["2020-01-01", "12:00", /has passed/],
    ["25 Dec 2025", undefined, /Thu 25 Dec 2025 has passed/],
    ["yesterday", undefined, /Tue 17 Nov 2026 has passed/],
    ["25/12/2027", undefined, /too far ahead.*Wed 10 Feb 2027/],
    ["30 Feb", undefined, /There's no 30 February/],
    ["2026-02-29", undefined, /There's no 29 February 2026/],
    ["13/25", undefined, /the day comes before the month/],
    ["Friday", "now", /“Now” isn't on Fri 20 Nov 2026/],
    ["someday", undefined, /“someday” as a date.*25 Dec/],
    ["../../etc/passwd", undefined, /as a date/],
    ["@everyone", undefined, /as a date/],
  ])("are refused if they are %j and %j, with a suggestion", (date, time, sentence) => {
    expect(read(date, time)).toMatch(sentence);
  });

  test("are refused with a short message if they are very long", () => {
    for (const text of ["x".repeat(300), "1".repeat(6_000), "🚂".repeat(300)]) {
      expect(read(text, undefined).length).toBeLessThan(200);
      expect(read(undefined, text).length).toBeLessThan(200);
    }
  });
});

describe("the night when clocks go forward", () => {
  test("has no 01:30, and the error suggests 02:30", () => {
    expect(read("28 Mar", "01:30", "2027-03-20T12:00:00Z")).toMatch(/no 01:30 on Sun 28 Mar.*02:30/);
    expect(read("28 Mar", "00:59", "2027-03-20T12:00:00Z")).toBe("2027-03-28T00:59+00:00");
    expect(read("28 Mar", "02:00", "2027-03-20T12:00:00Z")).toBe("2027-03-28T02:00+01:00");
  });

  test("uses the next time that exists if only the day was typed", () => {
    expect(read("28 Mar", undefined, "2027-03-20T01:30:00Z")).toBe("2027-03-28T02:30+01:00");
  });
});

describe("the night when clocks go back", () => {
  const BEFORE = "2026-10-20T12:00:00Z";

  test("has 01:30 twice, so the first is used and a note says so", () => {
    const when = parseWhen({ date: "25 Oct", time: "01:30" }, Temporal.Instant.from(BEFORE));
    expect(when.at.toString()).toBe("2026-10-25T00:30:00Z");
    expect(when.note).toMatch(/01:30 happens twice.*first.*GMT/);
  });

  test("lets people choose with GMT or BST", () => {
    expect(read("25 Oct", "01:30 GMT", BEFORE)).toBe("2026-10-25T01:30+00:00");
    expect(read("25 Oct", "01:30 BST", BEFORE)).toBe("2026-10-25T01:30+01:00");
  });

  test("uses the second 01:30 after the first has passed", () => {
    expect(read(undefined, "01:30", "2026-10-25T00:45:00Z")).toBe("2026-10-25T01:30+00:00");
  });
});

const MOMENTS = fc
  .record({
    day: fc.constantFrom("2026-11-18", "2026-12-31", "2027-03-27", "2027-03-28", "2026-10-24", "2026-10-25"),
    minute: fc.integer({ min: 0, max: 1_439 }),
  })
  .map(({ day, minute }) => Temporal.Instant.from(`${day}T00:00:00Z`).add({ minutes: minute, seconds: 40 }));

/** The time, or the error if the text is refused. Throws any error but a UserError, because that is a bug. */
function outcomeOf(
  date: string | undefined,
  time: string | undefined,
  now: Temporal.Instant,
): Temporal.Instant | UserError {
  try {
    return parseWhen({ date, time }, now).at;
  } catch (error) {
    if (error instanceof UserError) {
      return error;
    }
    throw error;
  }
}

describe("any typed text", () => {
  test("is read as a time from now to twelve weeks ahead, or refused with a short message", () => {
    const words = fc.constantFrom(
      "today",
      "tomorrow",
      "fri",
      "25",
      "dec",
      "12",
      "2026",
      "/",
      "-",
      ":",
      "pm",
      " ",
      "0",
      "9",
    );
    const texts = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.array(words, { maxLength: 6 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(
        MOMENTS,
        fc.option(texts, { nil: undefined }),
        fc.option(texts, { nil: undefined }),
        (now, date, time) => {
          const outcome = outcomeOf(date, time, now);
          const minutes = outcome instanceof Temporal.Instant ? outcome.since(now).total("minutes") : 0;
          expect(minutes).toBeGreaterThan(-1);
          expect(minutes).toBeLessThanOrEqual(60 * (24 * (7 * 12 + 1) + 1));
          expect(outcome instanceof UserError ? outcome.message.length : 0).toBeLessThan(250);
        },
      ),
      { numRuns: cases(3_000) },
    );
  });

  test("that is a time of day is the next one that UK clocks show", () => {
    fc.assert(
      fc.property(MOMENTS, fc.integer({ min: 0, max: 1_439 }), (now, minute) => {
        const typed = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
        const found = read(undefined, typed, now.toString());
        // Only the hour after 01:00 is skipped when clocks go forward.
        const isLeftOut = found.startsWith("There's no") && typed.startsWith("01");
        expect(isLeftOut ? typed : found.slice(11, 16)).toBe(typed);
        const hours = isLeftOut ? 0 : Temporal.Instant.from(found).since(now).total("hours");
        expect(hours).toBeGreaterThan(-1 / 60);
        expect(hours).toBeLessThanOrEqual(25);
      }),
      { numRuns: cases(2_000) },
    );
  });

  test("that is a date is the same day in each format", () => {
    const today = Temporal.PlainDate.from("2026-11-18");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 84 }), (days) => {
        const date = today.add({ days });
        const month = date.toLocaleString("en-GB", { month: "long" });
        const forms = [
          date.toString(),
          `${date.day}/${date.month}/${date.year}`,
          `${date.day}/${date.month}`,
          `${date.day} ${month}`,
          `${month.slice(0, 3)} ${date.day}`,
        ];
        for (const form of forms) {
          expect(read(form, "23:59").slice(0, 10)).toBe(date.toString());
        }
      }),
    );
  });
});

test.each([
  ["2026-07-01T09:00:00Z", "17:30 GMT", /summer time then.*17:30 without GMT/],
  ["2026-12-01T09:00:00Z", "17:30 BST", /winter time then.*17:30 without BST/],
])("parseWhen refuses GMT in summer and BST in winter: %s, %s", (now, time, words) => {
  const moment = Temporal.Instant.from(now);
  expect(() => parseWhen({ date: undefined, time }, moment)).toThrow(words);
  expect(() => parseWhen({ date: undefined, time }, moment)).toThrow(UserError);
});

test("parseWhen accepts BST in summer", () => {
  const summer = Temporal.Instant.from("2026-07-01T09:00:00Z");
  expect(parseWhen({ date: undefined, time: "17:30 BST" }, summer).at.toString()).toBe(
    "2026-07-01T16:30:00Z",
  );
});
