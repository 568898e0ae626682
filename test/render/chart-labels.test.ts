import * as fc from "fast-check";
import { expect, test } from "vitest";
import { spreadLabels } from "../../src/render/chart-drawing.ts";

const ROOM = { height: 80, top: 100, bottom: 500 };

test("labels that do not touch stand at the ends of their lines", () => {
  expect(spreadLabels([400, 200, 300], ROOM)).toEqual([400, 200, 300]);
});

test("labels that would touch give way", () => {
  expect(spreadLabels([300, 300], ROOM)).toEqual([300, 380]);
  expect(spreadLabels([500, 495, 100], ROOM)).toEqual([460, 380, 140]);
});

test("up to three never touch, never leave the room and keep the order of their lines", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 3 }), (wanted) => {
      const placed = spreadLabels(wanted, ROOM);
      const sorted = placed.toSorted((a, b) => a - b);
      sorted.slice(1).forEach((y, index) => expect(y - (sorted[index] ?? 0)).toBeGreaterThanOrEqual(80));
      expect(placed.every((y) => y >= 140 && y <= 460)).toBe(true);
      for (const [one, y] of wanted.entries()) {
        for (const [other, otherY] of wanted.entries()) {
          expect(y < otherY && (placed[one] ?? 0) > (placed[other] ?? 0)).toBe(false);
        }
      }
    }),
  );
});
