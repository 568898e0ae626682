// What may be done with a picture that somebody sent. Nothing here trusts a byte of it; nothing here blocks the event
// loop. sharp stays behind this file's implementation and is loaded at first use.
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

export interface PictureLimits {
  readonly maxBytes: number;
  /** The longer side. */
  readonly maxSide: number;
}

/** A picture with its name, on a sheet of several. */
export interface SheetTile {
  readonly bytes: Uint8Array;
  readonly label: string;
}

/** All throw PictureError for bytes that cannot be used. Opaque pictures come out as JPEG. */
export interface PictureTools {
  /** Makes a member's picture fit to leave: within the limits, upright, nothing in it but pixels; JPEG or PNG. */
  prepare(bytes: Uint8Array, limits: PictureLimits): Promise<PreparedPicture>;
  /**
   * The same for what a service returned, which nobody trusts either; JPEG or PNG, kept as large as it is. Only what
   * shows through somewhere is made smaller, to 6 megapixels.
   */
  receive(bytes: Uint8Array): Promise<Picture>;
  /**
   * Lays `over` on `base` at an opacity of 0 to 1, in the size of `over` (made smaller to 16 megapixels); what of
   * `base` does not fit its shape is cut off evenly. With `keepsAlpha`, what shows through in `base` shows through still.
   */
  blend(base: Uint8Array, over: Uint8Array, opacity: number, keepsAlpha?: boolean): Promise<Picture>;
  /**
   * The best picture of at most so many bytes, 1 KiB or more: as it is if it fits and holds nothing but pixels, then
   * re-encoded, then smaller.
   */
  fit(bytes: Uint8Array, maxBytes: number, maxSide?: number): Promise<Picture>;
  /** Up to ten pictures on one, three in a row, each whole and with its name below it. */
  sheet(tiles: readonly SheetTile[]): Promise<Picture>;
}
