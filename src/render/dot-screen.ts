// A screen of lamps: unlit lamps and text of dots, in a handful of colours.
import { fileURLToPath } from "node:url";
import { encodeIndexedPng } from "./indexed-png.ts";

/** Draws a screen, and gives it as PNG. */
export async function drawScreen(
  { width, height, background }: { width: number; height: number; background: number },
  draw: (screen: DotScreen) => void,
): Promise<Uint8Array> {
  const screen = createDotScreen(width, height, background, await loadDotFont());
  draw(screen);
  return encodeIndexedPng(screen.picture());
}

export type DotScreen = ReturnType<typeof createDotScreen>;

/** Steps of brightness from the background to a dot's own colour: few, so that pictures stay small. */
const STEPS = 6;

/** Places are pixels from the top left; a pitch is the distance of dots in pixels. */
function createDotScreen(width: number, height: number, background: number, font: DotFont) {
  const stride = width + 1;
  const scanlines = new Uint8Array(stride * height);
  const palette = [background];
  const shades = new Map<number, readonly number[]>();

  /** Palette indexes of a colour, from dark to full. */
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
    /** A text of {@link drawableText}. */
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

/** How much of each pixel of its cell a round-cornered lamp fills, in steps; measured at 8 × 8 points a pixel. */
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

/** Columns of dots to a letter, the gap after it included. */
const LETTER_COLUMNS = 6;

/** What Doto's Latin files have, measured letter by letter; Extended-A has gaps, e.g. `ĉ`. */
const DRAWABLE =
  /^[ -~¡-£¥§-«®-°´¶-¸º»¿-ćĊ-đĖ-ěĞ-ģĦ-īĮ-ıĶķĹ-ľŁ-ňŌōŐ-ŕŘ-śŞ-šŤťŨ-ūŮ-žȘ-țẀ-ẅẞỲỳ–—‘-‚“-„…‹›€−]$/u;

/** A text in letters that the font has: `ĉ` loses its accent, a letter of another script becomes a dot. */
export function drawableText(text: string): string {
  return Array.from(text.normalize("NFC"), drawableLetter).join("");
}

function drawableLetter(letter: string): string {
  if (DRAWABLE.test(letter)) {
    return letter;
  }
  if (/\s/u.test(letter)) {
    return " ";
  }
  // Accents of their own and invisible characters leave nothing.
  const base = letter.normalize("NFKD").replace(/[\p{M}\p{C}]/gu, "");
  return Array.from(base).every((part) => DRAWABLE.test(part)) ? base : "·";
}

/** Width in pixels where dots are `pitch` pixels apart, without the gap after the last character. */
export function dotWidth(text: string, pitch: number): number {
  return Math.max(0, text.length * LETTER_COLUMNS - 1) * pitch;
}

/** How many letters fit into `width` pixels. */
function lettersIn(width: number, pitch: number): number {
  return Math.floor((width / pitch + 1) / LETTER_COLUMNS);
}

/** A drawable text of at most `width` pixels, with an ellipsis where something is lost. */
export function cutToWidth(text: string, pitch: number, width: number): string {
  const room = lettersIn(width, pitch);
  const letters = drawableText(text);
  return letters.length <= room ? letters : `${letters.slice(0, Math.max(0, room - 1)).trimEnd()}…`;
}

/** The largest of `pitches` (falling) at which a text fits; the smallest and an ellipsis if none does. */
export function fitText(text: string, pitches: readonly number[], width: number) {
  const letters = drawableText(text);
  const smallest = pitches.at(-1) ?? 1;
  const pitch = pitches.find((one) => dotWidth(letters, one) <= width) ?? smallest;
  return { text: cutToWidth(letters, pitch, width), pitch };
}

/** A text on one line, or on two lines of whole words; the second is cut where both are not enough. */
export function wrapText(text: string, pitch: number, width: number): readonly [string, string] {
  const [first, rest] = breakText(drawableText(text), lettersIn(width, pitch));
  return [first, cutToWidth(rest, pitch, width)];
}

/** A text on as many lines as it needs. */
export function wrapLines(text: string, pitch: number, width: number): readonly string[] {
  const [first, rest] = breakText(drawableText(text), lettersIn(width, pitch));
  return rest === "" ? [first] : [first, ...wrapLines(rest, pitch, width)];
}

/** Breaks a text after at most so many letters: rather at a dot than between words, and in a word only if it is longer. */
function breakText(text: string, letters: number): readonly [string, string] {
  if (text.length <= letters) {
    return [text, ""];
  }
  const at = [" · ", " "].map((gap) => text.lastIndexOf(gap, letters)).find((gap) => gap > 0) ?? letters;
  return [text.slice(0, at), text.slice(at).replace(/^ · /, "").trim()];
}

// The dot-matrix font: Doto, whose dots stand on a grid of a tenth of the font size. Letters are read from
// the font file once, as the places of their dots; after that drawing needs no canvas.

/** A dot of a letter: column from the left, row upwards from the baseline (negative below it). */
interface Dot {
  readonly column: number;
  readonly row: number;
}

/** Gives the dots of a letter of {@link drawableText}. */
export type DotFont = (letter: string) => readonly Dot[];

/** Families in the order of search, with their files: each covers its own part of Unicode. */
const FAMILIES = {
  "Doto Latin": "@fontsource/doto/files/doto-latin-900-normal.woff2",
  "Doto Latin Extended": "@fontsource/doto/files/doto-latin-ext-900-normal.woff2",
} as const;

/** As a canvas names the font, once {@link loadDotFont} has registered it. */
export const CANVAS_FONT = `"${Object.keys(FAMILIES).join('", "')}"`;

/** Doto's colon and full stop are crosses, and `17:31` reads as `17‡31`: ours are plain blocks. */
const OWN: Readonly<Record<string, readonly Dot[]>> = {
  ":": block(1, 1).concat(block(1, 4)),
  ".": block(1, 0),
};

const COLUMNS = 6;
const ROWS_ABOVE = 10;
const ROWS_BELOW = 3;
/** Pixels to a dot while reading: enough that the middle of a dot is surely inside it. */
const PITCH = 8;

function block(column: number, row: number): Dot[] {
  return [0, 1].flatMap((x) => [0, 1].map((y) => ({ column: column + x, row: row + y })));
}

/** Loads canvas and font at the first call. Throws when a file of the font is missing. */
export const loadDotFont = loadOnce(async (): Promise<DotFont> => {
  const { GlobalFonts, createCanvas } = await import("@napi-rs/canvas");
  for (const [family, file] of Object.entries(FAMILIES)) {
    if (GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve(file)), family) === null) {
      throw new Error(`the font ${family} cannot be read`);
    }
  }
  const width = COLUMNS * PITCH;
  const height = (ROWS_ABOVE + ROWS_BELOW) * PITCH;
  const context = createCanvas(width, height).getContext("2d");
  context.font = `${PITCH * 10}px ${CANVAS_FONT}`;
  const known = new Map<string, readonly Dot[]>(Object.entries(OWN));

  function read(letter: string): readonly Dot[] {
    context.clearRect(0, 0, width, height);
    context.fillText(letter, 0, ROWS_ABOVE * PITCH);
    const { data } = context.getImageData(0, 0, width, height);
    const dots: Dot[] = [];
    for (let row = -ROWS_BELOW; row < ROWS_ABOVE; row += 1) {
      for (let column = 0; column < COLUMNS; column += 1) {
        const x = (column + 0.5) * PITCH;
        const y = (ROWS_ABOVE - row - 0.5) * PITCH;
        if ((data[(y * width + x) * 4 + 3] ?? 0) > 127) {
          dots.push({ column, row });
        }
      }
    }
    return dots;
  }

  return (letter) => {
    const dots = known.get(letter) ?? read(letter);
    known.set(letter, dots);
    return dots;
  };
});

/** Calls `load` at the first call only; a load that failed is tried again at the next one. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
