import { expect, it } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { collectLog } from "../support/collect-log.ts";
import { createMaintenance } from "../../src/delivery/runner.ts";

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
