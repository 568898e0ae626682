// A thousand mixed faults: every action gets exactly one answer, no message is repeated, and the process keeps running
// and stays small.
import { expect, it } from "vitest";
import { runCampaign } from "../support/fault-campaign.ts";

it.each([1, 2])(
  "answers every action exactly once through 1,250 faulty steps, seed %d",
  { timeout: 1_800_000 },
  async (seed) => {
    const report = await runCampaign(seed, 1_250);
    process.stdout.write(`${JSON.stringify({ ...report, broken: report.broken.length })}\n`);
    expect(report.broken).toEqual([]);
    expect(report.hits).toBeGreaterThan(500);
    expect(report.sameProcess).toBe(true);
    expect(report.lateMegabytes - report.earlyMegabytes).toBeLessThan(16);
  },
);
