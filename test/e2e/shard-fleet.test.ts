// Processes that share shards, in brief; test/long/shard-fleet.test.ts has the full campaign.
import { performance } from "node:perf_hooks";
import { expect, it } from "vitest";
import { findPostgres } from "../support/databases.ts";
import { openShardFleet } from "../support/shard-fleet.ts";

const postgres = await findPostgres();
const SOON = { timeout: 40_000 };

it.skipIf(postgres.missing !== undefined)(
  "processes that join, stop and are killed leave no command unanswered, except on the killed process's shards",
  { timeout: 180_000 },
  async () => {
    await using fleet = await openShardFleet({ shards: 4, concurrency: 4 });
    const first = await fleet.start();
    fleet.askAll(10);
    const second = await fleet.start();
    await expect.poll(() => first.written(), SOON).toContain("shard released");
    expect(await first.terminate()).toBe(0);
    await expect.poll(() => fleet.sessions(), SOON).toEqual([0, 1, 2, 3]);
    const third = await fleet.start();
    const killedAtMs = performance.now();
    second.child.kill("SIGKILL");
    await expect.poll(() => fleet.sessions().length, SOON).toBeLessThan(4);
    await expect.poll(() => fleet.sessions(), SOON).toEqual([0, 1, 2, 3]);
    await fleet.fallSilent();
    expect(fleet.judge(0, killedAtMs - 3_000)).toMatchObject({ unanswered: 0 });
    const after = fleet.judge(killedAtMs - 3_000);
    expect(after.silentShards.length).toBeLessThanOrEqual(2);
    expect(third.written()).toContain("earlier session resumed");
    expect(fleet.identifies.mostInWindow()).toBe(1);
    expect(fleet.answeredTwice()).toBe(0);
    expect(fleet.world.discord.limits.busiestSecond).toBeLessThanOrEqual(50);
  },
);
