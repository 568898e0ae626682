// Many more runs of the properties in test/boards/boards-once.test.ts.
import { expect, it } from "vitest";
import { keepsOneMessage, outlastsLateRequests, sendsEachSlotOnce } from "../support/board-properties.ts";

const LIVES = 1_500;
const TIME = { timeout: 1_800_000 };

it("sends each slot once or counts it as missed", TIME, () =>
  expect(sendsEachSlotOnce(LIVES)).resolves.toBeUndefined(),
);

it("sends no slot twice if requests arrive late", TIME, () =>
  expect(outlastsLateRequests(LIVES)).resolves.toBeUndefined(),
);

it.each(["edit", "replace"] as const)("keeps exactly one message (%s)", TIME, (mode) =>
  expect(keepsOneMessage(mode)(LIVES)).resolves.toBeUndefined(),
);
