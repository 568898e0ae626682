import { expect, it } from "vitest";
import { createTurnedClock } from "../../sandbox/clock/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { createHousekeeping } from "../../src/delivery/housekeeping.ts";

const MINUTE_MS = 60_000;

/** What was kept, each time whether anew. */
function open() {
  const clock = createTurnedClock({ atMs: 0, mode: "still" });
  const kept: boolean[] = [];
  const trouble = { isThere: false };
  const lines: string[] = [];
  const log = createLog({ level: "info", secrets: [], destination: { write: (line) => lines.push(line) } });
  const keepHouse = createHousekeeping({ clock, log, of: "boards" }, async (_nowMs, isAnew) => {
    kept.push(isAnew);
    if (trouble.isThere) {
      throw new Error("the database is away");
    }
  });
  const next = async (afterMs: number) => {
    await clock.advance(afterMs);
    await keepHouse();
  };
  return { kept, trouble, lines, next };
}

it("keeps house once a minute, anew at the start and once more", async () => {
  const { kept, next } = open();
  for (let ticks = 0; ticks < 19; ticks += 1) {
    await next(MINUTE_MS / 6);
  }
  expect(kept).toEqual([true, true, false, false]);
});

it("does so anew after a leap", async () => {
  const { kept, next } = open();
  for (const afterMs of [0, MINUTE_MS, MINUTE_MS, 6 * MINUTE_MS, MINUTE_MS, MINUTE_MS]) {
    await next(afterMs);
  }
  expect(kept).toEqual([true, true, false, true, true, false]);
});

it("logs a failure, and tries again ten seconds later, still anew", async () => {
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
      error: expect.objectContaining({ message: "the database is away" }),
    }),
  ]);
  await next(MINUTE_MS / 6);
  await next(MINUTE_MS);
  expect(kept).toEqual([true, true, true, false]);
});
