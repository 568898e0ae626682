import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  shownOf,
  stepDown,
  stepUp,
  windowAround,
  type MessageWindow,
} from "../../../../../sandbox/page/client/chat/message-window.ts";

const sizeOf = (window: MessageWindow, count: number) => {
  const { start, end } = shownOf(window, count);
  return end - start;
};

describe("the window of drawn messages", () => {
  it("shows the newest at first, whatever comes", () => {
    expect(shownOf(undefined, 1000).end).toBe(1000);
    expect(shownOf(undefined, 1001).end).toBe(1001);
    expect(shownOf(undefined, 3)).toEqual({ start: 0, end: 3 });
  });

  it("draws what comes while somebody reads a little above the end", () => {
    const window = stepUp(undefined, 1000);
    expect(shownOf(window, 1001)).toEqual({ ...shownOf(window, 1000), end: 1001 });
  });

  it("reaches the first and the newest by steps, and never draws many", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), (count) => {
        let window: MessageWindow;
        for (let step = 0; step < 60; step += 1) {
          window = stepUp(window, count);
          expect(sizeOf(window, count)).toBeLessThanOrEqual(80);
        }
        expect(shownOf(window, count).start).toBe(0);
        for (let step = 0; step < 60; step += 1) {
          window = stepDown(window, count);
          expect(sizeOf(window, count)).toBeLessThanOrEqual(80);
        }
        expect(shownOf(window, count).end).toBe(count);
      }),
    );
  });

  it("moves by less than it shows, so that what is looked at stays drawn", () => {
    const before = shownOf(windowAround(500, 1000), 1000);
    const after = shownOf(stepUp(before, 1000), 1000);
    expect(before.start - after.start).toBeLessThan(after.end - after.start);
    expect(after.end).toBeGreaterThan(before.start);
  });

  it("goes to any message", () => {
    fc.assert(
      fc.property(fc.nat(999), (index) => {
        const { start, end } = shownOf(windowAround(index, 1000), 1000);
        expect(start).toBeLessThanOrEqual(index);
        expect(end).toBeGreaterThan(index);
      }),
    );
  });

  it("stays in bounds when messages are taken away", () => {
    expect(shownOf({ start: 40, end: 90 }, 20)).toEqual({ start: 20, end: 20 });
  });
});
