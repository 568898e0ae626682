// A short campaign; test/long has the long one.
import { expect, it } from "vitest";
import { runAnswerKills } from "../support/answer-kills.ts";
import { reportChecks } from "../support/checked-world.ts";

reportChecks();

const SEED = 1;

it(
  "saves what a member asked for once or not at all if the bot is killed",
  { timeout: 120_000 },
  async () => {
    const report = await runAnswerKills(SEED, 6);
    expect(report.broken, `seed ${SEED}`).toEqual([]);
    expect(report.kills).toBe(6);
    // The test proves little unless some kills hit work in progress.
    expect(report.underWay).toBeGreaterThan(2);
    expect(report.unanswered).toBeGreaterThan(0);
  },
);
