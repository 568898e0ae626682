import { describe, expect, it } from "vitest";
import { createLimiterTime } from "../../src/discord/rate-limiter.ts";
import { createStillClock } from "../support/still-clock.ts";

describe("the rate limiter's time", () => {
  it("advances with the machine while the clock stands still, and with the clock", () => {
    const [clock, machine] = [createStillClock(), createStillClock(0)];
    const time = createLimiterTime(clock, machine);
    machine.advance(100);
    expect(time.now()).toBe(100);
    clock.advance(60_000);
    expect(time.now()).toBe(60_100);
  });

  it("counts time once if both advance together, and never goes back", () => {
    const [clock, machine] = [createStillClock(), createStillClock(0)];
    const time = createLimiterTime(clock, machine);
    machine.advance(1_000);
    clock.advance(1_003);
    expect(time.now()).toBe(1_000);
    clock.advance(-500);
    expect(time.now()).toBe(1_000);
  });

  it("ignores changes of the clock, because no time has passed at Discord", () => {
    const [clock, machine] = [createStillClock(), createStillClock(0)];
    const time = createLimiterTime(clock, machine);
    clock.jump(86_400_000);
    expect(time.now()).toBe(0);
    clock.jump(-90_000_000);
    clock.advance(100);
    expect(time.now()).toBe(100);
  });

  it.each(["clock", "machine"] as const)(
    "fires a timer once, when the %s has advanced far enough",
    (which) => {
      const clocks = { clock: createStillClock(), machine: createStillClock(0) };
      let rung = 0;
      createLimiterTime(clocks.clock, clocks.machine).after(50, () => (rung += 1));
      clocks[which].advance(50);
      clocks.clock.advance(50);
      clocks.machine.advance(50);
      expect(rung).toBe(1);
    },
  );

  it("does not fire a cancelled timer", () => {
    const [clock, machine] = [createStillClock(), createStillClock(0)];
    createLimiterTime(clock, machine).after(50, () => expect.unreachable())();
    expect([...clock.waits(), ...machine.waits()]).toEqual([]);
  });
});
