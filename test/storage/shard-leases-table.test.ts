import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { SHARD_LEASE_MS } from "../../src/storage/shard-leases-table.ts";
import { createFor, openFor, openStill } from "../open.ts";
import { findPostgres } from "../support/databases.ts";

const postgres = await findPostgres();
const ALL = [0, 1, 2, 3];

describe.skipIf(postgres.missing !== undefined)("leases of shards", () => {
  it("are each claimed by one of many who try at once", async () => {
    const url = await createFor(postgres);
    const { clock } = await openStill(url);
    const databases = await Promise.all([1, 2, 3].map(() => openStill(url, clock)));
    const claimed = await Promise.all(
      databases.flatMap(({ shardLeases }) =>
        ["a", "b"].map((name) => shardLeases.claim(name + randomUUID(), ALL)),
      ),
    );
    expect(claimed.flatMap((shards) => [...shards.keys()]).toSorted((a, b) => a - b)).toEqual(ALL);
  });

  it("are kept by who renews them, and go with their session to the next once that has stopped", async () => {
    const { shardLeases: leases, clock } = await openStill(await createFor(postgres));
    expect([...(await leases.claim("one", [0, 1]))]).toEqual([
      [0, null],
      [1, null],
    ]);
    expect([
      ...(await leases.renew(
        "one",
        new Map([
          [0, "first"],
          [1, "second"],
        ]),
      )),
    ]).toEqual([0, 1]);
    await clock.advance(SHARD_LEASE_MS - 1);
    expect([...(await leases.claim("two", ALL)).keys()]).toEqual([2, 3]);
    expect([...(await leases.renew("one", new Map([[1, "later"]])))]).toEqual([1]);
    await clock.advance(1);
    expect([...(await leases.claim("two", [0, 1]))]).toEqual([[0, "first"]]);
    // A process that was suspended finds out, and changes nothing of what is no longer its own.
    expect([
      ...(await leases.renew(
        "one",
        new Map([
          [0, "old"],
          [1, null],
        ]),
      )),
    ]).toEqual([1]);
    await leases.release("one", 0, "older");
    await leases.release("two", 0, "new");
    expect([...(await leases.claim("three", [0]))]).toEqual([[0, "new"]]);
    const { processes, holders } = await leases.read();
    expect([...processes]).toEqual(["one"]);
    expect([...holders].toSorted(([a], [b]) => a - b)).toEqual([
      [0, "three"],
      [1, "one"],
      [2, "two"],
      [3, "two"],
    ]);
    await leases.leave("one");
    expect((await leases.read()).processes.size).toBe(0);
  });

  it("that a wrong clock has taken for too long are free", async () => {
    const { shardLeases: leases, clock } = await openStill(await createFor(postgres));
    await clock.jump(86_400_000);
    await leases.claim("ahead", [0]);
    await clock.jump(-86_400_000);
    expect((await leases.read()).holders.size).toBe(0);
    expect([...(await leases.claim("right", [0])).keys()]).toEqual([0]);
  });

  it("are not those of a process with chosen shards, for as long as that renews its own", async () => {
    const { leases, shardLeases, clock } = await openStill(await createFor(postgres));
    await leases.take("shard 2", "chosen", 30_000);
    expect([...(await shardLeases.claim("one", ALL)).keys()]).toEqual([0, 1, 3]);
    await clock.advance(30_000);
    expect([...(await shardLeases.claim("one", [2])).keys()]).toEqual([2]);
  });
});

it.skipIf(postgres.missing !== undefined)("a turn to identify is one process's in each bucket", async () => {
  const { shardLeases: leases } = await openFor(await createFor(postgres));
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
});
