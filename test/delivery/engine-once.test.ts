// The engine on its own: rows in memory, two processes that die or freeze in the middle of anything, answers that are lost,
// people who delete messages, and clocks that are set. Judged by what Discord has seen.
import { expect, it } from "vitest";
import { cases } from "../support/cases.ts";
import {
  keepsOneMessageEach,
  outlastsLateRequests,
  pausesWithOneNotice,
} from "../support/delivery-promises.ts";

const LIVES = cases(3_000);
const TIME = { timeout: 600_000 };

it.each([true, false])(
  "keeps one message in its place, without any help of nonces (posted anew where it was deleted: %s)",
  TIME,
  (isRenewed) => expect(keepsOneMessageEach(isRenewed, LIVES)).resolves.toBeUndefined(),
);

it.each([true, false])(
  "posts nothing twice though requests arrive late, and processes freeze (posted anew where it was deleted: %s)",
  TIME,
  (isRenewed) => expect(outlastsLateRequests(isRenewed, LIVES)).resolves.toBeUndefined(),
);

it("pauses a place that is gone with one notice, and goes on with the other", TIME, () =>
  expect(pausesWithOneNotice(LIVES)).resolves.toBeUndefined(),
);
