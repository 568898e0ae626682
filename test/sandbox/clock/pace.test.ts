import { describe, expect, it, onTestFinished } from "vitest";
import { createClockPace, type ClockPace, type ClockPaceParts } from "../../../sandbox/clock/pace.ts";
import { createTurnedClock, type TurnedClock } from "../../../sandbox/clock/clock.ts";

const AT_MS = Date.parse("2026-11-18T17:20:00Z");

function openPace(parts: Partial<ClockPaceParts> = {}): {
  pace: ClockPace;
  clock: TurnedClock;
  ticks: number[];
} {
  const clock = createTurnedClock({ atMs: AT_MS, mode: "still" });
  const ticks: number[] = [];
  const tick = async () => {
    ticks.push(clock.now());
    await Promise.resolve();
  };
  const pace = createClockPace({ clock, bot: { isRunning: true, tick }, isAwaited: () => false, ...parts });
  onTestFinished(() => {
    pace.stop();
    clock.stop();
  });
  return { pace, clock, ticks };
}

describe("the sandbox's pace", () => {
  it("lets an hour pass in steps of ten seconds, each with a tick, until it is real again", async () => {
    const { pace, clock, ticks } = openPace();
    const rates: number[] = [];
    pace.onRate((rate) => rates.push(rate));
    pace.setRate(60);
    await expect.poll(() => ticks.length).toBeGreaterThanOrEqual(4);
    pace.setRate(1);
    expect(ticks.slice(0, 4)).toEqual([1, 2, 3, 4].map((step) => AT_MS + step * 10_000));
    await pace.turnTo(clock.now());
    const stoodMs = clock.now();
    await new Promise((resolve) => setImmediate(resolve));
    expect([clock.now(), rates]).toEqual([stoodMs, [60, 1]]);
  });

  it("takes about a second for a minute", async () => {
    const { pace, clock } = openPace();
    const fromMs = performance.now();
    pace.setRate(60);
    await expect.poll(() => clock.now() - AT_MS).toBeGreaterThanOrEqual(60_000);
    expect(performance.now() - fromMs).toBeGreaterThan(900);
  });

  it("stands still for whoever waits for an answer", async () => {
    let isAwaited = true;
    const looks: number[] = [];
    const { pace, clock, ticks } = openPace({
      isAwaited: (withinMs) => {
        looks.push(withinMs);
        return isAwaited;
      },
    });
    pace.setRate(60);
    await expect.poll(() => looks.length).toBeGreaterThan(10);
    expect(clock.now()).toBe(AT_MS);
    isAwaited = false;
    await expect.poll(() => ticks.length).toBeGreaterThan(0);
  });

  it("waits for no tick for ever, and goes on after one that failed", async () => {
    let calls = 0;
    const { pace } = openPace({
      bot: {
        isRunning: true,
        tick: () => {
          calls += 1;
          return Promise.reject(new Error("no"));
        },
      },
    });
    await pace.turnTo(AT_MS + 1);
    await pace.turnTo(AT_MS + 2);
    expect(calls).toBe(2);
    const hanging = openPace({ bot: { isRunning: true, tick: () => new Promise(() => undefined) } });
    await hanging.pace.turnTo(AT_MS + 1);
    expect(hanging.clock.now()).toBe(AT_MS + 1);
  });

  it("turns one after another, so that a jump is not undone by a step", async () => {
    const { pace, clock } = openPace();
    pace.setRate(60);
    const jumps = [3, 1, 2].map((hours) => pace.turnTo(AT_MS + hours * 3_600_000));
    await Promise.all(jumps);
    pace.setRate(1);
    await pace.turnTo(clock.now());
    expect(clock.now() - AT_MS).toBeGreaterThanOrEqual(2 * 3_600_000);
    expect(clock.now() - AT_MS).toBeLessThan(2.1 * 3_600_000);
  });

  it("ticks for no bot that does not run", async () => {
    const { pace, clock, ticks } = openPace({
      bot: { isRunning: false, tick: () => Promise.reject(new Error("no bot")) },
    });
    await pace.turnTo(AT_MS + 5);
    expect([clock.now(), ticks]).toEqual([AT_MS + 5, []]);
  });
});
