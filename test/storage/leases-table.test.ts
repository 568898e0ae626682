import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { SHARD_LEASE_MS, type ShardKey, shardName } from "../../src/storage/leases-table.ts";
import { createTestDatabase, openTestDatabase, openDatabaseOnStillClock } from "../open.ts";
import { findPostgres } from "../support/databases.ts";

const postgres = await findPostgres();
const ALL: readonly ShardKey[] = ["0/4", "1/4", "2/4", "3/4"];

describe.skipIf(postgres.missing !== undefined)("leases of shards", () => {
  it("are each claimed by one of many concurrent processes", async () => {
    const url = await createTestDatabase(postgres);
    const { clock } = await openDatabaseOnStillClock(url);
    const databases = await Promise.all([1, 2, 3].map(() => openDatabaseOnStillClock(url, clock)));
    const claimed = await Promise.all(
      databases.flatMap(({ shardLeases }) =>
        ["a", "b"].map((name) => shardLeases.claim(name + randomUUID(), ALL)),
      ),
    );
    expect(claimed.flatMap((shards) => [...shards.keys()]).toSorted()).toEqual(ALL);
  });

  it("stay with a process that renews them, and pass to another with their session when it stops", async () => {
    const { shardLeases: leases, clock } = await openDatabaseOnStillClock(await createTestDatabase(postgres));
    const sessions = (of: Readonly<Record<ShardKey, string | null>>) =>
      // The keys are ShardKeys.
      new Map(Object.entries(of) as [ShardKey, string | null][]);
    expect([...(await leases.claim("one", ["0/4", "1/4"])).values()]).toEqual([null, null]);
    const first = sessions({ "0/4": "first", "1/4": "second" });
    expect([...(await leases.renew("one", first))]).toEqual(["0/4", "1/4"]);
    await clock.advance(SHARD_LEASE_MS - 1);
    expect([...(await leases.claim("two", ALL)).keys()]).toEqual(["2/4", "3/4"]);
    expect([...(await leases.renew("one", sessions({ "1/4": "later" })))]).toEqual(["1/4"]);
    await clock.advance(1);
    expect([...(await leases.claim("two", ["0/4", "1/4"]))]).toEqual([["0/4", "first"]]);
    // A process that was suspended notices, and does not change shards that it no longer has.
    expect([...(await leases.renew("one", sessions({ "0/4": "old", "1/4": null })))]).toEqual(["1/4"]);
    await leases.release("one", "0/4", "older");
    await leases.release("two", "0/4", "new");
    expect([...(await leases.claim("three", ["0/4"]))]).toEqual([["0/4", "new"]]);
    // With another number of shards, it is a different shard.
    expect([...(await leases.claim("three", ["0/5"]))]).toEqual([["0/5", null]]);
    const fleet = await leases.read(4);
    expect([...fleet.processes]).toEqual(["one"]);
    expect([...fleet.holders].toSorted(([a], [b]) => a - b)).toEqual([
      [0, "three"],
      [1, "one"],
      [2, "two"],
      [3, "two"],
    ]);
    expect(fleet).toMatchObject({ sessions: 1, nowMs: clock.now() });
    await leases.leave("one");
    const after = await leases.read(4);
    expect([[...after.processes], [...after.leaving]]).toEqual([[], ["one"]]);
    // Shards that it has released stay free, even if one of its earlier statements arrives late.
    await leases.release("one", "1/4", "left");
    expect([...(await leases.renew("one", sessions({ "1/4": "earlier" })))]).toEqual([]);
    expect([...(await leases.claim("two", ["1/4"]))]).toEqual([["1/4", "left"]]);
    // Those that no process has are forgotten with their sessions.
    await leases.release("three", "0/4", "last");
    await leases.release("three", "0/5", "other");
    await leases.forgetShards(4);
    expect([...(await leases.claim("four", [...ALL, "0/5"]))]).toEqual([
      ["0/4", null],
      ["0/5", "other"],
    ]);
  });

  it("are free if a wrong clock made them last too long", async () => {
    const { shardLeases: leases, clock } = await openDatabaseOnStillClock(await createTestDatabase(postgres));
    await clock.jump(86_400_000);
    await leases.claim("ahead", ["0/4"]);
    await clock.jump(-86_400_000);
    expect((await leases.read(4)).holders.size).toBe(0);
    expect([...(await leases.claim("right", ["0/4"])).keys()]).toEqual(["0/4"]);
  });

  it("cannot be claimed while a process with its own choice of shards renews them", async () => {
    const { leases, shardLeases, clock } = await openDatabaseOnStillClock(await createTestDatabase(postgres));
    await leases.take(shardName("2/4"), "chosen", 30_000);
    expect([...(await shardLeases.claim("one", ALL)).keys()]).toEqual(["0/4", "1/4", "3/4"]);
    await clock.advance(30_000);
    expect([...(await shardLeases.claim("one", ["2/4"])).keys()]).toEqual(["2/4"]);
  });
});

it.skipIf(postgres.missing !== undefined)(
  "a turn to identify belongs to one process in each bucket",
  async () => {
    const { shardLeases: leases } = await openTestDatabase(await createTestDatabase(postgres));
    const turns = await Promise.all(
      ["one", "two", "three"].flatMap((holder) =>
        [0, 1].map((bucket) => leases.takeIdentify(bucket, holder, 1_000)),
      ),
    );
    expect(turns.filter(Boolean)).toHaveLength(2);
    const sinceMs = performance.now();
    await expect.poll(() => leases.takeIdentify(0, "one", 1_000), { interval: 20 }).toBe(true);
    expect(performance.now() - sinceMs).toBeLessThan(30_000);
    expect(await leases.takeIdentify(0, "two", 1_000)).toBe(false);
    await leases.endIdentify(0, "two", 0);
    expect(await leases.takeIdentify(0, "two", 1_000)).toBe(false);
    await leases.endIdentify(0, "one", 0);
    expect(await leases.takeIdentify(0, "two", 1_000)).toBe(true);
  },
);
