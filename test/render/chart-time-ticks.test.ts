import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listTimeTicks } from "../../src/render/chart-time-ticks.ts";

const ZONE = "Europe/London";
const at = (text: string) => Date.parse(text);
const labels = (from: string, to: string, zone = ZONE) =>
  listTimeTicks(at(from), at(to), zone, 6).map(({ label }) => label);

describe("the ticks of a time axis", () => {
  it.each([
    ["minutes", "2026-11-20T17:03Z", "2026-11-20T17:15Z", ["17:05", "17:10", "17:15"]],
    ["hours", "2026-11-20T17:20Z", "2026-11-20T21:10Z", ["18:00", "19:00", "20:00", "21:00"]],
    [
      "hours around midnight",
      "2026-11-20T17:20Z",
      "2026-11-21T08:00Z",
      ["18:00", "21:00", "21 Nov", "03:00", "06:00"],
    ],
    ["days", "2026-11-14T10:00Z", "2026-11-21T07:00Z", ["16 Nov", "18 Nov", "20 Nov"]],
    ["months", "2026-10-03T00:00Z", "2027-03-02T00:00Z", ["Nov", "Dec", "2027", "Feb", "Mar"]],
    [
      "years",
      "2019-06-01T00:00Z",
      "2026-01-02T00:00Z",
      ["2020", "2021", "2022", "2023", "2024", "2025", "2026"],
    ],
  ])("are at round %s", (_, from, to, expected) => {
    expect(labels(from, to)).toEqual(expected);
  });

  it("follow the zone's local time", () => {
    expect(labels("2026-07-01T10:00Z", "2026-07-01T12:00Z")).toEqual([
      "11:00",
      "11:30",
      "12:00",
      "12:30",
      "13:00",
    ]);
    expect(labels("2026-11-20T10:00Z", "2026-11-20T12:00Z", "Asia/Kolkata")).toEqual([
      "15:30",
      "16:00",
      "16:30",
      "17:00",
      "17:30",
    ]);
  });

  it.each([
    ["forward", "2026-03-28T12:00Z", "2026-03-30T10:00Z", ["12:00", "29 Mar", "12:00", "30 Mar"]],
    ["back", "2026-10-24T10:00Z", "2026-10-26T10:00Z", ["12:00", "25 Oct", "12:00", "26 Oct"]],
  ])("stay at round times when clocks go %s", (_, from, to, expected) => {
    expect(labels(from, to)).toEqual(expected);
  });

  it("are between 1 and 10, in order and within the span, for any span", () => {
    const spans = fc.record({
      fromMs: fc.integer({ min: 0, max: Date.UTC(2090, 0) }),
      // From ten minutes to over a century, with each order of magnitude equally likely.
      size: fc.double({ min: Math.log(600_000), max: Math.log(4e12), noNaN: true }),
      zone: fc.constantFrom(ZONE, "Pacific/Apia", "America/St_Johns", "UTC"),
    });
    fc.assert(
      fc.property(spans, ({ fromMs, size, zone }) => {
        const toMs = Math.min(Date.UTC(2100, 0), Math.round(fromMs + Math.exp(size)));
        const xs = listTimeTicks(fromMs, toMs, zone, 6).map(({ x }) => x);
        expect(xs).toEqual(xs.toSorted((a, b) => a - b));
        expect(xs.every((x) => x >= fromMs && x <= toMs)).toBe(true);
        expect(xs.length).toBeGreaterThan(0);
        expect(xs.length).toBeLessThanOrEqual(10);
      }),
    );
  });
});
