import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTimestamp } from "../../../../../sandbox/page/client/text/timestamp.ts";

/** 2026-11-18 17:20 UTC. */
const NOW_MS = Date.UTC(2026, 10, 18, 17, 20);
const at = (seconds: number, style: string) =>
  formatTimestamp(NOW_MS / 1000 + seconds, style, NOW_MS, "Europe/London");

describe("a timestamp", () => {
  it.each([
    ["t", "17:20"],
    ["T", "17:20:00"],
    ["d", "18/11/2026"],
    ["D", "18 November 2026"],
    ["f", "18 November 2026 at 17:20"],
    ["F", "Wednesday 18 November 2026 at 17:20"],
  ])("in style %s is %s", (style, words) => {
    // Whether a comma follows the weekday depends on the version of the locale data.
    expect(at(0, style).replace(",", "")).toBe(words);
  });

  it("uses summer time in summer", () => {
    expect(formatTimestamp(Date.UTC(2026, 6, 1, 12) / 1000, "t", NOW_MS, "Europe/London")).toBe("13:00");
  });

  it.each([
    [0, "in 0 seconds"],
    [-90, "1 minute ago"],
    [3600, "in 1 hour"],
    [-172_800, "2 days ago"],
  ])("shows an offset of %i seconds from the sandbox's time as %s", (seconds, words) => {
    expect(at(seconds, "R")).toBe(words);
  });

  it("returns a text for any number that a bot may send", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }),
        fc.constantFrom(..."tTdDfFsSR".split("")),
        (seconds, style) => {
          expect(formatTimestamp(seconds, style, NOW_MS)).not.toBe("");
        },
      ),
    );
  });
});
