import { describe, expect, it } from "vitest";
import { createSandboxClock } from "../../../sandbox/clock/clock.ts";

describe("a clock that stands still", () => {
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

  it("fires what a timer sets on the way", async () => {
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

  it("tells whole milliseconds, whatever a timer waits for", async () => {
    const clock = createSandboxClock({ atMs: 0, mode: "still" });
    const fired: number[] = [];
    clock.after(20.7, () => fired.push(clock.now()));
    await clock.advance(20);
    expect(fired).toEqual([]);
    await clock.advance(20);
    expect(fired).toEqual([21]);
  });

  it.each(["still", "running"] as const)(
    "tells whole milliseconds, however it is turned (%s)",
    async (mode) => {
      const clock = createSandboxClock({ atMs: 0, mode });
      await clock.advance(0.4);
      await clock.advance(10.4);
      expect([clock.now(), clock.elapsed()].filter((timeMs) => !Number.isInteger(timeMs))).toEqual([]);
      clock.stop();
    },
  );

  it("does not fire what was cancelled", async () => {
    const clock = createSandboxClock({ atMs: 0, mode: "still" });
    let fired = 0;
    const cancels = [10, 10, 20].map((delayMs) => clock.after(delayMs, () => (fired += 1)));
    cancels[1]?.();
    cancels[1]?.();
    await clock.advance(20);
    expect(fired).toBe(2);
  });

  it("goes back without firing, and tells of every turn", async () => {
    const clock = createSandboxClock({ atMs: 5000, mode: "still" });
    const told: number[] = [];
    const stop = clock.onChange(({ nowMs }) => told.push(nowMs));
    let fired = 0;
    clock.after(1, () => (fired += 1));
    await clock.set(1000);
    stop();
    await clock.set(2000);
    expect([clock.now(), fired, told]).toEqual([2000, 0, [1000]]);
  });
});

describe("a running clock", () => {
  it("begins where it is told, goes on by itself and can be turned further", async () => {
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

describe("a clock that jumps", () => {
  it("shows another time, while no time passes and timers keep their wait", async () => {
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

  it("says to others by how much", async () => {
    const clock = createSandboxClock({ atMs: 1000, mode: "still" });
    const told: unknown[] = [];
    clock.onChange((state) => void told.push(state));
    await clock.jump(500);
    await clock.advance(1);
    expect(told).toEqual([
      { nowMs: 1500, mode: "still", jumpMs: 500 },
      { nowMs: 1501, mode: "still", jumpMs: 0 },
    ]);
  });
});
