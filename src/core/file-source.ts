import type { Readable } from "node:stream";

/** A file that can be read from anywhere in it, more than once. */
export interface FileSource {
  readonly sizeBytes: number;
  /** Only its extension is used: names tell of people and places. */
  readonly fileName: string;
  readonly contentType: string;
  /** The bytes from one on to the end. What it throws, or fails with later, comes out as it is. */
  open(fromByte: number): Promise<Readable>;
}
