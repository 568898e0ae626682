// Fifty kills while members wait for answers: what they asked for exists once or not at all, and asking again works.
import { expect, it } from "vitest";
import { runAnswerKills } from "../support/answer-kills.ts";

const SEED = 2;
const KILLS = 50;

it("neither loses nor repeats what members asked for", { timeout: 1_800_000 }, async () => {
  const { broken, ...report } = await runAnswerKills(SEED, KILLS);
  process.stdout.write(`answers: ${JSON.stringify(report)}\n`);
  expect(broken, `seed ${SEED}`).toEqual([]);
  expect(report.kills).toBe(KILLS);
  expect(report.underWay).toBeGreaterThan(KILLS / 3);
  expect(report.savedWithoutAnswer).toBeGreaterThan(0);
});
