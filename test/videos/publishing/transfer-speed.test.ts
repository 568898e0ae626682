import { describe, expect, it } from "vitest";
import { createTransferSpeed } from "../../../src/videos/publishing/attempt-progress.ts";
import { createStillClock } from "../../support/still-clock.ts";

describe("the speed of a transfer", () => {
  it("is that of the last ten seconds", () => {
    const clock = createStillClock();
    const speed = createTransferSpeed(clock);
    speed.note(0);
    expect(speed.bytesPerSecond()).toBeUndefined();
    let doneBytes = 0;
    for (let seconds = 0; seconds < 30; seconds += 1) {
      clock.advance(1_000);
      doneBytes += seconds < 15 ? 1_000 : 50;
      speed.note(doneBytes);
    }
    expect(speed.bytesPerSecond()).toBeCloseTo(50, 0);
  });

  it.each([86_400_000, -3_600_000])("does not change as the clock is set by %i ms", (jumpMs) => {
    const clock = createStillClock();
    const speed = createTransferSpeed(clock);
    speed.note(0);
    clock.advance(2_000);
    clock.jump(jumpMs);
    speed.note(10_000);
    expect(speed.bytesPerSecond()).toBe(5_000);
  });

  it("falls while nothing comes", () => {
    const clock = createStillClock();
    const speed = createTransferSpeed(clock);
    speed.note(0);
    clock.advance(2_000);
    speed.note(10_000);
    expect(speed.bytesPerSecond()).toBe(5_000);
    clock.advance(8_000);
    expect(speed.bytesPerSecond()).toBe(1_000);
  });
});
