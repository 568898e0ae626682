// A dot-matrix screen: unlit lamps and text made of dots, in a handful of colours.
import { LETTER_COLUMNS, type DotFont, loadDotFont } from "./dot-text.ts";
import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

export async function drawScreen(
  { width, height, background }: { width: number; height: number; background: number },
  draw: (screen: DotScreen) => void,
): Promise<Uint8Array> {
  const screen = createDotScreen(width, height, background, await loadDotFont());
  draw(screen);
  return encodeIndexedPng(screen.picture());
}

export type DotScreen = ReturnType<typeof createDotScreen>;

/** Steps of brightness between the background and a dot's colour; few, so that files stay small. */
const STEPS = 6;

/** Positions are in pixels from the top left; a pitch is the distance between dots in pixels. */
function createDotScreen(width: number, height: number, background: number, font: DotFont) {
  const stride = width + 1;
  const scanlines = new Uint8Array(stride * height);
  const palette = [background];
  const shades = new Map<number, readonly number[]>();

  /** The palette indexes of a colour's shades, from dark to full. */
  function shadesOf(colour: number): readonly number[] {
    const known = shades.get(colour);
    if (known !== undefined) {
      return known;
    }
    const made = Array.from({ length: STEPS + 1 }, (_, step) =>
      step === 0 ? 0 : palette.push(mix(background, colour, step / STEPS)) - 1,
    );
    shades.set(colour, made);
    return made;
  }

  function stamp(x: number, y: number, pitch: number, shade: readonly number[]): void {
    const mask = maskOf(pitch);
    for (let row = 0; row < pitch; row += 1) {
      if (y + row < 0 || y + row >= height) {
        continue;
      }
      for (let column = 0; column < pitch; column += 1) {
        const step = mask[row * pitch + column] ?? 0;
        if (step > 0 && x + column >= 0 && x + column < width) {
          scanlines[(y + row) * stride + 1 + x + column] = shade[step] ?? 0;
        }
      }
    }
  }

  return {
    /** Draws as many unlit lamps as fit into a box, which must be on the screen and empty. */
    lamps(
      x: number,
      y: number,
      panelWidth: number,
      panelHeight: number,
      pitch: number,
      colour: number,
    ): void {
      const shade = shadesOf(colour);
      const right = x + Math.floor(panelWidth / pitch) * pitch;
      const bottom = Math.min(y + Math.floor(panelHeight / pitch) * pitch, height);
      for (let left = x; left < right; left += pitch) {
        stamp(left, y, pitch, shade);
      }
      // All rows of lamps are copies of the first.
      for (let line = y + pitch; line < bottom; line += 1) {
        const from = (line - pitch) * stride + 1;
        scanlines.copyWithin(from + pitch * stride + x, from + x, from + Math.min(right, width));
      }
    },
    /** Draws a text that {@link drawableText} has returned. */
    text(text: string, x: number, baseline: number, pitch: number, colour: number): void {
      const shade = shadesOf(colour);
      for (const [index, letter] of Array.from(text).entries()) {
        for (const dot of font(letter)) {
          const left = x + (index * LETTER_COLUMNS + dot.column) * pitch;
          stamp(left, baseline - (dot.row + 1) * pitch, pitch, shade);
        }
      }
    },
    picture: () => ({ width, height, scanlines, palette }),
  };
}

function mix(from: number, to: number, share: number): number {
  const channel = (shift: number) => {
    const start = (from >> shift) & 255;
    return Math.round(start + (((to >> shift) & 255) - start) * share) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

const masks = new Map<number, Uint8Array>();

/** How much of each pixel in its cell a lamp with round corners covers, in steps; sampled at 8 × 8 points a pixel. */
function maskOf(pitch: number): Uint8Array {
  const known = masks.get(pitch);
  if (known !== undefined) {
    return known;
  }
  const mask = new Uint8Array(pitch * pitch);
  const radius = pitch / 2;
  for (let index = 0; index < mask.length; index += 1) {
    let inside = 0;
    for (let point = 0; point < 64; point += 1) {
      const x = Math.abs((index % pitch) + ((point % 8) + 0.5) / 8 - pitch / 2) / radius;
      const y = Math.abs(Math.floor(index / pitch) + (Math.floor(point / 8) + 0.5) / 8 - pitch / 2) / radius;
      inside += x ** 4 + y ** 4 <= 1 ? 1 : 0;
    }
    mask[index] = Math.round((inside / 64) * STEPS);
  }
  masks.set(pitch, mask);
  return mask;
}

// PNGs with a palette, one byte a pixel. A board takes a quarter of the memory of RGBA, and compresses in a fifth of the
// time that canvas takes to encode it.

const deflateBytes = promisify(deflate);

interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  /** All rows, each after a zero, PNG's mark for "not filtered": (width + 1) × height bytes. */
  readonly scanlines: Uint8Array;
  /** At most 256 colours, 0 to 0xFFFFFF. */
  readonly palette: readonly number[];
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Encodes off the event loop. Format: https://www.w3.org/TR/png-3/ */
async function encodeIndexedPng(picture: IndexedPicture): Promise<Uint8Array> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(picture.width, 0);
  header.writeUInt32BE(picture.height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits per index, palette, the only compression and filter method, not interlaced
  const palette = Buffer.from(
    picture.palette.flatMap((colour) => [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255]),
  );
  const data = await deflateBytes(picture.scanlines, { level: 6 });
  // A copy, because small buffers share a pool of 64 KB, which a picture that stays in memory would keep alive.
  return Uint8Array.from(
    Buffer.concat([
      SIGNATURE,
      chunk("IHDR", header),
      chunk("PLTE", palette),
      chunk("IDAT", data),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

// The screen that boards and journeys are drawn on. A phone shows 1,000 pixels about 360 points wide. The main lines have
// dots 4 pixels apart, so that their capitals are still 10 points high there.

export const SCREEN_WIDTH = 1_000;

/** The edges of the text, in pixels from the left. */
export const LEFT = 32;
export const RIGHT = SCREEN_WIDTH - LEFT;

/** Pitches, i.e. distances between dots, in pixels. */
export const TITLE = 6;
export const MAIN = 4;
export const SMALL = 3;
/** The pitches to try for a title: it gets the largest that fits. */
export const TITLE_PITCHES = [TITLE, 5, MAIN, SMALL] as const;

const BACKGROUND = 0x0b0906;
export const AMBER = 0xffb52e;
export const DIM = 0xb5842f;
export const LATE = 0xff7426;
export const CANCELLED = 0xff4438;

/** The state that a text's colour expresses. The words say it too, because colour alone is not accessible. */
export type Mood = "plain" | "quiet" | "late" | "cancelled";

export const MOOD_COLOURS: Readonly<Record<Mood, number>> = {
  plain: AMBER,
  quiet: DIM,
  late: LATE,
  cancelled: CANCELLED,
};

/** Returns a PNG, {@link SCREEN_WIDTH} pixels wide. */
export const drawStationScreen = (height: number, draw: (screen: DotScreen) => void): Promise<Uint8Array> =>
  drawScreen({ width: SCREEN_WIDTH, height, background: BACKGROUND }, draw);
