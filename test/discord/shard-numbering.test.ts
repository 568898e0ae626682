import { expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { createShardNumbering } from "../../src/discord/shard-numbering.ts";
import { openFor } from "../open.ts";

const log = createLog({ level: "silent", secrets: [] });

const unused = (): never => {
  throw new Error("there are no old shards");
};

it.each([
  { first: 16, second: 8, grows: false },
  { first: 8, second: 16, grows: true },
])("of $first and $second shards at once, those recorded first count", async ({ first, second, grows }) => {
  const { shardLeases, facts } = await openFor("sqlite::memory:");
  // The number of a fleet that has ended.
  await facts.put("shards", JSON.stringify({ count: 4 }));
  const isRecorded = Promise.withResolvers<void>();
  const open = (holder: string, leases = shardLeases) =>
    createShardNumbering({
      leases,
      facts,
      holder,
      resume: unused,
      openSession: unused,
      onEnd: unused,
      log,
    });
  const late = open("two", {
    ...shardLeases,
    async read(count) {
      const fleet = await shardLeases.read(count);
      await isRecorded.promise;
      return fleet;
    },
  });
  const agreed = late.agree(second);
  const one = open("one");
  expect(await one.agree(first)).toBe(first);
  isRecorded.resolve();
  expect(await agreed).toBe(16);
  expect(await one.read()).toBe(16);
  expect(one.isGrowing()).toBe(grows);
});
