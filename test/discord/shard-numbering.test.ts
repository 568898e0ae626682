import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { createShardNumbering } from "../../src/discord/shard-numbering.ts";
import { shardName } from "../../src/storage/leases-table.ts";
import { openTestDatabase } from "../open.ts";

const log = createLog({ level: "silent", secrets: [] });

const unused = (): never => {
  throw new Error("there are no old shards");
};

/** `stored` is the number of shards of a fleet that has ended. */
async function openDatabase(stored: number | undefined) {
  const { leases, shardLeases, facts } = await openTestDatabase("sqlite::memory:");
  if (stored !== undefined) {
    await facts.put("shards", JSON.stringify({ count: stored }));
  }
  return {
    leases,
    shardLeases,
    start: (holder: string, ofShards = shardLeases) =>
      createShardNumbering({
        leases: ofShards,
        facts,
        holder,
        resume: unused,
        openSession: unused,
        onEnd: unused,
        log,
      }),
  };
}

describe.each([
  { first: 16, second: 8, grows: false },
  { first: 8, second: 16, grows: true },
])("two processes that propose $first and $second shards agree on 16", ({ first, second, grows }) => {
  it("if both see that the last fleet has ended", async () => {
    const { shardLeases, start } = await openDatabase(4);
    const isRecorded = Promise.withResolvers<void>();
    const late = start("two", {
      ...shardLeases,
      async read(count) {
        const fleet = await shardLeases.read(count);
        await isRecorded.promise;
        return fleet;
      },
    });
    const agreed = late.agree(second);
    const one = start("one");
    expect(await one.agree(first)).toBe(first);
    isRecorded.resolve();
    expect(await agreed).toBe(16);
    expect(await one.read()).toBe(16);
    expect(one.isGrowing()).toBe(grows);
  });

  it.each([undefined, 4])("if the first has not joined yet, after a fleet of %s shards", async (stored) => {
    const { start } = await openDatabase(stored);
    const one = start("one");
    expect(await one.agree(first)).toBe(first);
    expect(await start("two").agree(second)).toBe(16);
    expect(await one.read()).toBe(16);
    expect(one.isGrowing()).toBe(grows);
  });
});

describe("the first process to join one that sets its own SHARDS", () => {
  const CHOSEN = [shardName("0/4"), shardName("1/4")];

  it("leaves that process its shards, although the last fleet had another number", async () => {
    const { leases, shardLeases, start } = await openDatabase(1);
    await leases.takeAll(CHOSEN, "chosen", 30_000);
    expect(await start("one").agree(4)).toBe(4);
    expect((await shardLeases.read(4)).free).toEqual([2, 3]);
  });

  it("keeps the number of shards", async () => {
    const { leases, start } = await openDatabase(4);
    await leases.takeAll(CHOSEN, "chosen", 30_000);
    expect(await start("one").agree(8)).toBe(4);
  });
});
