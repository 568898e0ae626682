import { expect, it } from "vitest";
import { createSlotClaims } from "../../../src/boards/sending/slot-claims.ts";
import { MINUTE_MS, SETTINGS, START_MS } from "../../support/board-world.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { boardRecord } from "../board-record.ts";

/** A board that comes every five minutes, promised for this long after its scheduled time. */
function slotOf(promisedAfterMs: number, phaseMs: number, lateMs: number) {
  const nextSlotMs = START_MS + 5 * MINUTE_MS + promisedAfterMs;
  const spread = { phaseMs: () => phaseMs, promisedMs: () => nextSlotMs };
  const clock = createStillClock(nextSlotMs + lateMs);
  const slots = createSlotClaims({ claim: async () => new Map() }, clock, spread);
  const {
    slotMs,
    nextSlotMs: afterMs = 0,
    passed,
  } = slots.slotOf({
    record: boardRecord({ nextSlotMs, messageId: "1" }),
    settings: SETTINGS,
  });
  return { slotMs: slotMs - nextSlotMs, afterMs: afterMs - nextSlotMs, passed };
}

it.each([
  ["as promised", 61_000, 0],
  ["a little later than promised", 62_000, 0],
  ["a little earlier than promised", 60_500, 0],
])("a slot counts as promised where the board's phase is %s", (_, phaseMs, passed) => {
  const afterMs = 5 * MINUTE_MS + phaseMs - 61_000;
  expect(slotOf(61_000, phaseMs, 5_000)).toEqual({ slotMs: 0, afterMs, passed });
});

it.each([61_000, 62_000])(
  "those before it are missed where nobody came for long, by a phase of %i ms",
  (phaseMs) => {
    const laterMs = phaseMs - 61_000;
    expect(slotOf(61_000, phaseMs, 11 * MINUTE_MS)).toEqual({
      slotMs: 10 * MINUTE_MS + laterMs,
      afterMs: 15 * MINUTE_MS + laterMs,
      passed: 2,
    });
  },
);

it("a board that is not spread comes at its next time, however soon that is after its first message", () => {
  const afterMs = 2 * MINUTE_MS;
  expect(slotOf(3 * MINUTE_MS, 0, 0)).toEqual({ slotMs: 0, afterMs, passed: 0 });
  expect(slotOf(3 * MINUTE_MS, 0, afterMs)).toEqual({ slotMs: afterMs, afterMs: 7 * MINUTE_MS, passed: 0 });
});
