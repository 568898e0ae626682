import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { SnowflakeUtil } from "discord.js";
import { describe, expect, it } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { createShardFleet, shareOf } from "../../src/discord/shard-fleet.ts";
import type { GatewaySession } from "../../src/storage/gateway-sessions.ts";
import { createTestDatabase, openDatabaseOnStillClock } from "../open.ts";
import { findPostgres } from "../support/databases.ts";
import { watchSettled } from "../support/until.ts";

const postgres = await findPostgres();
const log = createLog({ level: "silent", secrets: [] });

const fleetOf = (shares: Readonly<Record<string, number>>, chosen = 0) => {
  const owners = Object.entries(shares).flatMap(([name, count]) => Array.from({ length: count }, () => name));
  const all = [...Array.from({ length: chosen }, () => "chosen"), ...owners];
  const holders = new Map(all.map((name, shard) => [shard, name]));
  const processes = new Set(Object.keys(shares));
  return { processes, leaving: new Set<string>(), holders, sessions: 0, nowMs: 0 };
};

it.each([
  [{ a: 0 }, 16, [16]],
  [{ a: 16, b: 0 }, 16, [8, 8]],
  [{ a: 4, b: 4, c: 4, d: 4, e: 0 }, 16, [4, 3, 3, 3, 3]],
  [{ a: 3, b: 4, c: 3, d: 3, e: 3 }, 16, [3, 4, 3, 3, 3]],
  [{ a: 6, b: 5, c: 5 }, 16, [6, 5, 5]],
  [{ a: 1, b: 0, c: 0 }, 1, [1, 0, 0]],
] as const)("shareOf: processes with %o of %i shards should have %o", (shares, count, expected) => {
  const fleet = fleetOf(shares);
  expect(Object.keys(shares).map((name) => shareOf(name, fleet, count))).toEqual(expected);
});

it("shareOf excludes shards of processes with their own choice, but includes those of processes that are stopping", () => {
  const fleet = fleetOf({ a: 3, b: 1 }, 2);
  expect(["a", "b"].map((name) => shareOf(name, fleet, 10))).toEqual([4, 4]);
  const leaving = { ...fleet, leaving: new Set(["chosen"]) };
  expect(["a", "b"].map((name) => shareOf(name, leaving, 10))).toEqual([5, 5]);
});

/** The most steps of 250 ms: 100 seconds. */
const MAX_STEPS = 400;

/** Opens a database for processes. They record which shards run, and add an event if one runs twice. */
async function open() {
  const url = await createTestDatabase(postgres);
  const clock = createSandboxClock({ atMs: Date.UTC(2026, 10, 18, 17, 20), mode: "still" });
  /** The number of statements that the database has not answered yet. */
  let underWay = 0;

  async function tracked<T>(statement: Promise<T>): Promise<T> {
    underWay += 1;
    try {
      return await statement;
    } finally {
      underWay -= 1;
    }
  }

  /** The same table, with its statements counted in `underWay`. */
  function counted<T extends object>(table: T): T {
    return new Proxy(table, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        return (...args: readonly unknown[]) =>
          tracked(Reflect.apply(method as (...all: readonly unknown[]) => Promise<unknown>, target, args));
      },
    });
  }

  async function settle(): Promise<void> {
    await setImmediate();
    if (underWay > 0) {
      await settle();
    }
  }

  /** Lets time pass, but only while no process waits for the database, which therefore takes no time. */
  async function passUntil(isOver: () => boolean): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS && !isOver(); steps += 1) {
      await clock.advance(250);
      await settle();
    }
  }
  /** The process that runs each shard, by keys such as `0/4`. */
  const running = new Map<string, string>();
  const events: string[] = [];

  return {
    clock,
    events,
    running,
    /** The number of shards that each process runs. */
    shares: () =>
      Object.fromEntries(
        Map.groupBy(running, ([, name]) => name)
          .entries()
          .map(([name, all]) => [name, all.length]),
      ),
    async process(
      name: string,
      isSuspended: () => boolean = () => false,
      /** Delays answers from the database until it resolves; if it rejects, the answer is lost. */
      beforeAnswer: (statement: "renew" | "release") => Promise<void> = async () => undefined,
    ) {
      const database = await tracked(openDatabaseOnStillClock(url, clock));
      const [shardLeases, facts] = [counted(database.shardLeases), counted(database.facts)];
      const leases = {
        ...shardLeases,
        async renew(...asked: Parameters<typeof shardLeases.renew>) {
          const renewed = await shardLeases.renew(...asked);
          await beforeAnswer("renew");
          return renewed;
        },
        async release(...asked: Parameters<typeof shardLeases.release>) {
          await shardLeases.release(...asked);
          await beforeAnswer("release");
        },
      };
      const sessions = new Map<number, GatewaySession>();
      let count = 0;
      const stop = async (shard: number): Promise<GatewaySession | undefined> => {
        const key = `${shard}/${count}`;
        if (running.get(key) === name) {
          running.delete(key);
        }
        const session = sessions.get(shard);
        sessions.delete(shard);
        return session && { ...session, isLeft: true };
      };
      const runner = {
        start(shard: number, left: GatewaySession | undefined): void {
          const key = `${shard}/${count}`;
          if (running.has(key)) {
            events.push(`${key} runs twice`);
          }
          running.set(key, name);
          const after =
            left === undefined ? "" : ` after ${left.sessionId}${left.isLeft ? "" : ", not left"}`;
          events.push(`${name} starts ${key}${after}`);
          const sessionId = `${name}${shard}`;
          sessions.set(shard, {
            shardId: shard,
            shardCount: count,
            sessionId,
            sequence: 1,
            resumeURL: "",
            isLeft: false,
          });
        },
        stop,
        session: (shard: number) => sessions.get(shard),
        isServing: () => true,
        async renumber(shardCount: number) {
          for (const shard of sessions.keys()) {
            if (fleet.handles(shard, idAt(clock.now())) !== true) {
              events.push(`${name} drops what comes for ${shard}`);
            }
          }
          const left = await Promise.all([...sessions.keys()].map(stop));
          count = shardCount;
          return left.flatMap((session) => session ?? []);
        },
        resumeOld(session: GatewaySession) {
          events.push(`${name} keeps ${session.sessionId}`);
          return {
            session: () => session,
            leave: () => session,
            close: () => void events.push(`${name} ends ${session.sessionId}`),
          };
        },
        forgetGuilds: () => undefined,
      };
      const fleet = createShardFleet({
        runner,
        leases,
        facts,
        sealSession: (session) => JSON.stringify(session),
        openSession: (stored) => [JSON.parse(stored) as GatewaySession],
        holder: name,
        clock: {
          elapsed: () => clock.elapsed(),
          after: (delayMs, callback) => clock.after(delayMs, () => isSuspended() || callback()),
        },
        log,
      });
      count = await fleet.agree(4);
      await fleet.join(count);
      return fleet;
    },
    /** Lets time pass until the processes run these numbers of shards. */
    async until(expected: Readonly<Record<string, number>>): Promise<void> {
      await passUntil(() => isDeepStrictEqual(this.shares(), expected));
      expect(this.shares()).toEqual(expected);
    },
    /** Stops these processes, which takes time if there are others. */
    async end(...fleets: readonly { readonly leave: () => Promise<void> }[]): Promise<void> {
      const ending = Promise.all(fleets.map((fleet) => fleet.leave()));
      await this.untilTrue(watchSettled(ending));
      await ending;
    },
    async untilTrue(isTrue: () => boolean): Promise<void> {
      await passUntil(isTrue);
      expect(isTrue()).toBe(true);
    },
  };
}

/** The id of an interaction at this time. */
const idAt = (atMs: number): string => String(SnowflakeUtil.generate({ timestamp: atMs, increment: 0n }));

describe.skipIf(postgres.missing !== undefined)("processes of a fleet", () => {
  it("share the shards evenly and hand over their sessions when one joins and one leaves", async () => {
    const scene = await open();
    const one = await scene.process("one");
    expect(scene.shares()).toEqual({ one: 4 });
    const joining = scene.process("two");
    await scene.until({ one: 2, two: 2 });
    const two = await joining;
    expect(two.shards()).toEqual([2, 3]);
    expect(scene.events).toEqual(
      expect.arrayContaining(["two starts 3/4 after one3", "two starts 2/4 after one2"]),
    );
    expect([one.handles(0, "1"), one.handles(3, "1"), two.handles(3, "1")]).toEqual([true, false, true]);
    await scene.end(one);
    await scene.until({ two: 4 });
    expect(scene.events).toContain("two starts 0/4 after one0");
    expect(scene.events.filter((event) => event.includes("twice"))).toEqual([]);
    await scene.end(two);
  });

  it("take over from a suspended one, which notices before it handles anything", async () => {
    const scene = await open();
    let isSuspended = false;
    const one = await scene.process("one", () => isSuspended);
    const joining = scene.process("two");
    await scene.until({ one: 2, two: 2 });
    const two = await joining;
    // The first process renews its leases once more, with the sessions.
    await scene.clock.advance(2_000);
    await one.handles(0, "1");
    isSuspended = true;
    // The first process no longer handles anything.
    scene.running.delete("0/4");
    scene.running.delete("1/4");
    await scene.until({ two: 4 });
    expect(scene.events.slice(-2).toSorted()).toEqual([
      "two starts 0/4 after one0, not left",
      "two starts 1/4 after one1, not left",
    ]);
    expect([await one.handles(0, "1"), await one.handles(1, "1")]).toEqual([false, false]);
    expect(one.shards()).toEqual([]);
    expect(await one.mayConnect(0)).toBe(false);
    isSuspended = false;
    await scene.end(one, two);
  });

  it("reconnect a shard without the database if no other process can have it, and otherwise wait", async () => {
    const scene = await open();
    let isAway = false;
    const lost = async (): Promise<void> => {
      if (isAway) {
        throw new Error("the database is away");
      }
    };
    const pass = (durationMs: number): Promise<void> => {
      const endMs = scene.clock.elapsed() + durationMs;
      return scene.untilTrue(() => scene.clock.elapsed() >= endMs);
    };
    const one = await scene.process("one", undefined, lost);
    isAway = true;
    await pass(12_000);
    const alone = one.mayConnect(0);
    await scene.untilTrue(watchSettled(alone));
    expect(await alone).toBe(true);
    // Another process would have taken the shard at once.
    await pass(60_000);
    const later = one.mayConnect(0);
    await scene.untilTrue(watchSettled(later));
    expect(await later).toBe(true);
    // Since then, another process may have started and taken the shard.
    const again = one.mayConnect(0);
    const isAllowedAgain = watchSettled(again);
    await pass(30_000);
    expect(isAllowedAgain()).toBe(false);
    isAway = false;
    await scene.untilTrue(isAllowedAgain);
    expect(await again).toBe(true);
    const joining = scene.process("two");
    await scene.until({ one: 2, two: 2 });
    const two = await joining;
    await pass(2_000);
    isAway = true;
    await pass(12_000);
    const beside = one.mayConnect(0);
    const isKnown = watchSettled(beside);
    await pass(30_000);
    expect(isKnown()).toBe(false);
    isAway = false;
    await scene.untilTrue(isKnown);
    expect(await beside).toBe(true);
    await scene.end(one, two);
  });

  it("increase the number of shards, and handle each id exactly once", async () => {
    const scene = await open();
    const one = await scene.process("one");
    const joining = scene.process("two");
    await scene.until({ one: 2, two: 2 });
    const two = await joining;
    await two.propose(3);
    await one.propose(6);
    await scene.until({ one: 3, two: 3 });
    expect([...scene.running.keys()].toSorted()).toEqual(["0/6", "1/6", "2/6", "3/6", "4/6", "5/6"]);
    expect(scene.events.filter((event) => event.includes("keeps")).toSorted()).toEqual([
      "one keeps one0",
      "one keeps one1",
      "two keeps two2",
      "two keeps two3",
    ]);
    expect(scene.events.filter((event) => event.includes("drops"))).toEqual([]);
    const [newOfOne = -1] = one.shards();
    const judge = (atMs: number) => [one.handlesOld(idAt(atMs)), one.handles(newOfOne, idAt(atMs))];
    const nowMs = scene.clock.now();
    expect(judge(nowMs)).toEqual([true, false]);
    // Every new shard has a session, so the processes agree on a time for the switch.
    const later = idAt(nowMs + 60_000);
    await scene.untilTrue(() => !one.handlesOld(later) && !two.handlesOld(later));
    expect(judge(scene.clock.now())).toEqual([true, false]);
    for (let ms = nowMs; ms < nowMs + 60_000; ms += 500) {
      expect(new Set(judge(ms))).toEqual(new Set([true, false]));
      expect(two.handlesOld(idAt(ms))).toBe(one.handlesOld(idAt(ms)));
    }
    await scene.untilTrue(() => scene.events.filter((event) => event.includes("ends")).length === 4);
    await scene.untilTrue(() => judge(nowMs)[1] === true);
    expect(judge(nowMs)).toEqual([false, true]);
    expect(await one.agree(4)).toBe(6);
    await scene.end(one, two);
  });

  it.each(["before", "after"])(
    "keep the old shards of one that stops while the fleet grows, %s the time is agreed",
    async (when) => {
      const scene = await open();
      const one = await scene.process("one");
      const joining = scene.process("two");
      await scene.until({ one: 2, two: 2 });
      const two = await joining;
      await one.propose(5);
      await scene.untilTrue(() => scene.events.filter((event) => event.includes("keeps")).length === 4);
      const later = idAt(scene.clock.now() + 60_000);
      await scene.untilTrue(() => when === "before" || !one.handlesOld(later));
      await scene.end(one);
      await scene.until({ two: 5 });
      const adopted = () => scene.events.filter((event) => event.startsWith("two keeps one")).toSorted();
      await scene.untilTrue(() => adopted().length > 0);
      expect(adopted()).toEqual(["two keeps one0", "two keeps one1"]);
      expect(two.handlesOld(idAt(scene.clock.now()))).toBe(true);
      await scene.end(two);
    },
  );

  it("ask the database again if its answer is older than the suspension", async () => {
    const scene = await open();
    let isSuspended = false;
    let answered = Promise.resolve();
    const one = await scene.process(
      "one",
      () => isSuspended,
      () => answered,
    );
    const { promise, resolve } = Promise.withResolvers<void>();
    answered = promise;
    await scene.clock.advance(2_000);
    isSuspended = true;
    scene.running.clear();
    const joining = scene.process("two");
    await scene.until({ two: 4 });
    const two = await joining;
    const mayHandle = one.handles(0, "1");
    resolve();
    expect(await mayHandle).toBe(false);
    isSuspended = false;
    await scene.end(one, two);
  });

  it("ask the database who has a shard if the answer to its release was lost", async () => {
    const scene = await open();
    let isLost = false;
    const one = await scene.process("one", undefined, async (statement) => {
      if (statement === "release" && !isLost) {
        isLost = true;
        throw new Error("the answer was lost");
      }
    });
    const joining = scene.process("two");
    await scene.untilTrue(() => isLost);
    const shard = one.shards().at(-1) ?? 0;
    expect(shard).toBeGreaterThan(1);
    expect(await one.handles(shard, "1")).toBe(false);
    await scene.until({ one: 2, two: 2 });
    await scene.end(one, await joining);
  });

  it("agree on the number of shards, and resume the sessions of an earlier fleet with the same number", async () => {
    const scene = await open();
    const one = await scene.process("one");
    expect(await one.agree(3)).toBe(4);
    await scene.end(one);
    const two = await scene.process("two");
    expect(scene.events).toContain("two starts 0/4 after one0");
    await scene.end(two);
    expect(await one.agree(3)).toBe(3);
  });
});
