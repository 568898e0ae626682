import { describe, expect, it } from "vitest";
import {
  count,
  formatMoment,
  formatTime,
  formatTook,
  toneOf,
} from "../../../../../sandbox/page/client/inspector/format.ts";

describe("the inspector's formats", () => {
  it("use UK time, including summer time", () => {
    expect(formatTime(Date.UTC(2026, 10, 20, 17, 20, 5))).toBe("17:20:05");
    expect(formatMoment(Date.UTC(2026, 6, 1, 12))).toBe("1 July 2026 at 13:00");
  });

  it.each([
    [0.4, "0 ms"],
    [12.6, "13 ms"],
    [2412, "2.4 s"],
  ])("show %d ms as %s", (tookMs, words) => {
    expect(formatTook(tookMs)).toBe(words);
  });

  it("count in singular and plural", () => {
    expect([count(0, "call"), count(1, "call"), count(1000, "call")]).toEqual([
      "0 calls",
      "1 call",
      "1,000 calls",
    ]);
  });

  it("give each class of HTTP status its tone", () => {
    expect([204, 304, 429, 503].map(toneOf)).toEqual(["good", "plain", "warning", "alarm"]);
  });
});
