// What must never happen: a slot that is lost, or sent twice, whatever dies and whenever.
import { expect, it } from "vitest";
import { keepsOneMessage, outlastsLateRequests, sendsEachSlotOnce } from "../support/board-properties.ts";

const LIVES = 10;
const TIME = { timeout: 120_000 };

it("sends each slot once or counts it as missed, and misses none that had its chance", TIME, () =>
  expect(sendsEachSlotOnce(LIVES)).resolves.toBeUndefined(),
);

it("sends no slot twice though requests come in after the channel was read for them", TIME, () =>
  expect(outlastsLateRequests(LIVES)).resolves.toBeUndefined(),
);

it.each(["edit", "replace"] as const)(
  "keeps one message and no other, which shows the latest in the end (%s)",
  TIME,
  (mode) => expect(keepsOneMessage(mode)(LIVES)).resolves.toBeUndefined(),
);
