import { z } from "zod";

export interface ServiceCall {
  readonly service: "transport" | "rail-data" | "tfl" | "style" | "video";
  readonly atMs: number;
  readonly method: string;
  /** Without credentials. */
  readonly path: string;
  /** Null until the call is answered; stays null if the answer was lost. */
  readonly status: number | null;
  readonly tookMs: number | null;
  /** The kind of the fault that affected the call, as the stand-in names it. */
  readonly fault: string | null;
}

export interface VideoComment {
  readonly id: string;
  readonly parentId: string | null;
  /** Null if the service withholds the name. */
  readonly author: string | null;
  readonly isByPage: boolean;
  readonly message: string;
  readonly atMs: number;
  readonly isHidden: boolean;
}

export interface PublishedVideo {
  readonly id: string;
  readonly page: string;
  /** The file's name if the video has no title. */
  readonly title: string;
  readonly description: string;
  readonly createdAtMs: number;
  readonly status: "processing" | "ready" | "error";
  readonly percent: number;
  readonly publishing: "draft" | "scheduled" | "published";
  /** For a `<video>` element; null until the video is published, and for files above 32 MB, which are not stored. */
  readonly mediaUrl: string | null;
  readonly comments: readonly VideoComment[];
}

/** `GET /services`; also the answer to `POST /services/comments`. */
export interface Services {
  readonly videos: readonly PublishedVideo[];
  /** The last 200 calls to any service, oldest first. */
  readonly calls: readonly ServiceCall[];
}

/** `POST /services/comments`: a comment from the audience. The service withholds its author's name. */
export const audienceComment = z.object({
  /** The id of a video, or of a comment to reply to. */
  aboutId: z.string(),
  message: z.string().trim().min(1).max(8_000),
});
