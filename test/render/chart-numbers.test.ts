import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatChartNumber } from "../../src/render/chart-picture.ts";

test.each([
  [0, undefined, "0"],
  [-0, undefined, "0"],
  [0.25, undefined, "0.25"],
  [1e-17, undefined, "0"],
  [999, undefined, "999"],
  [999.7, undefined, "1k"],
  [1_234, undefined, "1.23k"],
  [12_000, undefined, "12k"],
  [34_000_000, undefined, "34M"],
  [2_500_000_000, undefined, "2.5B"],
  [-1_500, undefined, "-1.5k"],
  [40, "%", "40%"],
])("%d with the unit %s is written %s", (value, unit, text) => {
  expect(formatChartNumber(value, unit)).toBe(text);
});

test("a whole number takes at most seven characters", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e14, max: 1e14, noNaN: true }), (value) => {
      expect(formatChartNumber(Math.round(value), undefined).length).toBeLessThanOrEqual(7);
    }),
  );
});
