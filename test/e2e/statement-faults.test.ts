// A sample of the statements that test/long lets fail one by one.
import { describe, expect, it } from "vitest";
import { findDatabases } from "../support/databases.ts";
import { reportChecks } from "../support/checked-world.ts";
import { failEachStatement } from "../support/statement-campaign.ts";

reportChecks();

/** Every n-th statement of each scenario. */
const SAMPLE = [
  { scenario: "publication", every: 53 },
  { scenario: "slot", every: 37 },
  { scenario: "watch", every: 37 },
  { scenario: "command", every: 9 },
] as const;

const databases = await findDatabases();

describe.each(databases)("a failing statement of $name", (kind) => {
  const failure = kind.name === "sqlite" ? "not-run" : "answer-lost";

  it.skipIf(kind.missing !== undefined).for(SAMPLE)(
    "neither loses nor repeats anything: $scenario",
    async (sample) => {
      const report = await failEachStatement({ ...sample, kind, failure });
      expect(report.broken).toEqual([]);
      expect(report.statements).toBeGreaterThan(5);
      expect(report.injected).toBeGreaterThan(1);
    },
  );
});
