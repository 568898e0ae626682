import { describe, expect, it, onTestFinished } from "vitest";
import {
  createClockControl,
  type ClockControl,
  type ClockControlParts,
} from "../../../sandbox/clock/clock-control.ts";
import { createSandboxClock, type SandboxClock } from "../../../sandbox/clock/clock.ts";

const AT_MS = Date.parse("2026-11-18T17:20:00Z");

function openClockControl(parts: Partial<ClockControlParts> = {}): {
  clockControl: ClockControl;
  clock: SandboxClock;
  ticks: number[];
} {
  const clock = createSandboxClock({ atMs: AT_MS, mode: "still" });
  const ticks: number[] = [];
  const tick = async () => {
    ticks.push(clock.now());
    await Promise.resolve();
  };
  const clockControl = createClockControl({
    clock,
    bot: { isRunning: true, tick },
    isAwaited: () => false,
    ...parts,
  });
  onTestFinished(() => clock.stop());
  return { clockControl, clock, ticks };
}

describe("the sandbox's clock control", () => {
  it("advances the clock, then ticks the bot", async () => {
    const { clockControl, clock, ticks } = openClockControl();
    await clockControl.pass(10_000);
    await clockControl.pass(3_000);
    expect(clock.now()).toBe(AT_MS + 13_000);
    expect(ticks).toEqual([AT_MS + 10_000, AT_MS + 13_000]);
  });

  it("stops the clock while a client waits for an answer, including one that starts to wait during a step", async () => {
    let isAwaited = true;
    const checks: number[] = [];
    const { clockControl, clock, ticks } = openClockControl({
      isAwaited: (withinMs) => {
        checks.push(withinMs);
        return isAwaited;
      },
    });
    clock.after(1_000, () => {
      isAwaited = true;
    });
    const passing = clockControl.pass(10_000);
    await expect.poll(() => checks.length).toBeGreaterThan(10);
    expect(clock.now()).toBe(AT_MS);
    isAwaited = false;
    await expect.poll(() => clock.now()).toBe(AT_MS + 2_000);
    isAwaited = false;
    await passing;
    expect(ticks).toEqual([AT_MS + 10_000]);
  });

  it("carries on after a tick that fails or never ends", async () => {
    let calls = 0;
    const { clockControl } = openClockControl({
      bot: {
        isRunning: true,
        tick: () => {
          calls += 1;
          return Promise.reject(new Error("no"));
        },
      },
    });
    await clockControl.moveTo(AT_MS + 1);
    await clockControl.moveTo(AT_MS + 2);
    expect(calls).toBe(2);
    const hanging = openClockControl({ bot: { isRunning: true, tick: () => new Promise(() => undefined) } });
    await hanging.clockControl.moveTo(AT_MS + 1);
    expect(hanging.clock.now()).toBe(AT_MS + 1);
  });

  it("makes one change after the other, so that no step undoes a jump", async () => {
    const { clockControl, clock } = openClockControl();
    const passing = [clockControl.pass(10_000), clockControl.pass(10_000)];
    const jumps = [3, 1, 2].map((hours) => clockControl.moveTo(AT_MS + hours * 3_600_000));
    await Promise.all([...passing, ...jumps, clockControl.pass(10_000)]);
    expect(clock.now() - AT_MS).toBe(2 * 3_600_000 + 10_000);
  });

  it("does not tick a bot that is not running", async () => {
    const { clockControl, clock, ticks } = openClockControl({
      bot: { isRunning: false, tick: () => Promise.reject(new Error("no bot")) },
    });
    await clockControl.moveTo(AT_MS + 5);
    expect([clock.now(), ticks]).toEqual([AT_MS + 5, []]);
  });
});
