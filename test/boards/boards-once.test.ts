// No slot may be lost or sent twice, whatever crashes and whenever.
import { expect, it } from "vitest";
import { keepsOneMessage, outlastsLateRequests, sendsEachSlotOnce } from "../support/board-properties.ts";

const LIVES = 10;
const TIME = { timeout: 120_000 };

it("sends each slot once or counts it as missed, and misses none that it could send", TIME, () =>
  expect(sendsEachSlotOnce(LIVES)).resolves.toBeUndefined(),
);

it(
  "sends no slot twice although requests arrive after the channel was searched for their messages",
  TIME,
  () => expect(outlastsLateRequests(LIVES)).resolves.toBeUndefined(),
);

it.each(["edit", "replace"] as const)(
  "keeps exactly one message, which finally shows the latest data (%s)",
  TIME,
  (mode) => expect(keepsOneMessage(mode)(LIVES)).resolves.toBeUndefined(),
);
