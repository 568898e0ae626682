import { expect, it } from "vitest";
import type { BoardsTable } from "../../../src/boards/boards-table.ts";
import { createSlotClaims } from "../../../src/boards/sending/slot-claims.ts";
import { retryLater } from "../../../src/delivery/deliver.ts";
import { MINUTE_MS, SETTINGS, START_MS } from "../../support/board-world.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { boardRecord } from "../board-record.ts";

/** The due slot of a five-minute board and the slot after it, relative to the time for which it was promised. */
function slotOf(promisedAfterMs: number, lateMs: number) {
  const nextSlotMs = START_MS + 5 * MINUTE_MS + promisedAfterMs;
  const clock = createStillClock(nextSlotMs + lateMs);
  const slots = createSlotClaims({ claim: async () => new Map() }, clock);
  const {
    slotMs,
    nextSlotMs: afterMs = 0,
    missed: passed,
  } = slots.slotOf({ ...boardRecord({ nextSlotMs, messageId: "1" }), settings: SETTINGS });
  return { slotMs: slotMs - nextSlotMs, afterMs: afterMs - nextSlotMs, passed };
}

it("slots before the last one are missed if no process ran for long", () => {
  expect(slotOf(0, 11 * MINUTE_MS)).toEqual({ slotMs: 10 * MINUTE_MS, afterMs: 15 * MINUTE_MS, passed: 2 });
});

it("a board comes at its next slot, however soon that is after its first message", () => {
  const afterMs = 2 * MINUTE_MS;
  expect(slotOf(3 * MINUTE_MS, 0)).toEqual({ slotMs: 0, afterMs, passed: 0 });
  expect(slotOf(3 * MINUTE_MS, afterMs)).toEqual({ slotMs: afterMs, afterMs: 7 * MINUTE_MS, passed: 0 });
});

it("a claim leaves the history unchanged if no slots were missed", () => {
  const slots = createSlotClaims({ claim: async () => new Map() }, createStillClock(START_MS));
  const due = {
    ...boardRecord({ nextSlotMs: START_MS, lastMissedMs: 4_000, history: "{}" }),
    settings: SETTINGS,
  };
  const abandoned = { ...due, claimedSlotMs: START_MS, claimedUntilMs: START_MS };
  for (const board of [due, abandoned]) {
    const { missed, lastMissedMs, history } = slots.slotOf(board);
    expect({ missed, lastMissedMs, history }).toEqual({ missed: 0 });
  }
});

it("a slot that this process released unsent no longer counts as unsent once another has claimed it", async () => {
  const untilMs = START_MS + 5_000;
  const claim: BoardsTable["claim"] = async (all) => new Map(all.map(({ id }) => [id, untilMs]));
  const slots = createSlotClaims({ claim }, createStillClock(START_MS));
  const due = { ...boardRecord({ nextSlotMs: START_MS }), settings: SETTINGS };
  await slots.release(slots.slotOf(due), retryLater(true));
  const released = { ...due, claimedSlotMs: START_MS, claimedUntilMs: untilMs };
  expect(slots.slotOf(released).isUnsent).toBe(true);
  expect(slots.slotOf({ ...released, claimedUntilMs: untilMs + 30_000 }).isUnsent).toBe(false);
});
