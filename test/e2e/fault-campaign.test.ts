// A short campaign; test/long has the long one.
import { expect, it } from "vitest";
import { runCampaign } from "../support/fault-campaign.ts";

it("answers every action exactly once through sixty faulty steps", { timeout: 120_000 }, async () => {
  const report = await runCampaign(20_261_121, 60);
  expect(report.broken).toEqual([]);
  expect(report.hits).toBeGreaterThan(20);
  expect(report.sameProcess).toBe(true);
});
