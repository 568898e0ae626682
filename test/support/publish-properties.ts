// The guarantees of publications, as a property over random campaigns.
import * as fc from "fast-check";
import { runPublishCampaign, publishCampaigns } from "./publish-campaign.ts";

const ENDS: ReadonlySet<string> = new Set(["published", "failed", "cancelled", "outcome-unknown"]);

/** Rejects with a campaign in which a video was published twice or a message was wrong. */
export function publishesOnce(lives: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(publishCampaigns, async (campaign) => {
      const { state, videos, told, lies } = await runPublishCampaign(campaign);
      // A discarded draft has no message.
      const isTold = told.length <= 1 && told.every((words) => words.startsWith(`publication, ${state}`));
      if (lies.length > 0 || videos > 1 || !ENDS.has(state) || !isTold) {
        throw new Error(JSON.stringify({ state, videos, told, lies }));
      }
    }),
    { numRuns: lives, endOnFailure: true },
  );
}
