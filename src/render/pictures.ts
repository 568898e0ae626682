// A picture that somebody sent, as it is passed on; and why one is not taken.
import type { PictureType } from "../core/picture-type.ts";

export type PictureProblem =
  /** Not one of the kinds that are taken, whatever its name says. */
  | "not-a-picture"
  /** HEIC, as phones make it: to be sent as JPEG. */
  | "heic"
  /** SVG and other drawings. */
  | "drawing"
  /** More pixels than are decoded: 40 million, fewer of what takes much memory (AVIF about 8, WebP 20). */
  | "too-many-pixels"
  /** More than 100 frames. */
  | "too-many-frames"
  /** Its bytes break off or make no sense. */
  | "damaged"
  /** It took too long to decode. */
  | "too-slow";

/** A picture that is not taken. `message` is for logs. */
export class PictureError extends Error {
  override readonly name = "PictureError";
  readonly problem: PictureProblem;

  constructor(problem: PictureProblem, cause?: unknown) {
    super(problem, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }
}

/** A picture as we pass it on: upright, sRGB, without any metadata, at most 16,383 pixels a side. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly contentType: "image/jpeg" | "image/png" | "image/webp";
  readonly width: number;
  readonly height: number;
}

export interface PreparedPicture extends Picture {
  readonly type: PictureType;
  /** It moved; this is its first frame. */
  readonly wasAnimated: boolean;
  /** It was larger. */
  readonly wasReduced: boolean;
}
