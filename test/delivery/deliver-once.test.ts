// Tests `delivery/deliver.ts` alone, with rows in memory. Two processes die or freeze at any point, answers are lost,
// people delete messages, and clocks jump. The messages at Discord must be right.
import { expect, it } from "vitest";
import { retryLater } from "../../src/delivery/deliver.ts";
import { cases } from "../support/cases.ts";
import {
  keepsOneMessageEach,
  outlastsLateRequests,
  pausesWithOneNotice,
} from "../support/delivery-properties.ts";
import { hashOf, openDeliveryWorld, shownBy } from "../support/delivery-world.ts";

const LIVES = cases(3_000);
const TIME = { timeout: 600_000 };
/** Longer than a claim, which lasts for half a minute. */
const CLAIM_RUNS_OUT_MS = 31_000;

it.each([true, false])(
  "keeps one message for each place without nonces (posted again if it is deleted: %s)",
  TIME,
  (repostIfDeleted) => expect(keepsOneMessageEach(repostIfDeleted, LIVES)).resolves.toBeUndefined(),
);

it.each([true, false])(
  "posts nothing twice although requests arrive late and processes freeze (posted again if it is deleted: %s)",
  TIME,
  (repostIfDeleted) => expect(outlastsLateRequests(repostIfDeleted, LIVES)).resolves.toBeUndefined(),
);

it("pauses a place that is gone with one notice, and continues with the other", TIME, () =>
  expect(pausesWithOneNotice(LIVES)).resolves.toBeUndefined(),
);

it("retries after whole milliseconds, because PostgreSQL refuses fractions, and within a minute", () => {
  expect(retryLater(true, 19_479.79).waitMs).toBe(19_480);
  expect(retryLater(true, 3_600_000).waitMs).toBe(60_000);
});

it("an edit by a process that was frozen does not replace what another has shown since", async () => {
  const world = openDeliveryWorld({ nonceMs: 0, repostIfDeleted: false });
  const { clock, discord } = world;
  const [one, other] = [world.begin(), world.begin()];
  const shown = () => discord.messages.map(({ reply }) => shownBy(reply));
  await one.tick();
  world.version = 2;
  world.freezesAtRender = true;
  clock.advance(CLAIM_RUNS_OUT_MS);
  await one.tick();
  expect(one.isFrozen).toBe(true);
  world.version = 3;
  clock.advance(CLAIM_RUNS_OUT_MS);
  await other.tick();
  await one.thaw();
  expect(shown()).toEqual([hashOf(3), hashOf(3)]);
});
