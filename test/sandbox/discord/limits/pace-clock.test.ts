import { describe, expect, it } from "vitest";
import { createTurnedClock } from "../../../../sandbox/clock/clock.ts";
import { createPaceClock } from "../../../../sandbox/discord/limits/pace-clock.ts";

describe("the time of rates", () => {
  it("goes on with the machine while the sandbox's clock stands still, and with every turn of it", async () => {
    const clock = createTurnedClock({ atMs: 0, mode: "still" });
    let machineMs = 100;
    const now = createPaceClock(clock, () => machineMs);
    machineMs += 40;
    expect(now()).toBe(140);
    await clock.advance(5000);
    expect(now()).toBe(5140);
    machineMs += 1;
    expect(now()).toBe(5141);
    await clock.set(0);
    expect(now()).toBe(5141);
  });

  it("does not count twice what passes on both clocks", () => {
    let machineMs = 0;
    const clock = { now: () => Math.round(machineMs) };
    const now = createPaceClock(clock, () => machineMs);
    for (let step = 0; step < 1000; step += 1) {
      machineMs += 0.7;
      now();
    }
    expect(now()).toBe(machineMs);
  });
});
