import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSandboxClock } from "../../../sandbox/clock/clock.ts";
import { createPlan } from "../../../sandbox/transport/plan.ts";

const HOUR_MS = 3_600_000;

describe("the plan", () => {
  test("allows the free plan's thousand hits an hour by default", () => {
    const plan = createPlan(createSandboxClock({ atMs: 0, mode: "still" }), 1);
    expect([plan.limit, plan.windowMs, plan.used]).toEqual([1_000, HOUR_MS, 0]);
  });

  test("counts every hit, including refused ones, and starts again when its window ends", async () => {
    const clock = createSandboxClock({ atMs: Date.parse("2026-11-18T17:20:00Z"), mode: "still" });
    const plan = createPlan(clock, 1, { limit: 2 });
    expect([plan.take(1), plan.take(1), plan.take(1)]).toEqual([true, true, false]);
    expect(plan.used).toBe(3);
    await clock.set(plan.windowEndsAt - 1);
    expect([plan.used, plan.take(1)]).toEqual([3, false]);
    await clock.set(plan.windowEndsAt);
    expect([plan.used, plan.take(1)]).toEqual([0, true]);
  });

  test("ends its window at its own offset, which is the same for the same seed", () => {
    const moments = fc.integer({ min: 0, max: Date.parse("2040-01-01") });
    fc.assert(
      fc.property(
        moments,
        fc.nat(),
        fc.integer({ min: 1_000, max: 90 * HOUR_MS }),
        (atMs, seed, windowMs) => {
          const plan = createPlan(createSandboxClock({ atMs, mode: "still" }), seed, { windowMs });
          expect(plan.windowEndsAt).toBeGreaterThan(atMs);
          expect(plan.windowEndsAt).toBeLessThanOrEqual(atMs + windowMs);
        },
      ),
    );
    const clock = createSandboxClock({ atMs: Date.parse("2026-11-18T17:20:00Z"), mode: "still" });
    const turns = [1, 1, 2, 3].map((seed) => createPlan(clock, seed).windowEndsAt);
    expect(turns[0]).toBe(turns[1]);
    expect(new Set(turns).size).toBe(3);
    expect(turns.every((windowEndsAt) => windowEndsAt % HOUR_MS !== 0)).toBe(true);
  });

  test("keeps its count if its limit and window change", () => {
    const plan = createPlan(createSandboxClock({ atMs: 0, mode: "still" }), 1);
    plan.take(5);
    plan.set({ limit: 30, windowMs: 24 * HOUR_MS });
    expect([plan.used, plan.limit, plan.windowMs]).toEqual([5, 30, 24 * HOUR_MS]);
    expect(plan.windowEndsAt).toBeLessThanOrEqual(24 * HOUR_MS);
  });
});
