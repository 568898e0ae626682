import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createDemandCounter } from "../../../src/boards/planning/question-plan.ts";
import type { Schedule } from "../../../src/time/schedule.ts";

const MINUTE_MS = 60_000;
const HOUR = { fromMs: 0, toMs: 60 * MINUTE_MS };
const span = (from: number, to: number) => ({ fromMs: from * MINUTE_MS, toMs: to * MINUTE_MS });

it.each([
  ["nothing", [], { slots: 0, activeMs: 0, isActive: false }],
  ["a span that is over", [span(-20, -10)], { slots: 0, activeMs: 0, isActive: false }],
  ["a span that comes later", [span(61, 90)], { slots: 0, activeMs: 0, isActive: false }],
  ["a span", [span(20, 50)], { slots: 30, activeMs: 30 * MINUTE_MS, isActive: false }],
  [
    "a thousand equal spans",
    Array.from({ length: 1_000 }, () => span(0, 30)),
    { slots: 30, activeMs: 30 * MINUTE_MS, isActive: true },
  ],
  [
    "overlapping spans",
    [span(0, 30), span(40, 50), span(20, 35)],
    { slots: 45, activeMs: 45 * MINUTE_MS, isActive: true },
  ],
  [
    "the whole of a span that has begun",
    [span(-20, 10)],
    { slots: 30, activeMs: 30 * MINUTE_MS, isActive: true },
  ],
  ["no more than the window", [span(-90, 90)], { slots: 60, activeMs: 60 * MINUTE_MS, isActive: true }],
])("counts %s", (_, spans, demand) => {
  expect(createDemandCounter(HOUR)({ schedules: [], spans })).toEqual(demand);
});

function every(minutes: number): Schedule {
  return { timing: { every: minutes }, days: [1, 2, 3, 4, 5, 6, 7], zone: "UTC" };
}

it("adds the demand of boards to that of watches", () => {
  const demand = createDemandCounter(HOUR)({ schedules: [every(5)], spans: [span(0, 30)] });
  expect(demand).toEqual({ slots: 42, activeMs: HOUR.toMs, isActive: true });
});

it("is never more than one a minute, nor less than boards or watches alone want", () => {
  const minute = fc.integer({ min: -120, max: 120 });
  const spans = fc.array(fc.tuple(minute, fc.nat(120)).map(([from, length]) => span(from, from + length)));
  fc.assert(
    fc.property(spans, fc.integer({ min: 1, max: 60 }), (all, minutes) => {
      const count = createDemandCounter(HOUR);
      const of = (schedules: Schedule[], own: typeof all) => count({ schedules, spans: own }).slots;
      const both = of([every(minutes)], all);
      expect(both).toBeLessThanOrEqual(60);
      expect(both).toBeGreaterThanOrEqual(Math.max(of([every(minutes)], []), of([], all)));
    }),
  );
});
