// What the stand-in remembers.
import type { Hash } from "node:crypto";

/** A page, on which videos are published. */
export interface Page {
  readonly id: string;
  readonly name: string;
}

export type TokenKind = "page" | "user";

/** A token that the stand-in has given out. */
export interface Token {
  readonly value: string;
  readonly kind: TokenKind;
  /** The page's id, or the person's. */
  readonly ownerId: string;
  scopes: readonly string[];
  /** The subcode of 190 with which it is refused, e.g. 463 for expired; `undefined` while it is good. */
  errorSubcode: number | undefined;
  /** The secret of the application that it was made for. */
  readonly appSecret: string;
  /** Seconds since the epoch; 0 for never. */
  readonly expiresAt: number;
}

/** A file as it arrived. */
export interface ReceivedFile {
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Of all of it, in hexadecimal. */
  readonly sha256: string;
  /** Its bytes, as they came; none of a large file, which is not kept. */
  readonly chunks: readonly Uint8Array[];
}

/** How a video's processing goes. */
export type ProcessingEnd = "ready" | "failed" | "never";

/** A video, from the moment that its upload is complete. */
export interface Video {
  readonly id: string;
  readonly pageId: string;
  readonly postId: string;
  readonly file: ReceivedFile;
  title: string;
  description: string;
  /** Milliseconds since the epoch, as all moments here. */
  readonly createdAtMs: number;
  updatedAtMs: number;
  /** Whether it is to be seen once it is processed, and its time has come. */
  isForPublic: boolean;
  publishAtMs: number | undefined;
  readonly processing: { readonly startedAtMs: number; durationMs: number; end: ProcessingEnd };
}

/** An upload in pieces that goes on. */
export interface Session {
  readonly id: string;
  readonly videoId: string;
  readonly pageId: string;
  readonly sizeBytes: number;
  readonly startedAtMs: number;
  receivedBytes: number;
  /** The end of what is wanted next. */
  endByte: number;
  readonly hash: Hash;
  /** What has come and is not yet in the hash. */
  readonly unhashed: Uint8Array[];
  /** Of a small file. */
  readonly chunks: Uint8Array[];
  name: string;
  contentType: string;
}

export interface Comment {
  readonly id: string;
  readonly videoId: string;
  /** The comment that it answers; `undefined` for one on the video itself. */
  readonly parentId: string | undefined;
  /** The page, or a person; a name that is `undefined` is kept back, as that of most people is. */
  readonly author: { readonly id: string; readonly name: string | undefined };
  readonly createdAtMs: number;
  message: string;
  isHidden: boolean;
}
