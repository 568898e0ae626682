import type { Hash } from "node:crypto";

export interface Page {
  readonly id: string;
  readonly name: string;
}

export type TokenKind = "page" | "user";

export interface Token {
  readonly value: string;
  readonly kind: TokenKind;
  /** The id of the page or person. */
  readonly ownerId: string;
  scopes: readonly string[];
  /** The subcode of the error 190 with which it is refused, e.g. 463 for expired; `undefined` if the token is valid. */
  errorSubcode: number | undefined;
  /** The secret of the application that the token was issued for. */
  readonly appSecret: string;
  /** Seconds since the epoch; 0 means never. */
  readonly expiresAt: number;
}

export interface ReceivedFile {
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Empty for a large file, whose bytes are not stored. */
  readonly chunks: readonly Uint8Array[];
}

export type ProcessingEnd = "ready" | "failed" | "never";

/** A video whose upload is complete. */
export interface Video {
  readonly id: string;
  readonly pageId: string;
  readonly postId: string;
  readonly file: ReceivedFile;
  title: string;
  description: string;
  /** Milliseconds since the epoch, as are all times here. */
  readonly createdAtMs: number;
  updatedAtMs: number;
  /** Whether the video becomes public once it is processed. */
  isForPublic: boolean;
  publishAtMs: number | undefined;
  readonly processing: { readonly startedAtMs: number; durationMs: number; end: ProcessingEnd };
}

/** An unfinished upload in pieces. */
export interface Session {
  readonly id: string;
  readonly videoId: string;
  readonly pageId: string;
  readonly sizeBytes: number;
  readonly startedAtMs: number;
  receivedBytes: number;
  /** The end of the next piece. */
  endByte: number;
  readonly hash: Hash;
  /** Received bytes that are not in the hash yet. */
  readonly unhashed: Uint8Array[];
  /** The bytes so far; only of a small file. */
  readonly chunks: Uint8Array[];
  name: string;
  contentType: string;
}

export interface Comment {
  readonly id: string;
  readonly videoId: string;
  /** The comment that this one replies to; `undefined` for a comment on the video itself. */
  readonly parentId: string | undefined;
  /** A page or a person. The service withholds a name that is `undefined`, as it does for most people. */
  readonly author: { readonly id: string; readonly name: string | undefined };
  readonly createdAtMs: number;
  message: string;
  isHidden: boolean;
}
