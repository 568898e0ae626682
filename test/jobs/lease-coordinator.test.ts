import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/core/errors.ts";
import { collectLog } from "../support/collect-log.ts";
import { createLeaseCoordinator } from "../../src/jobs/lease-coordinator.ts";
import { findPostgres } from "../support/databases.ts";
import { createTestDatabase, openDatabaseOnStillClock } from "../open.ts";

const postgres = await findPostgres();

it("a process that cannot renew its lease does not count as the one that runs the jobs", async () => {
  let isAway = false;
  const coordinator = createLeaseCoordinator({
    leases: {
      async take() {
        if (isAway) {
          throw new ServiceError("storage", "unavailable", "no answer");
        }
        return true;
      },
      release: async () => undefined,
    },
    isOutdated: async () => false,
    log: collectLog().log,
  });
  expect([await coordinator.mayRun(), coordinator.isHolder()]).toEqual([true, true]);
  isAway = true;
  await expect(coordinator.mayRun()).rejects.toThrow(ServiceError);
  expect(coordinator.isHolder()).toBe(false);
  isAway = false;
  expect([await coordinator.mayRun(), coordinator.isHolder()]).toEqual([true, true]);
});

describe.skipIf(postgres.missing !== undefined)("the process that runs the jobs", () => {
  it("leaves them at once and permanently to a newer version that has migrated the database", async () => {
    const url = await createTestDatabase(postgres);
    const database = await openDatabaseOnStillClock(url);
    const { leases, clock } = database;
    const isOutdated = () => database.isOutdated();
    const { log, lines } = collectLog();
    const old = createLeaseCoordinator({ leases, isOutdated, log });
    const next = createLeaseCoordinator({ leases, isOutdated: async () => false, log });
    expect([await old.mayRun(), await next.mayRun()]).toEqual([true, false]);
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query("insert into migrations (version, at) values (99, 0)");
    await client.end();
    expect([await old.mayRun(), await next.mayRun()]).toEqual([false, true]);
    await next.release();
    await clock.advance(60_000);
    expect(await old.mayRun()).toBe(false);
    expect(lines.filter((line) => line.includes("a newer version has migrated"))).toHaveLength(1);
  });
});
