import type { VideoClient } from "../../clients/video/client.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { PublicationsTable } from "../../storage/publications-table.ts";
import type { VideoRecordsTable } from "../../storage/video-records-table.ts";
import { createAnswers } from "../cache/answers.ts";
import type { VideoAccounts } from "../video-accounts/video-accounts.ts";
import type { VideoRules } from "../video-settings/video-settings.ts";
import { createVideoChanges } from "./change-videos.ts";
import { checkUnseen } from "./check-unseen.ts";
import { createVideoList } from "./list-videos.ts";
import { createOwnVideos } from "./own-video.ts";
import { createPageChain } from "./page-chain.ts";
import { createVideoSamples } from "./sample-videos.ts";
import { createVideoComments } from "./video-comments.ts";
import { createVideoStats } from "./video-stats.ts";
import type { Videos } from "./videos.ts";

/** What looking after videos stands on. */
export interface VideosDependencies {
  readonly accounts: Pick<VideoAccounts, "of" | "byKey" | "markBroken">;
  readonly rules: Pick<VideoRules, "settings" | "checkPublisher" | "write" | "writeWith" | "attempt">;
  readonly publications: Pick<PublicationsTable, "get" | "ofVideo" | "ofGuild" | "change" | "publishedSince">;
  readonly records: Pick<VideoRecordsTable, "addSample" | "samples" | "sampledSince" | "removeSamples">;
  readonly client: Omit<VideoClient, "uploadSimple" | "sendPieces" | "whoAmI">;
  /** Has the runner of publications look at what has changed; never throws. */
  readonly nudge: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Lists are read again and again while somebody types or turns pages. */
const FRESH_MS = 60_000;
const STALE_MS = 10 * 60_000;

/** Makes the service; see {@link Videos}. */
export function createVideos(dependencies: VideosDependencies): Videos {
  const { client, clock, rules } = dependencies;
  const own = createOwnVideos(dependencies);
  const chain = createPageChain(clock);
  const answers = createAnswers({ clock, freshMs: FRESH_MS, staleMs: STALE_MS });
  /** A part of each key of what is kept: every write makes it another. */
  let writes = 0;
  const keyOf = (...parts: readonly string[]): string => [String(writes), ...parts].join(" ");
  const forget = (): void => {
    writes += 1;
  };
  const shared = { ...dependencies, own };
  return {
    ...createVideoList({ ...shared, chain, answers, keyOf }),
    ...createVideoChanges({ ...shared, forget }),
    ...createVideoComments({ ...shared, chain }),
    ...createVideoStats(shared),
    ...createVideoSamples(shared),
    async show(guildId, videoId, by) {
      return own.read(await own.open(guildId, videoId, by, "see a video"));
    },
    picture: (video) => client.picture(video),
    async readToEdit(guildId, videoId, by) {
      await rules.checkPublisher(guildId, by, "change a video");
      const found = await own.open(guildId, videoId, by, "change a video");
      const key = keyOf("to edit", found.account.key, videoId);
      const { value: video } = await answers.ask(key, () => own.read(found, false));
      await checkUnseen(rules, found, video, by);
      return video;
    },
  };
}
