// More than seventy kills while watchers are told of bad mornings: each thing is told once.
import { expect, it } from "vitest";
import { runWatchKills } from "../support/watch-kills.ts";

const SEED = 1;
const MORNINGS = 9;

it(
  "reports a bad morning to two watchers completely and once, through a kill in every step",
  { timeout: 1_800_000 },
  async () => {
    const { broken, ...report } = await runWatchKills(SEED, MORNINGS);
    process.stdout.write(`watches: ${JSON.stringify(report)}\n`);
    expect(broken, `seed ${SEED}`).toEqual([]);
    expect(report.kills).toBeGreaterThanOrEqual(70);
    expect(report.underWay).toBeGreaterThan(report.kills / 3);
    expect(report.foundAgain).toBeGreaterThan(0);
  },
);
