import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { parseMoment } from "../../src/time/parse-moment.ts";
import { formatDate, formatTime, parseSpan } from "../../src/time/words.ts";
import { cases } from "../support/cases.ts";
import { resultOrMessage } from "../support/outcomes.ts";
import { anyCharacter } from "../support/any-character.ts";

/** Wednesday 18 November 2026, 17:20 in London, 12:20 in New York. */
const NOW = "2026-11-18T17:20:00Z";

function parse(text: string, { zone = "Europe/London", now = NOW } = {}): string {
  return parseMoment(text, { zone, now: Temporal.Instant.from(now) })
    .toString()
    .slice(0, 16);
}

describe("a date and time in one text", () => {
  it.each([
    ["18:00", "2026-11-18T18:00"],
    ["at 6pm", "2026-11-18T18:00"],
    ["9:30", "2026-11-19T09:30"],
    ["tomorrow 18:00", "2026-11-19T18:00"],
    ["tomorrow at 6 pm", "2026-11-19T18:00"],
    ["18:00 tomorrow", "2026-11-19T18:00"],
    ["6 pm on Friday", "2026-11-20T18:00"],
    ["Tomorrow, 1800", "2026-11-19T18:00"],
    ["Friday 9:30", "2026-11-20T09:30"],
    ["on Fri at 9.30", "2026-11-20T09:30"],
    ["weds 0930am", "2026-11-25T09:30"],
    ["wednesday 9:30", "2026-11-25T09:30"],
    ["6 Dec 18:00", "2026-12-06T18:00"],
    ["Dec 6 noon", "2026-12-06T12:00"],
    ["noon GMT on Dec 6", "2026-12-06T12:00"],
    ["6 Dec 2026 18:00", "2026-12-06T18:00"],
    ["18:00 6 Dec 2026", "2026-12-06T18:00"],
    ["6pm on Sunday 6 December 2026", "2026-12-06T18:00"],
    ["6/12 18:00", "2026-12-06T18:00"],
    ["6.12 18:00", "2026-12-06T18:00"],
    ["in 2 hours", "2026-11-18T19:20"],
    ["in ten minutes", "2026-11-18T17:30"],
    ["in 90 min", "2026-11-18T18:50"],
    ["in 1h 30m", "2026-11-18T18:50"],
    ["in 1.5 hours", "2026-11-18T18:50"],
    ["in an hour and 5 minutes", "2026-11-18T18:25"],
    ["in half an hour", "2026-11-18T17:50"],
    ["in 3 days", "2026-11-21T17:20"],
    ["in 2 weeks", "2026-12-02T17:20"],
    ["2026-12-06T18:00", "2026-12-06T18:00"],
    ["2026-12-06 18:00", "2026-12-06T18:00"],
    ["2026-12-06T18:00:00Z", "2026-12-06T18:00"],
    ["2026-12-06T18:00+01:00", "2026-12-06T17:00"],
  ])("is read from %j", (text, at) => {
    expect(parse(text)).toBe(at);
  });

  it("is in the given zone", () => {
    expect(parse("18:00", { zone: "America/New_York" })).toBe("2026-11-18T23:00");
    expect(parse("tomorrow 18:00", { zone: "Asia/Kolkata" })).toBe("2026-11-19T12:30");
    expect(() => parse("tomorrow 18:00 BST", { zone: "Asia/Kolkata" })).toThrow("don't show BST");
  });

  it.each([
    ["", "When?"],
    ["soon", "couldn't read"],
    ["in 5", "couldn't read"],
    ["tomorrow", "At what time?"],
    ["6 Dec 2026", "At what time?"],
    // As people type in January; it is not 20:25.
    ["6 Dec 2025", "Sat 6 Dec 2025 has passed. Try tomorrow 18:00"],
    ["on 6 Dec 2025", "Sat 6 Dec 2025 has passed"],
    ["yesterday", "Tue 17 Nov 2026 has passed"],
    ["tomorrow 25:00", "isn't a time"],
    ["tomorrow at 9", "What time is “9”? Type 09:00 or 9pm."],
    ["tomorrow at 5 past 9", "“tomorrow at 5 past 9” as a time"],
    ["at 5 to 9 on Friday", "“at 5 to 9 on Friday” as a time"],
    ["at 9 on Friday", "What time is “9”?"],
    ["31 Nov 18:00", "There's no 31 November"],
    ["2026-11-31T18:00", "There's no 2026-11-31"],
    ["tomorrow 18:00 BST", "winter time then"],
    ["x".repeat(5_000), "couldn't read"],
  ])("is refused if it is %j, with a suggestion", (text, sentence) => {
    expect(() => parse(text)).toThrow(sentence);
    expect(() => parse(text)).toThrow(UserError);
  });

  it("may not be in the hour that clocks skip, and can be either time in the hour that they repeat", () => {
    const spring = { now: "2027-03-27T12:00:00Z" };
    expect(() => parse("tomorrow 01:00", spring)).toThrow(
      "There's no 01:00 on Sun 28 Mar 2027: clocks go forward from 01:00 to 02:00. Try 00:59 or 02:00.",
    );
    expect(() => parse("2027-03-28T01:30", spring)).toThrow("clocks go forward");
    expect(parse("tomorrow 02:30", spring)).toBe("2027-03-28T01:30");
    const autumn = { now: "2026-10-24T12:00:00Z" };
    expect(parse("tomorrow 01:30", autumn)).toBe("2026-10-25T00:30");
    expect(parse("tomorrow 01:30 GMT", autumn)).toBe("2026-10-25T01:30");
    expect(parse("01:30", { now: "2026-10-25T00:40:00Z" })).toBe("2026-10-25T01:30");
  });

  it("may not be in half an hour that clocks skip", () => {
    const lordHowe = { zone: "Australia/Lord_Howe", now: "2026-10-03T00:00:00Z" };
    expect(() => parse("tomorrow 02:10", lordHowe)).toThrow("from 02:00 to 02:30. Try 01:59 or 02:40");
  });
});

const ZONES = fc.constantFrom("Europe/London", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia");

/** The time, or the error's message if the text is refused. Throws any error but a UserError, because that is a bug. */
function outcomeOf(text: string, zone: string): Temporal.Instant | string {
  return resultOrMessage(() => parseMoment(text, { zone, now: Temporal.Instant.from(NOW) }));
}

describe("any typed text", () => {
  it("is read as a time, or refused with a short message", () => {
    const word = fc.constantFrom(
      ..."in at on tomorrow friday 18:00 6pm 24 dec 2026 2 hours 1800 2026-12-01 noon and gmt 01:30 9.30 12/12 , . weeks 99999999999 a half an day".split(
        " ",
      ),
    );
    const typed = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(word, { maxLength: 5 }).map((words) => words.join(" ")),
    );
    fc.assert(
      fc.property(typed, ZONES, (text, zone) => {
        const outcome = outcomeOf(text, zone);
        // Times in the past are accepted here; travel and `publish_at` refuse them.
        const isFit =
          typeof outcome === "string" ? outcome.length < 300 : outcome instanceof Temporal.Instant;
        expect(isFit).toBe(true);
      }),
      { numRuns: cases(2_000) },
    );
  });

  it("that was formatted from a time is read as that time, in each format and order", () => {
    const minutes = fc.integer({ min: 0, max: 365 * 1_440 });
    fc.assert(
      fc.property(minutes, ZONES, (count, zone) => {
        const at = Temporal.Instant.from(NOW).add({ minutes: count }).toZonedDateTimeISO(zone);
        const time = formatTime(at);
        const first = at.toPlainDateTime().toZonedDateTime(zone).toInstant().toString();
        const isSecond = at.toInstant().toString() !== first;
        for (const text of [
          `${formatDate(at)} ${time}`,
          `${time} on ${at.day}/${at.month}/${at.year}`,
          `${at.toPlainDate().toString()}T${time}`,
          `${at.toPlainDate().toString()} at ${at.hour % 12 || 12}:${time.slice(3)} ${at.hour < 12 ? "a" : "p"}.m.`,
        ]) {
          expect(outcomeOf(text, zone).toString()).toBe(isSecond ? first : at.toInstant().toString());
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

it("readSpan adds up the parts of a span, however their units are written", () => {
  const part = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.nat(3));
  const units = [
    { names: ["s", "sec", "seconds"], days: 0, seconds: 1 },
    { names: ["m", "mins", "minutes"], days: 0, seconds: 60 },
    { names: ["h", "hrs", "hours"], days: 0, seconds: 3_600 },
    { names: ["d", "days", "days"], days: 1, seconds: 0 },
  ];
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.nat(2),
      fc.constantFrom(" ", ", ", " and "),
      (parts, name, between) => {
        const text = parts.map(([count, unit]) => `${count} ${units[unit]?.names[name]}`).join(between);
        const total = (of: "days" | "seconds"): number =>
          parts.reduce((sum, [count, unit]) => sum + count * (units[unit]?.[of] ?? 0), 0);
        expect(parseSpan(text)).toEqual({ days: total("days"), seconds: total("seconds") });
      },
    ),
  );
});
