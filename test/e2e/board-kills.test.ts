// The short campaign; test/long has the long one.
import { expect, it } from "vitest";
import { runKills } from "../support/board-kills.ts";
import { reportJudgement } from "../support/judged-world.ts";

reportJudgement();

const SEED = 20_261_121;

it("loses and doubles no slot through twelve kills", { timeout: 300_000 }, async () => {
  const report = await runKills(SEED, 12);
  expect(report.broken, `seed ${SEED}`).toEqual([]);
  expect(report.kills).toBe(12);
  // It would prove little if nobody had been caught in the act, and nothing had been left behind.
  expect(report.sprung).toBeGreaterThan(2);
  expect(report.foundAgain).toBeGreaterThan(0);
  expect(report.slots).toBeGreaterThan(8);
});
