import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CATCH_UP_MS, createCallRateLimiter } from "../../../src/boards/planning/question-plan.ts";

const HOUR_MS = 3_600_000;

describe("the rate limiter of calls", () => {
  it("never allows more calls in an hour than the limit, whenever it is asked", () => {
    const gaps = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 3_000_000 })),
      {
        minLength: 50,
        maxLength: 400,
      },
    );
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 200 }), (all, calls) => {
        const spacingMs = (HOUR_MS + CATCH_UP_MS) / calls;
        const rateLimiter = createCallRateLimiter(0);
        const takenAtMs: number[] = [];
        let nowMs = HOUR_MS;
        for (const gapMs of all) {
          nowMs += gapMs;
          while (rateLimiter.take(nowMs, spacingMs)) {
            takenAtMs.push(nowMs);
          }
        }
        const inHourFrom = (fromMs: number) =>
          takenAtMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + HOUR_MS).length;
        expect(Math.max(0, ...takenAtMs.map(inHourFrom))).toBeLessThanOrEqual(calls);
      }),
    );
  });

  it("loses no calls between two ticks", () => {
    const rateLimiter = createCallRateLimiter(0);
    let taken = 0;
    for (let nowMs = 10_000; nowMs <= HOUR_MS; nowMs += 10_000) {
      while (rateLimiter.take(nowMs, 4_500)) {
        taken += 1;
      }
    }
    expect(taken).toBe(HOUR_MS / 4_500);
  });

  it("continues after a restart where it was", () => {
    const rateLimiter = createCallRateLimiter(HOUR_MS);
    expect(rateLimiter.nextAtMs(HOUR_MS + 60_000, 600_000)).toBe(HOUR_MS + 600_000);
    expect(rateLimiter.take(HOUR_MS + 599_000, 600_000)).toBe(false);
    expect(rateLimiter.take(HOUR_MS + 600_000, 600_000)).toBe(true);
    expect(rateLimiter.take(HOUR_MS + 600_000, 600_000)).toBe(false);
  });

  it("speeds up at once if the spacing becomes shorter", () => {
    const rateLimiter = createCallRateLimiter(0);
    expect(rateLimiter.take(60_000, 7_200_000)).toBe(false);
    expect(rateLimiter.take(60_000 + 390_000, 390_000)).toBe(true);
  });

  it("allows nothing if the spacing is infinite", () => {
    const rateLimiter = createCallRateLimiter(0);
    expect(rateLimiter.take(HOUR_MS, Infinity)).toBe(false);
    expect(rateLimiter.nextAtMs(HOUR_MS, Infinity)).toBe(Infinity);
  });
});
