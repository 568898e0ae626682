// What the video service has, and what can be done to it.
import type { ServiceCall } from "./services.ts";

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
  readonly title: string;
  readonly description: string;
  readonly createdAtMs: number;
  readonly status: "processing" | "ready" | "error";
  readonly percent: number;
  readonly publishing: "draft" | "scheduled" | "published";
  /** When it is to be seen; null unless scheduled. */
  readonly publishAtMs: number | null;
  readonly file: { readonly name: string; readonly contentType: string; readonly sizeBytes: number };
  /** For a `<video>`; null until it is published, and for files above 32 MB, which are not kept. */
  readonly mediaUrl: string | null;
  readonly views: number;
  readonly likes: number;
  readonly shares: number;
  readonly comments: readonly VideoComment[];
}

export interface VideoCall extends ServiceCall {
  /** e.g. `video` where one was made; null for reads and refusals. */
  readonly made: string | null;
  /** Code and subcode of a refusal, e.g. `190/463`. */
  readonly error: string | null;
}

/** `GET /video`. */
export interface VideoLedger {
  readonly videos: readonly PublishedVideo[];
  /** Invented tokens to try `/video account link` with. */
  readonly tokens: readonly { readonly label: string; readonly value: string }[];
  /** The last 200, oldest first. */
  readonly calls: readonly VideoCall[];
}

/** `POST /video/comments`: somebody in the audience speaks, whose name the service keeps back; answered with the ledger. */
export interface AudienceComment {
  /** Of a video, or of a comment to answer. */
  readonly aboutId: string;
  readonly message: string;
}

/** `POST /video/processing`: ends a video's processing now; answered with the ledger. */
export interface EndedProcessing {
  readonly videoId: string;
  readonly end: "ready" | "failed";
}
