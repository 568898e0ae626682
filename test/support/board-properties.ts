// Guarantees of boards, as properties over random campaigns. `npm test` runs a few of them, test/long many.
import * as fc from "fast-check";
import { expect } from "vitest";
import { campaigns, runBoardCampaign, type CampaignReport } from "./board-campaign.ts";

/** Discord forgets nonces at once, so that reading the channel has to be enough. */
const NEVER_MS = 0;
/** A run takes a twentieth of this. The rest is for shrinking a counterexample, which may stop early. */
const MAX_MS_PER_LIFE = 1_000;

/** Checks a property with this many campaigns. */
export type BoardProperty = (numRuns: number) => Promise<void>;

/** Each slot of a posting board is sent once or counted as missed, and no slot is missed that could be sent. */
export const sendsEachSlotOnce: BoardProperty = (numRuns) =>
  check(numRuns, campaigns(), async (campaign) => {
    const report = await runBoardCampaign("post", campaign, NEVER_MS);
    const missed = report.slotOutcomes.filter(({ messages }) => messages === 0);
    expectNoDoubles(report);
    expect(report.isSettled).toBe(true);
    expect(report.missed).toBe(missed.length);
    expect(missed.filter(({ couldBeSent }) => couldBeSent)).toEqual([]);
  });

/** No slot is sent twice, even if requests arrive after the channel was searched for their messages. */
export const outlastsLateRequests: BoardProperty = (numRuns) =>
  check(numRuns, campaigns("happens-late", "happens-late"), async (campaign) => {
    expectNoDoubles(await runBoardCampaign("post", campaign));
  });

/** A board that keeps one message has exactly that message, and at the end it shows the latest data. */
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
    interruptAfterTimeLimit: numRuns * MAX_MS_PER_LIFE,
  });
}
