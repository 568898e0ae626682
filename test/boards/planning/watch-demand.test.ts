import * as fc from "fast-check";
import { expect, it } from "vitest";
import { bothDemands, watchDemand } from "../../../src/boards/planning/question-demand.ts";

const MINUTE_MS = 60_000;
const HOUR = { fromMs: 0, toMs: 60 * MINUTE_MS };
const span = (from: number, to: number) => ({ fromMs: from * MINUTE_MS, toMs: to * MINUTE_MS });

it.each([
  ["nothing", [], { slots: 0, activeMs: 0, isActive: false }],
  ["what is over", [span(-20, -10)], { slots: 0, activeMs: 0, isActive: false }],
  ["what comes later", [span(61, 90)], { slots: 0, activeMs: 0, isActive: false }],
  ["a span", [span(20, 50)], { slots: 30, activeMs: 30 * MINUTE_MS, isActive: false }],
  [
    "a thousand of the same",
    Array.from({ length: 1_000 }, () => span(0, 30)),
    { slots: 30, activeMs: 30 * MINUTE_MS, isActive: true },
  ],
  [
    "spans that overlap",
    [span(0, 30), span(40, 50), span(20, 35)],
    { slots: 45, activeMs: 45 * MINUTE_MS, isActive: true },
  ],
  [
    "the whole of one that has begun",
    [span(-20, 10)],
    { slots: 30, activeMs: 30 * MINUTE_MS, isActive: true },
  ],
  ["no more than the window", [span(-90, 90)], { slots: 60, activeMs: 60 * MINUTE_MS, isActive: true }],
])("counts %s", (_, spans, demand) => {
  expect(watchDemand(spans, HOUR)).toEqual(demand);
});

it("adds what boards want beside it", () => {
  const boards = { slots: 12, activeMs: HOUR.toMs, isActive: true };
  const watches = watchDemand([span(0, 30)], HOUR);
  expect(bothDemands(boards, watches, HOUR.toMs)).toEqual({ slots: 36, activeMs: HOUR.toMs, isActive: true });
});

it("is never more than one a minute, nor less than either side wants", () => {
  const minute = fc.integer({ min: -120, max: 120 });
  const spans = fc.array(fc.tuple(minute, fc.nat(120)).map(([from, length]) => span(from, from + length)));
  fc.assert(
    fc.property(spans, fc.integer({ min: 0, max: 60 }), (all, slots) => {
      const watches = watchDemand(all, HOUR);
      const both = bothDemands({ slots, activeMs: HOUR.toMs, isActive: true }, watches, HOUR.toMs);
      expect(both.slots).toBeLessThanOrEqual(60);
      expect(both.slots).toBeGreaterThanOrEqual(Math.max(slots, watches.slots));
    }),
  );
});
