// How a video does: our own samples, and what the service has counted.
import type { VideoClient } from "../../clients/video/client.ts";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { VideoRecordsTable } from "../../storage/video-records-table.ts";
import type { VideoRules } from "../video-settings/video-settings.ts";
import type { OwnVideo, OwnVideos } from "./own-video.ts";
import { sampleOf } from "./sample-videos.ts";
import type { Videos, VideoStats } from "./videos.ts";

export interface StatsDependencies {
  readonly rules: Pick<VideoRules, "settings">;
  readonly records: Pick<VideoRecordsTable, "samples" | "addSample">;
  readonly client: Pick<VideoClient, "insights">;
  readonly own: OwnVideos;
  readonly clock: Clock;
}

/** People who press again and again leave one sample. */
const KEPT_APART_MS = 5 * 60_000;

export function createVideoStats(dependencies: StatsDependencies): Pick<Videos, "stats"> {
  const { rules, records, client, own, clock } = dependencies;

  async function readInsights(found: OwnVideo): Promise<VideoStats["insights"]> {
    try {
      return await own.ask(found, (account) => client.insights(account, found.videoId));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind === "aborted") {
        throw error;
      }
      return error.kind === "not-permitted" ? "not-permitted" : "unavailable";
    }
  }

  return {
    async stats(guildId, videoId, by) {
      const found = await own.open(guildId, videoId, by, "see statistics");
      const video = await own.read(found);
      const insights = await readInsights(found);
      const kept = await records.samples(guildId, videoId);
      const now = sampleOf(video, clock.now());
      const lastMs = kept.at(-1)?.atMs ?? -Infinity;
      if (video.status.stage === "published" && now.atMs - lastMs >= KEPT_APART_MS) {
        await records.addSample({ guildId, videoId, ...now });
      }
      const { timeZone } = await rules.settings(guildId);
      return { video, samples: [...kept.filter(({ atMs }) => atMs < now.atMs), now], insights, timeZone };
    },
  };
}
