import { describe, expect, it } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { collectLog } from "../support/collect-log.ts";
import { createShardWatch } from "../../src/jobs/shard-watch.ts";
import { shardKey } from "../../src/storage/leases-table.ts";
import { findPostgres } from "../support/databases.ts";
import { createTestDatabase, openDatabaseOnStillClock } from "../open.ts";

const postgres = await findPostgres();
const CHECK_MS = 10_000;

async function open() {
  const url = await createTestDatabase(postgres);
  const clock = createSandboxClock({ atMs: Date.UTC(2026, 10, 18, 17, 20), mode: "still" });
  return async (shards: readonly number[]) => {
    const statements: string[] = [];
    const { leases, shardLeases } = await openDatabaseOnStillClock(url, clock, (statement, run) => {
      statements.push(statement);
      return run();
    });
    const counts: number[] = [];
    const { log, lines } = collectLog();
    const watch = createShardWatch({
      leases,
      shards,
      shardCount: 3,
      clock,
      log,
    });
    async function check(): Promise<void> {
      statements.length = 0;
      await watch.check();
      expect(statements.length).toBeLessThanOrEqual(2);
      counts.push(watch.countDuplicates());
    }
    return { ...watch, check, lines, counts, clock, shardLeases };
  };
}

describe.skipIf(postgres.missing !== undefined)("a shard of two processes", () => {
  it("is noticed by the second process while the first renews its lease, and so is the end of that", async () => {
    const start = await open();
    const [one, two] = [await start([0, 1]), await start([1, 2])];
    for (let checks = 0; checks < 5; checks += 1) {
      await one.check();
      await two.check();
      await one.clock.advance(CHECK_MS);
    }
    expect(one.lines).toEqual([]);
    expect(two.lines).toHaveLength(1);
    expect(two.lines[0]).toMatch(/"shard":1.*another process runs this shard too/);
    expect(two.counts).toEqual([0, 0, 0, 0, 1]);
    await one.close();
    await two.check();
    expect(two.counts.at(-1)).toBe(0);
    expect(two.lines[1]).toContain("duplicate shard ended");
  });

  it("goes to the process that sets its own SHARDS, e.g. after a restart, if the other one shares the rest", async () => {
    const start = await open();
    const { check, shardLeases, counts, clock } = await start([0, 1]);
    const sessions = new Map([0, 1, 2].map((shard) => [shardKey(shard, 3), null] as const));
    await shardLeases.renew("sharing", sessions);
    for (let checks = 0; checks < 5; checks += 1) {
      await check();
      expect([...(await shardLeases.renew("sharing", sessions))]).toEqual(["2/3"]);
      expect([...(await shardLeases.claim("sharing", [...sessions.keys()])).keys()]).toEqual([]);
      await clock.advance(CHECK_MS);
    }
    expect(counts).toEqual([0, 0, 0, 0, 0]);
  });

  it("is not reported if the first has died", async () => {
    const start = await open();
    const [dead, next] = [await start([0]), await start([0])];
    await dead.check();
    for (let checks = 0; checks < 5; checks += 1) {
      await next.check();
      await next.clock.advance(CHECK_MS);
    }
    expect(next.lines).toEqual([]);
    expect(next.counts).toEqual([0, 0, 0, 0, 0]);
  });
});
