import { expect, it } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { collectLog } from "../support/collect-log.ts";
import { type Claim, createClaims, createMaintenance } from "../../src/delivery/runner.ts";

const MINUTE_MS = 60_000;

/** Opens maintenance that records, for each run, whether it followed a jump of the clock. */
function open() {
  const clock = createSandboxClock({ atMs: 0, mode: "still" });
  const kept: boolean[] = [];
  const trouble = { isThere: false };
  const { log, lines } = collectLog();
  const maintain = createMaintenance({ clock, log, of: "boards" }, async (_nowMs, isAfterJump) => {
    kept.push(isAfterJump);
    if (trouble.isThere) {
      throw new Error("the database is unavailable");
    }
  });
  const next = async (afterMs: number) => {
    await clock.advance(afterMs);
    await maintain();
  };
  return { kept, trouble, lines, next };
}

it("runs once a minute, the first two times as if the clock had jumped", async () => {
  const { kept, next } = open();
  for (let ticks = 0; ticks < 19; ticks += 1) {
    await next(MINUTE_MS / 6);
  }
  expect(kept).toEqual([true, true, false, false]);
});

it("treats two runs after a jump of the clock as following it", async () => {
  const { kept, next } = open();
  for (const afterMs of [0, MINUTE_MS, MINUTE_MS, 6 * MINUTE_MS, MINUTE_MS, MINUTE_MS]) {
    await next(afterMs);
  }
  expect(kept).toEqual([true, true, false, true, true, false]);
});

it("logs a failure, and retries ten seconds later, still as if the clock had jumped", async () => {
  const { kept, trouble, lines, next } = open();
  await next(0);
  trouble.isThere = true;
  await next(MINUTE_MS);
  await next(1);
  trouble.isThere = false;
  expect(kept).toEqual([true, true]);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: "error",
      msg: "maintenance failed",
      of: "boards",
      error: expect.objectContaining({ message: "the database is unavailable" }),
    }),
  ]);
  await next(MINUTE_MS / 6);
  await next(MINUTE_MS);
  expect(kept).toEqual([true, true, true, false]);
});

/** Opens claims that are written at once, or as soon as `held` settles. */
function openClaims() {
  const clock = createSandboxClock({ atMs: 0, mode: "still" });
  const state = { writes: 0, held: Promise.resolve() };
  const { log } = collectLog();
  const claims = createClaims<Claim>({
    clock,
    log,
    async write(all) {
      state.writes += 1;
      await state.held;
      return new Set(all);
    },
  });
  return { claims, clock, state };
}

/** Lets callbacks that are already due run. */
const turns = () => new Promise((resolve) => setImmediate(resolve));

it("has room for less while work is under way", () => {
  const { claims } = openClaims();
  const room = claims.room();
  claims.begin("a", () => new Promise(() => undefined));
  expect(claims.room()).toBe(room - 1);
});

it("records the outcome of work after a renewal that is under way, and does not renew its claim again", async () => {
  const { claims, clock, state } = openClaims();
  const [claim] = await claims.take([{ key: "a", safeUntilElapsedMs: -Infinity }]);
  if (claim === undefined) {
    throw new Error("it is not claimed");
  }
  const acts: string[] = [];
  const finished = Promise.withResolvers<void>();
  const recorded = Promise.withResolvers<void>();
  claims.begin(claim, async () => {
    await finished.promise;
    await claims.record(claim, async () => {
      acts.push("recorded");
      await recorded.promise;
    });
  });
  const renewal = Promise.withResolvers<void>();
  state.held = renewal.promise;
  await clock.advance(10_000);
  await turns();
  expect(state.writes).toBe(2);
  finished.resolve();
  await turns();
  expect(acts).toEqual([]);
  renewal.resolve();
  await turns();
  expect(acts).toEqual(["recorded"]);
  await clock.advance(10_000);
  await turns();
  expect(state.writes).toBe(2);
  recorded.resolve();
});
