import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fairShares } from "../../../src/boards/planning/question-plan.ts";

const demands = fc.array(
  fc.record({
    most: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.double({ min: 0, max: 500, noNaN: true })),
    weight: fc.oneof(fc.constantFrom(0.25, 1, 3), fc.double({ min: 0.01, max: 100, noNaN: true })),
  }),
  { maxLength: 60 },
);
const amounts = fc.double({ min: 0, max: 5_000, noNaN: true });
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const near = (one: number, other: number) => Math.abs(one - other) <= 1e-6 * Math.max(1, one, other);

describe("fair shares", () => {
  it("add up to the amount or to the total demand, and give nobody more than they want", () => {
    fc.assert(
      fc.property(demands, amounts, (all, amount) => {
        const shares = fairShares(all, amount);
        const wanted = sum(all.map(({ most }) => most));
        expect(near(sum(shares), Math.min(amount, wanted))).toBe(true);
        shares.forEach((share, index) => {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(all[index]?.most ?? 0);
        });
      }),
    );
  });

  it("fully serve everyone who wants less for their weight than others get", () => {
    fc.assert(
      fc.property(demands, amounts, (all, amount) => {
        const shares = fairShares(all, amount);
        const level = ({ weight }: { readonly weight: number }, index: number) =>
          (shares[index] ?? 0) / weight;
        const short = all
          .map((demand, index) => ({ demand, index }))
          .filter(({ demand, index }) => !near(shares[index] ?? 0, demand.most));
        const levels = short.map(({ demand, index }) => level(demand, index));
        const lowest = Math.min(...levels);
        expect(levels.every((one) => near(one, lowest))).toBe(true);
        // If nobody is short, the lowest level is Infinity.
        all.forEach((demand, index) =>
          expect(level(demand, index)).toBeLessThanOrEqual(lowest * (1 + 1e-6) + 1e-6),
        );
      }),
    );
  });

  it("do not depend on the order of the demands", () => {
    fc.assert(
      fc.property(demands, amounts, (all, amount) => {
        const forwards = fairShares(all, amount);
        const backwards = fairShares(all.toReversed(), amount).toReversed();
        expect(forwards.every((share, index) => near(share, backwards[index] ?? -1))).toBe(true);
      }),
    );
  });

  it("fully serve a board with one slot beside greedy boards", () => {
    const greedy = Array.from({ length: 10 }, () => ({ most: 288, weight: 1 }));
    const [modest, ...others] = fairShares([{ most: 1, weight: 1 }, ...greedy], 24);
    expect(modest).toBe(1);
    expect(others.every((share) => near(share, 2.3))).toBe(true);
  });
});
