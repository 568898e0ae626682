import { describe, expect, it } from "vitest";
import { createDatabaseHealth } from "../../src/operations/monitoring.ts";
import { createStillClock } from "../support/still-clock.ts";

/** Watches a database that answers pings with `answer`. */
function open(answer: () => Promise<unknown>) {
  const clock = createStillClock();
  let pings = 0;
  const isSilent = createDatabaseHealth(clock, () => {
    pings += 1;
    return answer();
  });
  return {
    clock,
    isSilent,
    pings: () => pings,
    /** Checks this many times, every `intervalMs`. Returns whether the database was silent each time. */
    async check(times: number, intervalMs: number) {
      const seen: boolean[] = [];
      for (let turn = 0; turn < times; turn += 1) {
        seen.push(isSilent());
        await new Promise((resolve) => setImmediate(resolve));
        clock.advance(intervalMs);
      }
      return seen;
    },
  };
}

describe("a database", () => {
  it("that answers is not silent, and is asked at most every ten seconds", async () => {
    const scene = open(async () => {});
    expect(await scene.check(120, 1_000)).not.toContain(true);
    expect(scene.pings()).toBe(12);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("away"))],
    ["never answers", () => new Promise(() => undefined)],
  ])("that %s is silent after a minute", async (_, answer) => {
    const scene = open(answer);
    expect(await scene.check(8, 10_000)).toEqual([false, false, false, false, false, false, true, true]);
  });

  it("is not silent only because it was not checked for a minute", async () => {
    let isAway = false;
    const scene = open(() => (isAway ? Promise.reject(new Error("away")) : Promise.resolve()));
    await scene.check(2, 10_000);
    isAway = true;
    scene.clock.advance(3_600_000);
    expect(scene.isSilent()).toBe(false);
  });

  it("is not asked again while it has not answered", async () => {
    const scene = open(() => new Promise(() => undefined));
    await scene.check(30, 10_000);
    expect(scene.pings()).toBe(1);
  });

  it("is no longer silent after its first answer", async () => {
    let isAway = true;
    const scene = open(() => (isAway ? Promise.reject(new Error("away")) : Promise.resolve()));
    expect((await scene.check(8, 10_000)).at(-1)).toBe(true);
    isAway = false;
    expect(await scene.check(3, 10_000)).toEqual([true, false, false]);
  });
});
