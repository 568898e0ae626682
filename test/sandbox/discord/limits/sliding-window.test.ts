import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSlidingWindow } from "../../../../sandbox/discord/limits/sliding-window.ts";

describe("a sliding window", () => {
  it("knows the largest number of entries that any window has contained", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }), (gaps) => {
        const window = createSlidingWindow(1000);
        let nowMs = 0;
        const times = gaps.map((gap) => (nowMs += gap));
        for (const atMs of times) {
          window.add(atMs);
        }
        const counts = times.map((end) => times.filter((atMs) => atMs > end - 1000 && atMs <= end).length);
        expect(window.largest).toBe(Math.max(0, ...counts));
      }),
    );
  });

  it("calculates to the millisecond when there is room again", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 60 }),
        (most, gaps) => {
          const window = createSlidingWindow(1000);
          let nowMs = 0;
          const waits: (readonly [atMs: number, waitMs: number])[] = [];
          const letIn: number[] = [];
          for (const gap of gaps) {
            nowMs += gap;
            const waitMs = window.msUntilBelow(most, nowMs);
            waits.push([nowMs, waitMs]);
            nowMs += waitMs;
            letIn.push(nowMs);
            window.add(nowMs);
          }
          const expected = waits.map(([atMs], index) => {
            const deciding = index < most ? undefined : letIn[index - most];
            return [atMs, deciding === undefined ? 0 : Math.max(0, deciding + 1000 - atMs)];
          });
          expect(waits).toEqual(expected);
          expect(window.largest).toBeLessThanOrEqual(most);
        },
      ),
    );
  });

  it("forgets the largest number, but not the entries still in the window", () => {
    const window = createSlidingWindow(1000);
    for (const atMs of [0, 1, 2, 900]) {
      window.add(atMs);
    }
    window.forgetLargest(1500);
    expect(window.largest).toBe(1);
    window.add(1600);
    expect(window.largest).toBe(2);
  });
});
