import { expect, it } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { createElapsed, systemClock, waitAtMost } from "../../src/core/clock.ts";

/** A machine with two clocks: one stops during sleep, and the other has a resolution of 10 ms. */
function openMachine() {
  let awakeMs = 5_000;
  let sleptMs = 900_000;
  const elapsed = createElapsed({
    awakeMs: () => awakeMs,
    uptimeMs: () => Math.floor((awakeMs + sleptMs) / 10) * 10,
  });
  return { elapsed, work: (ms: number) => void (awakeMs += ms), sleep: (ms: number) => void (sleptMs += ms) };
}

it("elapsed time is exact to the millisecond while the machine is awake", () => {
  const { elapsed, work } = openMachine();
  const startMs = elapsed();
  for (let step = 1; step <= 1_000; step += 1) {
    work(0.7);
    expect(Math.abs(elapsed() - startMs - step * 0.7)).toBeLessThanOrEqual(1);
  }
});

it.each([
  ["the machine's", systemClock],
  ["the running sandbox's", createSandboxClock({ atMs: Date.now(), mode: "running" })],
])("a clock returns whole milliseconds, which databases need: %s", (_, clock) => {
  for (let asked = 0; asked < 100; asked += 1) {
    expect(Number.isInteger(clock.now())).toBe(true);
    expect(Number.isInteger(clock.elapsed())).toBe(true);
  }
});

it("elapsed time includes sleep, even many short periods of it", () => {
  const { elapsed, work, sleep } = openMachine();
  const startMs = elapsed();
  work(100);
  sleep(3 * 86_400_000);
  expect(elapsed() - startMs).toBeCloseTo(3 * 86_400_000 + 100, -2);
  for (let naps = 0; naps < 60; naps += 1) {
    work(1_000);
    sleep(1_000);
    elapsed();
  }
  expect(Math.abs(elapsed() - startMs - (3 * 86_400_000 + 100 + 120_000))).toBeLessThan(2_100);
});

it("the machine's elapsed time advances with its timers", async () => {
  const startMs = systemClock.elapsed();
  await new Promise<void>((resolve) => systemClock.after(50, resolve));
  expect(systemClock.elapsed() - startMs).toBeGreaterThan(40);
});

it("waitAtMost waits for work until its limit and leaves no timer behind", async () => {
  const waiting = new Set<() => void>();
  const clock = {
    after(_: number, callback: () => void) {
      waiting.add(callback);
      return () => void waiting.delete(callback);
    },
  };
  expect(await waitAtMost(clock, 300, Promise.resolve("done"), "late")).toBe("done");
  expect(waiting.size).toBe(0);
  await expect(waitAtMost(clock, 300, Promise.reject(new Error("broken")), "late")).rejects.toThrow("broken");
  expect(waiting.size).toBe(0);
  const slow = waitAtMost(clock, 300, new Promise<string>(() => undefined), "late");
  waiting.forEach((callback) => callback());
  expect(await slow).toBe("late");
  expect(waiting.size).toBe(0);
});
