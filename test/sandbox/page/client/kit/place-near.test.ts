import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeNear } from "../../../../../sandbox/page/client/kit/place-near.ts";

const room = { width: 1000, height: 800 };
const size = { width: 200, height: 300 };

describe("something that opens", () => {
  it("stands below where there is room, else above", () => {
    const spot = { left: 100, top: 100, width: 50, height: 20 };
    expect(placeNear(spot, size, room)).toEqual({ left: 100, top: 126 });
    expect(placeNear({ ...spot, top: 700 }, size, room)).toEqual({ left: 100, top: 394 });
  });

  it("stands above where that is asked for", () => {
    expect(placeNear({ left: 0, top: 500, width: 9, height: 9 }, size, room, "above").top).toBe(194);
  });

  it("never leaves the window that it fits in", () => {
    const spot = fc.record({
      left: fc.integer({ min: -50, max: 1050 }),
      top: fc.integer({ min: -50, max: 850 }),
      width: fc.nat(300),
      height: fc.nat(300),
    });
    fc.assert(
      fc.property(spot, fc.constantFrom("above" as const, "below" as const), (from, side) => {
        const { left, top } = placeNear(from, size, room, side);
        expect(left).toBeGreaterThanOrEqual(0);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(left + size.width).toBeLessThanOrEqual(room.width);
        expect(top + size.height).toBeLessThanOrEqual(room.height);
      }),
    );
  });
});
