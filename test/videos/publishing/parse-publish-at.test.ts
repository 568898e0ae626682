import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import { parsePublishAt } from "../../../src/videos/publishing/parse-publish-at.ts";
import { cases } from "../../support/cases.ts";

/** Wednesday 18 November 2026, 17:20 in London, 12:20 in New York. */
const NOW = "2026-11-18T17:20:00Z";

function parse(text: string, { timeZone = "Europe/London", now = NOW } = {}): string {
  const atMs = parsePublishAt(text, { timeZone, nowMs: Date.parse(now) });
  return new Date(atMs).toISOString().slice(0, 16);
}

describe("when to publish", () => {
  it.each([
    ["18:00", "2026-11-18T18:00"],
    ["at 6pm", "2026-11-18T18:00"],
    ["9:30", "2026-11-19T09:30"],
    ["tomorrow 18:00", "2026-11-19T18:00"],
    ["tomorrow at 6 pm", "2026-11-19T18:00"],
    ["18:00 tomorrow", "2026-11-19T18:00"],
    ["Tomorrow, 1800", "2026-11-19T18:00"],
    ["Friday 9:30", "2026-11-20T09:30"],
    ["on Fri at 9.30", "2026-11-20T09:30"],
    ["wednesday 9:30", "2026-11-25T09:30"],
    ["6 Dec 18:00", "2026-12-06T18:00"],
    ["Dec 6 noon", "2026-12-06T12:00"],
    ["6 Dec 2026 18:00", "2026-12-06T18:00"],
    ["6/12 18:00", "2026-12-06T18:00"],
    ["6.12. 18:00".replace(". ", " "), "2026-12-06T18:00"],
    ["in 2 hours", "2026-11-18T19:20"],
    ["in 90 min", "2026-11-18T18:50"],
    ["in 1h 30m", "2026-11-18T18:50"],
    ["in an hour and 5 minutes", "2026-11-18T18:25"],
    ["in half an hour", "2026-11-18T17:50"],
    ["in 3 days", "2026-11-21T17:20"],
    ["in 2 weeks", "2026-12-02T17:20"],
    ["2026-12-06T18:00", "2026-12-06T18:00"],
    ["2026-12-06 18:00", "2026-12-06T18:00"],
    ["2026-12-06T18:00:00Z", "2026-12-06T18:00"],
    ["2026-12-06T18:00+01:00", "2026-12-06T17:00"],
  ])("reads %s", (text, at) => {
    expect(parse(text)).toBe(at);
  });

  it("means the guild's zone", () => {
    expect(parse("18:00", { timeZone: "America/New_York" })).toBe("2026-11-18T23:00");
    expect(parse("tomorrow 18:00", { timeZone: "Asia/Kolkata" })).toBe("2026-11-19T12:30");
  });

  it.each([
    ["", "When?"],
    ["soon", "is no time I can read"],
    ["tomorrow", "At which time?"],
    ["6 Dec 2026", "At which time?"],
    ["tomorrow 25:00", "no time"],
    ["31 Nov 18:00", "There is no 31 November"],
    ["2026-11-31T18:00", "There is no 2026-11-31"],
    ["2026-11-18 12:00", "12:00 on Wed 18 Nov 2026 has passed"],
    ["yesterday 18:00", "has passed"],
    ["17:25", "at least 10 minutes"],
    ["in 9 minutes", "at least 10 minutes"],
    ["in 31 days", "up to 30 days"],
    ["24 Dec 18:00", "up to 30 days"],
    ["tomorrow 18:00 BST", "do not show BST"],
    ["x".repeat(5_000), "no time I can read"],
  ])("says what is wrong with %j", (text, sentence) => {
    expect(() => parse(text)).toThrow(sentence);
    expect(() => parse(text)).toThrow(UserError);
  });

  it("knows the hour that clocks leave out, and the one that they show twice", () => {
    const spring = { now: "2027-03-27T12:00:00Z" };
    expect(() => parse("tomorrow 01:30", spring)).toThrow("There is no 01:30 on Sun 28 Mar 2027");
    expect(() => parse("2027-03-28T01:30", spring)).toThrow("clocks go forward");
    expect(parse("tomorrow 02:30", spring)).toBe("2027-03-28T01:30");
    const autumn = { now: "2026-10-24T12:00:00Z" };
    expect(parse("tomorrow 01:30", autumn)).toBe("2026-10-25T00:30");
    expect(parse("tomorrow 01:30 GMT", autumn)).toBe("2026-10-25T01:30");
    expect(parse("01:30", { now: "2026-10-25T00:40:00Z" })).toBe("2026-10-25T01:30");
  });

  it("gives a moment in the window or a sentence for anything that is typed", () => {
    const nowMs = Date.parse(NOW);
    const word = fc.constantFrom(
      ..."in at on tomorrow friday 18:00 6pm 24 dec 2026 2 hours 1800 2026-12-01 noon and gmt 01:30 9.30 12/12 , .".split(
        " ",
      ),
    );
    const typed = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 5 }).map((words) => words.join(" ")),
    );
    fc.assert(
      fc.property(
        typed,
        fc.constantFrom("Europe/London", "America/New_York", "Pacific/Apia"),
        (text, timeZone) => {
          const read = attempt(() => parsePublishAt(text, { timeZone, nowMs }));
          const isSentence = read instanceof UserError;
          const waitMs = typeof read === "number" ? read - nowMs : undefined;
          const isInWindow = waitMs !== undefined && waitMs >= 10 * 60_000 && waitMs <= 30 * 86_400_000;
          expect(isSentence || isInWindow).toBe(true);
        },
      ),
      { numRuns: cases(500) },
    );
  });
});

/** What it gives, or throws. */
function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
