// What is kept beside publications: a guild's settings for videos, who did what, and how videos did over time.

import type { Row, PageCursor } from "./row.ts";

declare module "./schema.ts" {
  interface Schema {
    readonly videoSettings: Row<VideoSettingsRecord>;
    readonly videoActs: Row<VideoActRecord>;
    readonly videoSamples: Row<VideoSampleRecord>;
  }
}

/** A guild's settings; JSON that src/services/video-settings reads. */
export interface VideoSettingsRecord {
  readonly guildId: string;
  readonly settings: string;
}

/** One act. Times are milliseconds since the epoch. */
export interface VideoActRecord {
  readonly id: string;
  readonly guildId: string;
  readonly atMs: number;
  /** `undefined`: the bot itself, or a person who had their data erased. */
  readonly actorId: string | undefined;
  /** One of `VideoAct` of src/services/video-settings. */
  readonly act: string;
  readonly publicationId: string | undefined;
  readonly videoId: string | undefined;
  /** What it was about, in words: a title, a reason. Never a token. */
  readonly note: string | undefined;
}

/** How a video did at a moment; `undefined` for what the service did not tell. */
export interface VideoSampleRecord {
  readonly guildId: string;
  readonly videoId: string;
  readonly atMs: number;
  readonly views: number | undefined;
  readonly likes: number | undefined;
  readonly comments: number | undefined;
  readonly shares: number | undefined;
}

/** A video that is looked at from time to time. */
export interface SampledVideo {
  readonly guildId: string;
  readonly videoId: string;
  /** Of the samples that were asked for. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

/** Which acts of a guild are asked for. */
export interface ActsPage {
  readonly limit: number;
  readonly before?: PageCursor | undefined;
  /** Those of one publication. */
  readonly publicationId?: string | undefined;
}

/** Queries over them. */
export interface VideoRecordsTable {
  settings(guildId: string): Promise<string | undefined>;
  /** The lines that tell of the change are written with it, or not at all. */
  putSettings(record: VideoSettingsRecord, acts?: readonly VideoActRecord[]): Promise<void>;
  addAct(act: VideoActRecord): Promise<void>;
  /** Puts another note in place of an act's. */
  noteAct(id: string, note: string | undefined): Promise<void>;
  /** Takes back a line of what did not come about. */
  removeAct(id: string): Promise<void>;
  /** The newest first, at most `limit`. */
  acts(guildId: string, page: ActsPage): Promise<readonly VideoActRecord[]>;
  /** One of a video and a moment is kept once. */
  addSample(sample: VideoSampleRecord): Promise<void>;
  /** The oldest first. */
  samples(guildId: string, videoId: string): Promise<readonly VideoSampleRecord[]>;
  /** The videos that have samples since then, in no order. */
  sampledSince(sinceMs: number): Promise<readonly SampledVideo[]>;
  removeSamples(guildId: string, videoId: string): Promise<void>;
  /** Removes acts and samples older than this. */
  sweep(beforeMs: number): Promise<void>;
}
