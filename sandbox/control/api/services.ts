// What was asked of the services' stand-ins, and the videos that came of it.
import { z } from "zod";

/** A call to a stand-in. */
export interface ServiceCall {
  readonly service: "transport" | "rail-data" | "tfl" | "style" | "video";
  readonly atMs: number;
  readonly method: string;
  /** Without credentials. */
  readonly path: string;
  /** Null while open, and for good where the answer was lost. */
  readonly status: number | null;
  readonly tookMs: number | null;
  /** The name of the fault that it met, in the stand-in's words. */
  readonly fault: string | null;
}

export interface VideoComment {
  readonly id: string;
  /** The comment that it answers. */
  readonly parentId: string | null;
  /** Null for a name that is kept back. */
  readonly author: string | null;
  readonly isByPage: boolean;
  readonly message: string;
  readonly atMs: number;
  readonly isHidden: boolean;
}

export interface PublishedVideo {
  readonly id: string;
  readonly page: string;
  /** The file's name where it has none. */
  readonly title: string;
  readonly description: string;
  readonly createdAtMs: number;
  readonly status: "processing" | "ready" | "error";
  readonly percent: number;
  readonly publishing: "draft" | "scheduled" | "published";
  /** For a `<video>`; null until it is published, and for files above 32 MB, which are not kept. */
  readonly mediaUrl: string | null;
  readonly comments: readonly VideoComment[];
}

/** `GET /services`; also the answer to the order below. */
export interface Services {
  readonly videos: readonly PublishedVideo[];
  /** The last 200 to any service, oldest first. */
  readonly calls: readonly ServiceCall[];
}

/** `POST /services/comments`: somebody in the audience speaks, whose name the service keeps back. */
export const audienceComment = z.object({
  /** Of a video, or of a comment to answer. */
  aboutId: z.string(),
  message: z.string().trim().min(1).max(8_000),
});
