// A short campaign; test/long has the long one.
import { expect, it } from "vitest";
import { FIRST_MINUTES } from "../support/board-bad-minutes.ts";
import { runKills } from "../support/board-kills.ts";
import { reportChecks } from "../support/checked-world.ts";

reportChecks();

const SEED = 20_261_121;

it("neither loses nor repeats a slot through six kills", { timeout: 300_000 }, async () => {
  const report = await runKills(SEED, 6);
  expect(report.broken, `seed ${SEED}`).toEqual([]);
  expect(report.kills).toBe(6);
  // The test proves little unless some kills hit work in progress, and some messages had to be found again.
  expect(report.underWay).toBeGreaterThan(2);
  expect(report.foundAgain).toBeGreaterThanOrEqual(FIRST_MINUTES.length);
  expect(report.slots).toBeGreaterThan(8);
});
