// Tests that fail each database statement once, in every way. test/e2e has a sample of them.
import { describe, expect, it } from "vitest";
import type { DatabaseKind } from "./databases.ts";
import { failEachStatement } from "./statement-campaign.ts";

const VARIANTS = [
  { scenario: "publication", upload: "simple" },
  { scenario: "publication", upload: "chunked" },
  { scenario: "slot" },
  { scenario: "watch" },
  { scenario: "command" },
] as const;

/** The tests of one engine. They take long, so those of the two engines are in separate files and run in parallel. */
export function describeStatementFaults(kind: DatabaseKind): void {
  // SQLite runs inside the process, so its answers cannot be lost.
  const failures = kind.name === "sqlite" ? (["not-run"] as const) : (["not-run", "answer-lost"] as const);
  const campaigns = failures.flatMap((failure) => VARIANTS.map((variant) => ({ ...variant, failure })));

  describe(`a failed statement of ${kind.name}`, () => {
    it.skipIf(kind.missing !== undefined).for(campaigns)(
      "loses and repeats nothing: $scenario, $upload, $failure",
      { timeout: 1_800_000 },
      async (campaign) => {
        const startedAtMs = performance.now();
        const report = await failEachStatement({ ...campaign, kind });
        const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
        process.stdout.write(`${kind.name} ${JSON.stringify({ ...campaign, ...report, seconds })}\n`);
        expect(report.broken).toEqual([]);
        expect(report.statements).toBeGreaterThan(5);
        expect(report.injected).toBeGreaterThanOrEqual(report.statements);
        expect(report.explained).toBeGreaterThan(campaign.scenario === "command" ? 5 : -1);
      },
    );
  });
}
