import { expect, it } from "vitest";
import { createTurnedClock } from "../../../sandbox/clock.ts";
import { createHousekeeping } from "../../../src/services/sending/housekeeping.ts";

const MINUTE_MS = 60_000;

/** What was kept, each time whether anew. */
function open() {
  const clock = createTurnedClock({ atMs: 0, mode: "still" });
  const kept: boolean[] = [];
  const trouble = { isThere: false };
  const keepHouse = createHousekeeping(clock, async (_nowMs, isAnew) => {
    kept.push(isAnew);
    if (trouble.isThere) {
      throw new Error("the database is away");
    }
  });
  const next = async (afterMs: number) => {
    await clock.advance(afterMs);
    await keepHouse();
  };
  return { kept, trouble, next };
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

it("is still to be done anew where it failed", async () => {
  const { kept, trouble, next } = open();
  await next(0);
  trouble.isThere = true;
  await expect(next(MINUTE_MS)).rejects.toThrow("the database is away");
  trouble.isThere = false;
  await next(MINUTE_MS / 6);
  await next(MINUTE_MS);
  expect(kept).toEqual([true, true, true, false]);
});
