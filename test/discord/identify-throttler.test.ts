import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { z } from "zod";
import { ConfigError } from "../../src/core/errors.ts";
import { createIdentifyThrottler } from "../../src/discord/identify-throttler.ts";
import { createLoginThrottler } from "../../src/discord/log-in.ts";
import { collectLog } from "../support/collect-log.ts";

const HOUR_MS = 3_600_000;

/** `isFree` says whether the database gives a turn in this bucket; it throws if the database does not answer. */
function open(remaining: number, isFree: (bucket: number) => boolean, maxConcurrency = 2) {
  const said: string[] = [];
  const { log, lines } = collectLog();
  const asked: number[] = [];
  /** For each ended turn, how many milliseconds later others may take theirs. */
  const ended: number[] = [];
  const limit = { total: 1_000, remaining, reset_after: HOUR_MS, max_concurrency: maxConcurrency };
  const failures: Error[] = [];
  let fetched = 0;
  const manager = Object.assign(new EventEmitter(), {
    async fetchGatewayInformation() {
      fetched += 1;
      const failure = failures.shift();
      if (failure) {
        throw failure;
      }
      return { url: "", shards: 4, session_start_limit: limit };
    },
  });
  const throttler = createIdentifyThrottler(manager as never, {
    leases: {
      async takeIdentify(bucket) {
        asked.push(bucket);
        return isFree(bucket);
      },
      endIdentify: async (_, __, inMs) => void ended.push(inMs),
    },
    holder: "one",
    announce: (line) => said.push(line),
    log,
  });
  return { throttler, said, lines, asked, ended, limit, failures, fetched: () => fetched };
}

it("the identify throttler waits for a turn in the shard's own bucket", async () => {
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

it("the identify throttler waits five seconds after the answer to the last login, however late that was", async () => {
  let nowMs = 0;
  let asked = 0;
  let turn: { holder: string; untilMs: number } = { holder: "", untilMs: 0 };
  const gateways = ["one", "two"].map((holder) => {
    const limit = { total: 1_000, remaining: 900, reset_after: HOUR_MS, max_concurrency: 1 };
    const manager = Object.assign(new EventEmitter(), {
      fetchGatewayInformation: async () => ({ url: "", shards: 2, session_start_limit: limit }),
    });
    const leases = {
      async takeIdentify(_: number, by: string, forMs: number) {
        asked += 1;
        if (turn.untilMs > nowMs) {
          return false;
        }
        turn = { holder: by, untilMs: nowMs + forMs };
        return true;
      },
      async endIdentify(_: number, by: string, inMs: number) {
        turn = turn.holder === by ? { ...turn, untilMs: nowMs + inMs } : turn;
      },
    };
    const throttler = createIdentifyThrottler(manager as never, {
      leases,
      holder,
      announce: fail,
      log: collectLog().log,
    });
    return { manager, throttler };
  });
  const [one, two] = gateways;
  const { signal } = new AbortController();
  await one?.throttler.waitForIdentify(0, signal);
  let isGiven = false;
  async function waitForSecond(): Promise<void> {
    await two?.throttler.waitForIdentify(1, signal);
    isGiven = true;
  }
  const given = waitForSecond();
  async function askTwice(): Promise<void> {
    const before = asked;
    await expect.poll(() => isGiven || asked >= before + 2).toBe(true);
  }
  nowMs = 900;
  one?.manager.emit("ready", { shardId: 0 });
  // The READY of another process's shard does not end this turn.
  two?.manager.emit("ready", { shardId: 1 });
  nowMs = 900 + 4_999;
  await askTwice();
  expect(isGiven).toBe(false);
  nowMs = 900 + 5_000;
  await given;
});

it("the identify throttler leaves the last logins of a day unused and says until when it waits", async () => {
  const { throttler, said, asked } = open(10, () => true);
  expect(throttler.isWaitingForLogin()).toBe(false);
  const stopping = new AbortController();
  const waiting = [0, 1].map((shard) => throttler.waitForIdentify(shard, stopping.signal));
  await expect.poll(() => said).toHaveLength(1);
  expect(said[0]).toMatch(/^Discord allows this bot 1000 gateway logins in 24 hours, .* wait until \d{4}-/);
  expect(throttler.isWaitingForLogin()).toBe(true);
  stopping.abort();
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(throttler.isWaitingForLogin()).toBe(false);
  expect(asked).toEqual([]);
});

it("the identify throttler leaves as many logins unused as processes may use at the same time", async () => {
  const { throttler, said, asked } = open(16, () => true, 16);
  const stopping = new AbortController();
  const waiting = throttler.waitForIdentify(0, stopping.signal);
  await expect.poll(() => said).toHaveLength(1);
  stopping.abort();
  await expect(waiting).rejects.toThrow("aborted");
  expect(asked).toEqual([]);
});

it("the identify throttler reads the number of remaining logins when it has a turn, not while it waits", async () => {
  let isFree = false;
  const { throttler, asked, ended, limit, fetched } = open(20, () => isFree);
  const stopping = new AbortController();
  const waiting = throttler.waitForIdentify(0, stopping.signal);
  await expect.poll(() => asked.length).toBeGreaterThan(3);
  expect(fetched()).toBe(1);
  // Others have used them up in the meantime.
  limit.remaining = 10;
  isFree = true;
  await expect.poll(fetched).toBe(2);
  await expect.poll(() => ended).toEqual([0]);
  stopping.abort();
  await expect(waiting).rejects.toThrow("aborted");
});

it("the identify throttler waits for a database that does not answer and logs that once", async () => {
  let isAway = true;
  const { throttler, lines, asked } = open(900, () => {
    if (isAway) {
      throw new Error("the database is away");
    }
    return true;
  });
  const waiting = throttler.waitForIdentify(0, new AbortController().signal);
  await expect.poll(() => asked.length).toBeGreaterThan(2);
  isAway = false;
  await waiting;
  expect(lines.map((line) => z.object({ msg: z.string() }).parse(JSON.parse(line)).msg)).toEqual([
    "turn to identify not taken",
    "turns to identify available again",
  ]);
});

it("the identify throttler takes a turn only after Discord has said how many logins are left", async () => {
  const { throttler, asked, failures, fetched } = open(900, () => true);
  failures.push(new TypeError("terminated"));
  await Promise.all([0, 2].map((shard) => throttler.waitForIdentify(shard, new AbortController().signal)));
  expect(fetched()).toBe(2);
  expect(asked).toEqual([0, 0]);
});

it("the identify throttler lets a shard identify if the token is refused: Discord's answer says so", async () => {
  const { throttler, asked, failures } = open(900, () => true);
  failures.push(new ConfigError(["refused"]));
  await throttler.waitForIdentify(0, new AbortController().signal);
  expect(asked).toEqual([0]);
});

it("the login throttler asks Discord once, however often a connection closes while it waits", async () => {
  const asked: PromiseWithResolvers<unknown>[] = [];
  const information = { session_start_limit: { max_concurrency: 1 } };
  const throttler = await createLoginThrottler({
    async fetchGatewayInformation(isAgain?: boolean) {
      if (!isAgain) {
        return information;
      }
      const answer = Promise.withResolvers();
      asked.push(answer);
      return answer.promise;
    },
  } as never);
  await throttler.waitForIdentify(0, new AbortController().signal);
  const waiting = [1, 2, 3].map(() => {
    const closing = new AbortController();
    const turn = throttler.waitForIdentify(0, closing.signal);
    closing.abort();
    return turn;
  });
  expect(throttler.isWaitingForLogin()).toBe(true);
  expect(asked).toHaveLength(1);
  asked[0]?.resolve(information);
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(
    waiting.map(() => "rejected"),
  );
  expect(throttler.isWaitingForLogin()).toBe(false);
});

function fail(line: string): never {
  throw new Error(line);
}
