// A small part of H.264 (ITU-T H.264, 7.3), enough for a drawn film without loss: blocks that are as they were are
// skipped, blocks that only continue their left neighbour say so, all others are sent as they are (I_PCM).
import { createBitWriter, type BitWriter } from "./bit-writer.ts";

/** A picture's blocks of 16 × 16, row by row: 256 times Y, then 64 times Cb and Cr. */
export type Blocks = readonly Uint8Array[];

export interface FilmSize {
  /** In blocks. */
  readonly columns: number;
  readonly rows: number;
}

const PARAMETERS = { sequence: 0x67, picture: 0x68 } as const;
const SLICE = { whole: 0x65, changes: 0x41 } as const;
/** Baseline, level 3. */
export const PROFILE = [66, 0xc0, 30] as const;

/** Types of blocks in a whole picture; among changes each is 5 higher. */
const BLOCK = { fromLeft: 2, plain: 25, amongChanges: 5 } as const;

/** What a decoder is told of the film as a whole. */
export function formatSequence({ columns, rows }: FilmSize): Uint8Array {
  const out = createBitWriter();
  out.bytes(PROFILE);
  // Id, 8 bits for a picture's number, pictures come in order, each refers to the one before.
  for (const value of [0, 4, 2, 1]) {
    out.unsigned(value);
  }
  out.bits(0, 1);
  out.unsigned(columns - 1);
  out.unsigned(rows - 1);
  // Whole pictures, nothing cut off, nothing said of colours.
  out.bits(0b1100, 4);
  return formatUnit(PARAMETERS.sequence, out.finish());
}

/** What it is told of all pictures: plain codes, one slice, and that slices say whether edges are smoothed. */
export function formatPictures(): Uint8Array {
  const out = createBitWriter();
  out.unsigned(0);
  out.unsigned(0);
  out.bits(0b00, 2);
  for (const value of [0, 0, 0]) {
    out.unsigned(value);
  }
  out.bits(0b000, 3);
  for (const value of [0, 0, 0]) {
    out.unsigned(value);
  }
  out.bits(0b100, 3);
  return formatUnit(PARAMETERS.picture, out.finish());
}

/** One picture; after the first, what changed since `before`. */
export function formatPicture(
  blocks: Blocks,
  before: Blocks | undefined,
  number: number,
  { columns }: FilmSize,
): Uint8Array {
  const out = createBitWriter();
  const isWhole = before === undefined;
  out.unsigned(0);
  out.unsigned(isWhole ? 7 : 5);
  out.unsigned(0);
  out.bits(number, 8);
  if (isWhole) {
    out.unsigned(0);
  }
  // Nothing special about references.
  out.bits(0, isWhole ? 2 : 3);
  out.unsigned(0);
  // Edges are not smoothed: nothing may change behind the writer's back.
  out.unsigned(1);

  const isPlain: boolean[] = [];
  let skipped = 0;
  for (const [at, block] of blocks.entries()) {
    if (before !== undefined && isSame(block, before[at])) {
      skipped += 1;
      isPlain.push(false);
      continue;
    }
    if (!isWhole) {
      out.unsigned(skipped);
      skipped = 0;
    }
    const left = at % columns === 0 ? undefined : blocks[at - 1];
    const continues = left !== undefined && isContinued(left, block);
    const base = isWhole ? 0 : BLOCK.amongChanges;
    if (continues) {
      out.unsigned(base + BLOCK.fromLeft);
      formatContinued(out, isPlain[at - 1] === true, isPlain[at - columns]);
    } else {
      out.unsigned(base + BLOCK.plain);
      out.align();
      out.bytes(block);
    }
    isPlain.push(!continues);
  }
  if (skipped > 0) {
    out.unsigned(skipped);
  }
  return formatUnit(isWhole ? SLICE.whole : SLICE.changes, out.finish());
}

/** Colours from the left too, no difference; how "no difference" is said depends on the blocks beside and above. */
function formatContinued(out: BitWriter, isLeftPlain: boolean, isAbovePlain: boolean | undefined): void {
  out.unsigned(1);
  out.unsigned(0);
  if (isLeftPlain || isAbovePlain === true) {
    out.bits(0b000011, 6);
  } else {
    out.bits(1, 1);
  }
}

function isSame(block: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && block.every((value, at) => value === other[at]);
}

/** Whether each line of a block repeats the last value of its left neighbour's. */
function isContinued(left: Uint8Array, block: Uint8Array): boolean {
  return block.every((value, at) => value === left[at < 256 ? at | 15 : at | 7]);
}

/** A byte for its kind, then its bytes, with a 3 put in wherever they look like the beginning of another. */
function formatUnit(kind: number, bytes: Uint8Array): Uint8Array {
  const unit = [kind];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte <= 3) {
      unit.push(3);
      zeros = 0;
    }
    unit.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Uint8Array.from(unit);
}
