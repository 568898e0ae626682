import { describe, expect, it } from "vitest";
import { createTurnedClock } from "../../sandbox/clock/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { createShardFleet, shareOf } from "../../src/discord/shard-fleet.ts";
import type { GatewaySession } from "../../src/storage/gateway-sessions.ts";
import { createFor, openStill } from "../open.ts";
import { findPostgres } from "../support/databases.ts";

const postgres = await findPostgres();
const log = createLog({ level: "silent", secrets: [] });

const fleetOf = (shares: Readonly<Record<string, number>>, chosen = 0) => {
  const owners = Object.entries(shares).flatMap(([name, count]) => Array.from({ length: count }, () => name));
  const all = [...Array.from({ length: chosen }, () => "chosen"), ...owners];
  return {
    processes: new Set(Object.keys(shares)),
    holders: new Map(all.map((name, shard) => [shard, name])),
  };
};

it.each([
  [{ a: 0 }, 16, [16]],
  [{ a: 16, b: 0 }, 16, [8, 8]],
  [{ a: 4, b: 4, c: 4, d: 4, e: 0 }, 16, [4, 3, 3, 3, 3]],
  [{ a: 3, b: 4, c: 3, d: 3, e: 3 }, 16, [3, 4, 3, 3, 3]],
  [{ a: 6, b: 5, c: 5 }, 16, [6, 5, 5]],
  [{ a: 1, b: 0, c: 0 }, 1, [1, 0, 0]],
] as const)("of %o and %i shards, each process's part is %o", (shares, count, expected) => {
  const fleet = fleetOf(shares);
  expect(Object.keys(shares).map((name) => shareOf(name, fleet, count))).toEqual(expected);
});

it("shares what processes with chosen shards leave", () => {
  const fleet = fleetOf({ a: 3, b: 1 }, 2);
  expect(["a", "b"].map((name) => shareOf(name, fleet, 10))).toEqual([4, 4]);
});

/** Processes on one database; each notes which shards run, and fails where one runs twice. */
async function open() {
  const url = await createFor(postgres);
  const clock = createTurnedClock({ atMs: Date.UTC(2026, 10, 18, 17, 20), mode: "still" });
  const running = new Map<number, string>();
  const events: string[] = [];
  const sequences = new Map<number, number>();

  return {
    clock,
    events,
    running,
    /** Which process runs each shard. */
    shares: () =>
      Object.fromEntries(
        Map.groupBy(running, ([, name]) => name)
          .entries()
          .map(([name, all]) => [name, all.length]),
      ),
    async process(
      name: string,
      isSuspended: () => boolean = () => false,
      /** What it hears from the database arrives only then. */
      heard: () => Promise<void> = async () => undefined,
    ) {
      const { shardLeases, facts } = await openStill(url, clock);
      const leases = {
        ...shardLeases,
        async renew(...asked: Parameters<typeof shardLeases.renew>) {
          const renewed = await shardLeases.renew(...asked);
          await heard();
          return renewed;
        },
      };
      const sessions = new Map<number, GatewaySession>();
      const runner = {
        start(shard: number, left: GatewaySession | undefined): void {
          if (running.has(shard)) {
            events.push(`shard ${shard} runs twice`);
          }
          running.set(shard, name);
          const sequence = (sequences.get(shard) ?? 0) + 1;
          sequences.set(shard, sequence);
          events.push(
            `${name} starts ${shard}${left === undefined ? "" : ` after ${left.sessionId}${left.isLeft ? "" : ", not left"}`}`,
          );
          sessions.set(shard, {
            shardId: shard,
            shardCount: 4,
            sessionId: `${name}${shard}`,
            sequence,
            resumeURL: "",
            isLeft: false,
          });
        },
        async stop(shard: number): Promise<GatewaySession | undefined> {
          if (running.get(shard) === name) {
            running.delete(shard);
          }
          const session = sessions.get(shard);
          return session && { ...session, isLeft: true };
        },
        session: (shard: number) => sessions.get(shard),
        isServing: () => true,
      };
      const fleet = createShardFleet({
        leases,
        facts,
        sealSession: (session) => JSON.stringify(session),
        openSession: (stored) => [JSON.parse(stored) as GatewaySession],
        takeKept: async () => [],
        holder: name,
        clock: {
          elapsed: () => clock.elapsed(),
          after: (delayMs, callback) => clock.after(delayMs, () => isSuspended() || callback()),
        },
        log,
      });
      await fleet.join(runner, await fleet.agree(4));
      return fleet;
    },
    /** Lets time pass until it is as expected. */
    async until(expected: Readonly<Record<string, number>>): Promise<void> {
      await expect
        .poll(
          async () => {
            await clock.advance(250);
            return this.shares();
          },
          { interval: 10 },
        )
        .toEqual(expected);
    },
  };
}

describe.skipIf(postgres.missing !== undefined)("processes of a fleet", () => {
  it("share the shards evenly as one joins and one leaves, and hand over their sessions", async () => {
    const scene = await open();
    const one = await scene.process("one");
    expect(scene.shares()).toEqual({ one: 4 });
    const joining = scene.process("two");
    await scene.until({ one: 2, two: 2 });
    const two = await joining;
    expect(two.shards()).toEqual([2, 3]);
    expect(scene.events).toEqual(
      expect.arrayContaining(["two starts 3 after one3", "two starts 2 after one2"]),
    );
    expect([one.handles(0), one.handles(3), two.handles(3)]).toEqual([true, false, true]);
    await one.leave();
    await scene.until({ two: 4 });
    expect(scene.events).toContain("two starts 0 after one0");
    expect(scene.events.filter((event) => event.includes("twice"))).toEqual([]);
    await two.leave();
  });

  it("take over from one that is suspended, which finds out before it handles anything", async () => {
    const scene = await open();
    let isSuspended = false;
    const one = await scene.process("one", () => isSuspended);
    const joining = scene.process("two");
    await scene.until({ one: 2, two: 2 });
    const two = await joining;
    // Its lease is renewed once more, with its sessions.
    await scene.clock.advance(2_000);
    await one.handles(0);
    isSuspended = true;
    // What ran there is silent.
    scene.running.delete(0);
    scene.running.delete(1);
    await scene.until({ two: 4 });
    expect(scene.events.slice(-2).toSorted()).toEqual([
      "two starts 0 after one0, not left",
      "two starts 1 after one1, not left",
    ]);
    expect([await one.handles(0), await one.handles(1)]).toEqual([false, false]);
    expect(one.shards()).toEqual([]);
    expect(await one.mayConnect(0)).toBe(false);
    isSuspended = false;
    await one.leave();
    await two.leave();
  });

  it("ask again where what one hears was said before it was suspended", async () => {
    const scene = await open();
    let isSuspended = false;
    let isHeard = Promise.resolve();
    const one = await scene.process(
      "one",
      () => isSuspended,
      () => isHeard,
    );
    const { promise, resolve } = Promise.withResolvers<void>();
    isHeard = promise;
    await scene.clock.advance(2_000);
    isSuspended = true;
    scene.running.clear();
    const joining = scene.process("two");
    await scene.until({ two: 4 });
    const two = await joining;
    const mayHandle = one.handles(0);
    resolve();
    expect(await mayHandle).toBe(false);
    isSuspended = false;
    await one.leave();
    await two.leave();
  });

  it("agree on how many shards there are", async () => {
    const scene = await open();
    const one = await scene.process("one");
    expect(await one.agree(5)).toBe(4);
    await one.leave();
    expect(await one.agree(5)).toBe(5);
  });
});
