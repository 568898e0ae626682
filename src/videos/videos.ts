import type { VideoInsights } from "./client/insight-verbs.ts";
import type { Video, VideoPicture } from "./client/read-video.ts";
import type { PublishRunner } from "./publishing/publish-runner.ts";
import type { PublicationRecord, PublicationsTable } from "./publications-table.ts";
import type { VideoRules } from "./settings/video-rules.ts";
import type { VideoClient } from "./client/video-client.ts";
import type { Platform } from "../core/ports.ts";
import type { VideoRecordsTable, VideoSampleRecord } from "./video-records-table.ts";
import type { CacheOutcome } from "../sources/answers.ts";
import type { VideoAccounts } from "./accounts/video-accounts.ts";
import { createVideoChanges } from "./change-videos.ts";
import { createVideoList } from "./list-videos.ts";
import { type OwnVideo, type OwnVideos, type VideoRequest, createOwnVideos } from "./own-video.ts";
import { createVideoSamples, sampleOf } from "./sample-videos.ts";
import { createVideoComments } from "./video-comments.ts";
import { ServiceError } from "../core/errors.ts";

export type PublishedVideo = Video;

export interface ShownVideo extends PublishedVideo {
  /** `undefined` if this server did not publish the video through the bot. */
  readonly publicationId: string | undefined;
}

export type ShownPicture = VideoPicture;

export interface ListedVideo extends Pick<
  Video,
  "id" | "title" | "createdAtMs" | "publishAtMs" | "lengthSeconds" | "views"
> {
  /** `gone` if the service no longer shows it to the account. */
  readonly stage: Video["status"]["stage"] | "gone";
}

export interface VideoPage {
  /** The newest publications that the service does not have yet; empty except on the first page. */
  readonly underWay: readonly Pick<PublicationRecord, "id" | "title" | "fileName" | "state">[];
  readonly items: readonly ListedVideo[];
  /** The cursor of the next page, at most 60 characters; `undefined` on the last page. */
  readonly after: string | undefined;
}

export type VideoSample = Omit<VideoSampleRecord, "guildId" | "videoId">;

export interface VideoStats {
  readonly video: Video;
  /** The bot's own samples, the oldest first; the last one is from now. */
  readonly samples: readonly VideoSample[];
  /** `not-permitted` if the account may not read them; `unavailable` if the service did not give them this time. */
  readonly insights: VideoInsights | "not-permitted" | "unavailable";
  readonly timeZone: string;
}

export interface VideosDependencies extends Pick<Platform, "clock" | "log"> {
  readonly accounts: VideoAccounts;
  readonly rules: VideoRules;
  readonly publications: PublicationsTable;
  readonly records: VideoRecordsTable;
  readonly client: VideoClient;
  readonly runner: Pick<PublishRunner, "nudge" | "stop">;
  /** Called for each list with where the answer came from. Default: does nothing. */
  readonly onOutcome?: (from: CacheOutcome) => void;
}

export interface OwnedVideosDependencies extends VideosDependencies {
  readonly own: OwnVideos;
}

/** A server can use only videos of its own account, and on the operator's account only those that it published. */
export function createVideos(dependencies: VideosDependencies) {
  const { client } = dependencies;
  const own = createOwnVideos(dependencies);
  const shared = { ...dependencies, own };
  return {
    ...createVideoList(shared),
    ...createVideoChanges(shared),
    ...createVideoComments(shared),
    ...createVideoStats(shared),
    ...createVideoSamples(shared),
    async show(asked: VideoRequest): Promise<ShownVideo> {
      const found = await own.open(asked, "see a video");
      return { ...(await own.read(found, true)), publicationId: found.publication?.id };
    },
    /** The video was read just now; `undefined` if the picture cannot be fetched immediately. */
    picture: (video: Video): Promise<VideoPicture | undefined> => client.picture(video),
    /** A form must open immediately, so the answer may be a minute old and has no count of shares. */
    async readToEdit(asked: VideoRequest): Promise<Video> {
      const found = await own.openToWrite(asked, "change a video");
      const key = own.keyOf("to edit", found.account.key, asked.videoId);
      const { value: video } = await own.answers.ask(key, () => own.read(found));
      await own.checkStillApproved(found, video);
      return video;
    },
  };
}

export type Videos = ReturnType<typeof createVideos>;
export type CommentsPage = Awaited<ReturnType<Videos["comments"]>>;
export type ShownComment = Awaited<ReturnType<Videos["showComment"]>>;

/** The shortest time between stored samples, so that pressing repeatedly stores only one. */
const MIN_SAMPLE_GAP_MS = 5 * 60_000;

function createVideoStats({ rules, records, client, own, clock }: OwnedVideosDependencies) {
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
    async stats(asked: VideoRequest): Promise<VideoStats> {
      const { guildId, videoId } = asked;
      const found = await own.open(asked, "see statistics");
      const video = await own.read(found, true);
      const insights = await readInsights(found);
      const stored = await records.samples(guildId, videoId);
      const now = sampleOf(video, clock.now());
      const lastMs = stored.at(-1)?.atMs ?? -Infinity;
      if (video.status.stage === "published" && now.atMs - lastMs >= MIN_SAMPLE_GAP_MS) {
        await records.addSample({ guildId, videoId, ...now });
      }
      const { timeZone } = await rules.settings(guildId);
      return { video, samples: [...stored.filter(({ atMs }) => atMs < now.atMs), now], insights, timeZone };
    },
  };
}
