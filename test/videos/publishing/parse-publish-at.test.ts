import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import { parsePublishAt } from "../../../src/videos/publishing/draft-publication.ts";
import { cases } from "../../support/cases.ts";

/** Wednesday 18 November 2026, 17:20 in London, 12:20 in New York. */
const NOW_MS = Date.parse("2026-11-18T17:20:00Z");

function parse(text: string, timeZone = "Europe/London"): string {
  return new Date(parsePublishAt(text, { timeZone, nowMs: NOW_MS })).toISOString().slice(0, 16);
}

describe("the time of a publication", () => {
  it("is in the server's time zone", () => {
    expect(parse("18:00")).toBe("2026-11-18T18:00");
    expect(parse("18:00", "America/New_York")).toBe("2026-11-18T23:00");
    expect(parse("in 2 weeks", "Asia/Kolkata")).toBe("2026-12-02T17:20");
  });

  it.each([
    ["2026-11-18 12:00", "12:00 on Wed 18 Nov 2026 has passed"],
    ["yesterday 18:00", "has passed"],
    ["17:25", "at least 10 minutes"],
    ["in 9 minutes", "at least 10 minutes"],
    ["in 31 days", "up to 30 days"],
    ["in 9999 weeks", "up to 30 days"],
    ["24 Dec 18:00", "up to 30 days"],
    ["soon", "I couldn't read “soon” as a time"],
  ])("says what is wrong with %j", (text, sentence) => {
    expect(() => parse(text)).toThrow(sentence);
    expect(() => parse(text)).toThrow(UserError);
  });

  it("is within the limits or refused with a UserError, whatever is typed", () => {
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
          const read = attempt(() => parsePublishAt(text, { timeZone, nowMs: NOW_MS }));
          const waitMs = typeof read === "number" ? read - NOW_MS : undefined;
          const isInWindow = waitMs !== undefined && waitMs >= 10 * 60_000 && waitMs <= 30 * 86_400_000;
          expect(read instanceof UserError || isInWindow).toBe(true);
        },
      ),
      { numRuns: cases(500) },
    );
  });
});

/** Returns the result, or the error that is thrown. */
function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
