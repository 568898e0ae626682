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
  onTestFinished(() => clock.stop());
  return { pace, clock, ticks };
}

describe("the sandbox's pace", () => {
  it("lets time pass, and ticks when it has", async () => {
    const { pace, clock, ticks } = openPace();
    await pace.pass(10_000);
    await pace.pass(3_000);
    expect(clock.now()).toBe(AT_MS + 13_000);
    expect(ticks).toEqual([AT_MS + 10_000, AT_MS + 13_000]);
  });

  it("stands still for whoever waits for an answer, also for those who begin meanwhile", async () => {
    let isAwaited = true;
    const looks: number[] = [];
    const { pace, clock, ticks } = openPace({
      isAwaited: (withinMs) => {
        looks.push(withinMs);
        return isAwaited;
      },
    });
    clock.after(1_000, () => {
      isAwaited = true;
    });
    const passing = pace.pass(10_000);
    await expect.poll(() => looks.length).toBeGreaterThan(10);
    expect(clock.now()).toBe(AT_MS);
    isAwaited = false;
    await expect.poll(() => clock.now()).toBe(AT_MS + 2_000);
    isAwaited = false;
    await passing;
    expect(ticks).toEqual([AT_MS + 10_000]);
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
    const passing = [pace.pass(10_000), pace.pass(10_000)];
    const jumps = [3, 1, 2].map((hours) => pace.turnTo(AT_MS + hours * 3_600_000));
    await Promise.all([...passing, ...jumps, pace.pass(10_000)]);
    expect(clock.now() - AT_MS).toBe(2 * 3_600_000 + 10_000);
  });

  it("ticks for no bot that does not run", async () => {
    const { pace, clock, ticks } = openPace({
      bot: { isRunning: false, tick: () => Promise.reject(new Error("no bot")) },
    });
    await pace.turnTo(AT_MS + 5);
    expect([clock.now(), ticks]).toEqual([AT_MS + 5, []]);
  });
});
