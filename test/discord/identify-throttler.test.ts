import { expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { createIdentifyThrottler } from "../../src/discord/identify-throttler.ts";

const log = createLog({ level: "silent", secrets: [] });
const HOUR_MS = 3_600_000;

function open(remaining: number, isFree: (bucket: number) => boolean) {
  const said: string[] = [];
  const asked: number[] = [];
  const limit = { total: 1_000, remaining, reset_after: HOUR_MS, max_concurrency: 2 };
  const manager = {
    fetchGatewayInformation: async () => ({ url: "", shards: 4, session_start_limit: limit }),
  };
  const throttler = createIdentifyThrottler(manager as never, {
    leases: {
      async takeIdentify(bucket) {
        asked.push(bucket);
        return isFree(bucket);
      },
    },
    holder: "one",
    announce: (line) => said.push(line),
    log,
  });
  return { throttler, said, asked };
}

it("waits for a turn in the shard's own bucket", async () => {
  let free = -1;
  const { throttler, asked } = open(900, (bucket) => bucket === free);
  const { signal } = new AbortController();
  const turns: number[] = [];
  const waiting = [3, 4, 5].map(async (shard) => {
    await throttler.waitForIdentify(shard, signal);
    turns.push(shard);
  });
  await expect.poll(() => new Set(asked)).toEqual(new Set([0, 1]));
  expect(turns).toEqual([]);
  free = 1;
  await Promise.all([waiting[0], waiting[2]]);
  expect(turns).toEqual([3, 5]);
  free = 0;
  await Promise.all(waiting);
});

it("leaves the last logins of a day unused and says until when", async () => {
  const { throttler, said, asked } = open(10, () => true);
  const stopping = new AbortController();
  const waiting = [0, 1].map((shard) => throttler.waitForIdentify(shard, stopping.signal));
  await expect.poll(() => said).toHaveLength(1);
  expect(said[0]).toMatch(/^Discord allows this bot 1000 gateway logins in 24 hours, .* wait until \d{4}-/);
  stopping.abort();
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(asked).toEqual([]);
});
