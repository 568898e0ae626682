// Two hundred kills in the middle of ticks: no slot of a board is lost or repeated, and a board that keeps one message
// has exactly one.
import { expect, it } from "vitest";
import { runKills } from "../support/board-kills.ts";

it.each([1, 2])(
  "neither loses nor repeats a slot through a hundred kills, seed %d",
  { timeout: 1_800_000 },
  async (seed) => {
    const report = await runKills(seed, 100);
    process.stdout.write(`boards: ${JSON.stringify({ ...report, broken: report.broken.length })}\n`);
    expect(report.broken, `seed ${seed}`).toEqual([]);
    expect(report.kills).toBe(100);
    // Together with videos, watches and answers, it is more than a third of all kills.
    expect(report.underWay).toBeGreaterThan(report.kills / 4);
    expect(report.foundAgain).toBeGreaterThan(5);
  },
);
