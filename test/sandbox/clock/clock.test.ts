import { describe, expect, it } from "vitest";
import { createSandboxClock } from "../../../sandbox/clock/clock.ts";

describe("the sandbox's clock", () => {
  it("fires timers in the order of their times, each at its own time", async () => {
    const clock = createSandboxClock({ atMs: 1000, mode: "still" });
    const fired: [string, number][] = [];
    clock.after(300, () => fired.push(["c", clock.now()]));
    clock.after(100, () => fired.push(["a", clock.now()]));
    clock.after(100, () => fired.push(["b", clock.now()]));
    clock.after(301, () => fired.push(["late", clock.now()]));
    await clock.advance(300);
    expect(fired).toEqual([
      ["a", 1100],
      ["b", 1100],
      ["c", 1300],
    ]);
    expect(clock.now()).toBe(1300);
  });

  it("fires timers that another timer sets during an advance", async () => {
    const clock = createSandboxClock({ atMs: 0, mode: "still" });
    const fired: number[] = [];
    function tick(): void {
      fired.push(clock.now());
      void Promise.resolve().then(() => clock.after(10, tick));
    }
    clock.after(10, tick);
    await clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
  });

  it("fires timers at whole milliseconds, even if their delay has a fraction", async () => {
    const clock = createSandboxClock({ atMs: 0, mode: "still" });
    const fired: number[] = [];
    clock.after(20.7, () => fired.push(clock.now()));
    await clock.advance(20);
    expect(fired).toEqual([]);
    await clock.advance(20);
    expect(fired).toEqual([21]);
  });

  it.each(["still", "running"] as const)(
    "shows whole milliseconds after an advance by a fraction (%s)",
    async (mode) => {
      const clock = createSandboxClock({ atMs: 0, mode });
      await clock.advance(0.4);
      await clock.advance(10.4);
      expect([clock.now(), clock.elapsed()].filter((timeMs) => !Number.isInteger(timeMs))).toEqual([]);
      clock.stop();
    },
  );

  it("does not fire a cancelled timer, and ignores a second cancellation", async () => {
    const clock = createSandboxClock({ atMs: 0, mode: "still" });
    let fired = 0;
    const cancels = [10, 10, 20].map((delayMs) => clock.after(delayMs, () => (fired += 1)));
    cancels[1]?.();
    cancels[1]?.();
    await clock.advance(20);
    expect(fired).toBe(2);
  });

  it("can be set back without firing timers, and notifies listeners until they unsubscribe", async () => {
    const clock = createSandboxClock({ atMs: 5000, mode: "still" });
    const reported: number[] = [];
    const stop = clock.onChange(({ nowMs }) => reported.push(nowMs));
    let fired = 0;
    clock.after(1, () => (fired += 1));
    await clock.set(1000);
    stop();
    await clock.set(2000);
    expect([clock.now(), fired, reported]).toEqual([2000, 0, [1000]]);
  });
});

describe("a running clock", () => {
  it("starts at the given time, runs, and can be advanced", async () => {
    const clock = createSandboxClock({ atMs: 0, mode: "running" });
    expect(clock.now()).toBeLessThan(60_000);
    await new Promise<void>((resolve) => clock.after(1, resolve));
    const far = new Promise<void>((resolve) => clock.after(3_600_000, resolve));
    await clock.advance(3_600_000);
    await far;
    expect(clock.now()).toBeGreaterThanOrEqual(3_600_000);
    clock.stop();
  });
});

describe("a jump of the clock", () => {
  it("changes the time, but not the elapsed time or the timers' delays", async () => {
    const clock = createSandboxClock({ atMs: 1000, mode: "still" });
    const fired: number[] = [];
    clock.after(300, () => fired.push(clock.now()));
    await clock.jump(3_600_000);
    expect([clock.now(), clock.elapsed(), fired]).toEqual([3_601_000, 0, []]);
    await clock.jump(-7_200_000);
    expect([clock.now(), clock.elapsed(), fired]).toEqual([-3_599_000, 0, []]);
    await clock.advance(300);
    expect([clock.elapsed(), fired]).toEqual([300, [-3_598_700]]);
  });

  it("tells listeners how far the clock jumped", async () => {
    const clock = createSandboxClock({ atMs: 1000, mode: "still" });
    const reported: unknown[] = [];
    clock.onChange((state) => void reported.push(state));
    await clock.jump(500);
    await clock.advance(1);
    expect(reported).toEqual([
      { nowMs: 1500, mode: "still", jumpMs: 500 },
      { nowMs: 1501, mode: "still", jumpMs: 0 },
    ]);
  });
});
