// What boards promise, as properties over their hard lives. Held shortly by every run of the tests, and for long by
// test/long.
import * as fc from "fast-check";
import { expect } from "vitest";
import { campaigns, runBoardCampaign, type CampaignReport } from "./board-campaign.ts";

/** Discord forgets nonces at once: reading the channel has to be enough. */
const NEVER_MS = 0;
/** A life takes a twentieth of it: the rest is for making a counterexample shorter, which need not be the shortest. */
const MOST_MS_PER_LIFE = 1_000;

/** Tries a promise in so many lives. */
export type BoardProperty = (numRuns: number) => Promise<void>;

/** Each slot of a board that posts is sent once or counted as missed; none is missed that had its chance. */
export const sendsEachSlotOnce: BoardProperty = (numRuns) =>
  check(numRuns, campaigns(), async (campaign) => {
    const report = await runBoardCampaign("post", campaign, NEVER_MS);
    const missed = report.slotOutcomes.filter(({ messages }) => messages === 0);
    expectNoDoubles(report);
    expect(report.isSettled).toBe(true);
    expect(report.missed).toBe(missed.length);
    expect(missed.filter(({ couldBeSent }) => couldBeSent)).toEqual([]);
  });

/** No slot is sent twice, though requests come in after the channel was read for them. */
export const outlastsLateRequests: BoardProperty = (numRuns) =>
  check(numRuns, campaigns("happens-late", "happens-late"), async (campaign) => {
    expectNoDoubles(await runBoardCampaign("post", campaign));
  });

/** A board that keeps one message has that and no other, and in the end it shows the latest. */
export const keepsOneMessage =
  (mode: "edit" | "replace"): BoardProperty =>
  (numRuns) =>
    check(numRuns, campaigns(), async (campaign) => {
      const report = await runBoardCampaign(mode, campaign, NEVER_MS);
      const { standing, keptMessageId, endsWithSlot } = report;
      expectNoDoubles(report);
      expect(report.isSettled).toBe(true);
      expect(standing.map(({ messageId }) => messageId)).toEqual(
        keptMessageId === undefined ? [] : [keptMessageId],
      );
      expect(standing.filter(({ isUpToDate }) => endsWithSlot && !isUpToDate)).toEqual([]);
    });

function expectNoDoubles({ slotOutcomes }: CampaignReport): void {
  expect(slotOutcomes.filter(({ messages }) => messages > 1)).toEqual([]);
}

async function check<T>(
  numRuns: number,
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(arbitrary, holds), {
    numRuns,
    interruptAfterTimeLimit: numRuns * MOST_MS_PER_LIFE,
  });
}
