import { fileURLToPath } from "node:url";
import { loadOnce } from "../core/runs.ts";

/** Columns of dots per letter, including the gap after it. */
export const LETTER_COLUMNS = 6;

/** The characters in Doto's Latin files, tested one by one; Latin Extended-A has gaps, e.g. `ĉ`. */
const DRAWABLE =
  /^[ -~¡-£¥§-«®-°´¶-¸º»¿-ćĊ-đĖ-ěĞ-ģĦ-īĮ-ıĶķĹ-ľŁ-ňŌōŐ-ŕŘ-śŞ-šŤťŨ-ūŮ-žȘ-țẀ-ẅẞỲỳ–—‘-‚“-„…‹›€−]$/u;

/** Replaces characters that the font lacks: `ĉ` loses its accent, a letter of another script becomes a dot. */
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
  // Combining accents and invisible characters are dropped.
  const base = letter.normalize("NFKD").replace(/[\p{M}\p{C}]/gu, "");
  return Array.from(base).every((part) => DRAWABLE.test(part)) ? base : "·";
}

/** The width in pixels if dots are `pitch` pixels apart, without the gap after the last character. */
export function dotWidth(text: string, pitch: number): number {
  return Math.max(0, text.length * LETTER_COLUMNS - 1) * pitch;
}

function lettersIn(width: number, pitch: number): number {
  return Math.floor((width / pitch + 1) / LETTER_COLUMNS);
}

/** A drawable text of at most `width` pixels, with an ellipsis if it had to be cut. */
export function cutToWidth(text: string, pitch: number, width: number): string {
  const room = lettersIn(width, pitch);
  const letters = drawableText(text);
  return letters.length <= room ? letters : `${letters.slice(0, Math.max(0, room - 1)).trimEnd()}…`;
}

/** At the largest of `pitches` at which it fits, or cut at the smallest. `pitches` must be descending. */
export function fitText(text: string, pitches: readonly number[], width: number) {
  const letters = drawableText(text);
  const smallest = pitches.at(-1) ?? 1;
  const pitch = pitches.find((one) => dotWidth(letters, one) <= width) ?? smallest;
  return { text: cutToWidth(letters, pitch, width), pitch };
}

/** A text on one line, or on two lines of whole words. The second line is cut if both are not enough. */
export function wrapText(text: string, pitch: number, width: number): readonly [string, string] {
  const [first, rest] = breakText(drawableText(text), lettersIn(width, pitch));
  return [first, cutToWidth(rest, pitch, width)];
}

export function wrapLines(text: string, pitch: number, width: number): readonly string[] {
  const [first, rest] = breakText(drawableText(text), lettersIn(width, pitch));
  return rest === "" ? [first] : [first, ...wrapLines(rest, pitch, width)];
}

/** Breaks a text after at most `letters` letters: at a dot if possible, else between words, else within a word. */
function breakText(text: string, letters: number): readonly [string, string] {
  if (text.length <= letters) {
    return [text, ""];
  }
  const at = [" · ", " "].map((gap) => text.lastIndexOf(gap, letters)).find((gap) => gap > 0) ?? letters;
  return [text.slice(0, at), text.slice(at).replace(/^ · /, "").trim()];
}

// The dot-matrix font is Doto, whose dots are on a grid of a tenth of the font size. The positions of a letter's dots
// are read from the font once; after that, drawing needs no canvas.

/** A dot of a letter: column from the left, row upwards from the baseline (negative below it). */
interface Dot {
  readonly column: number;
  readonly row: number;
}

export type DotFont = (letter: string) => readonly Dot[];

/** The font families with their files, in the order in which they are searched. Each covers a part of Unicode. */
const FAMILIES = {
  "Doto Latin": "@fontsource/doto/files/doto-latin-900-normal.woff2",
  "Doto Latin Extended": "@fontsource/doto/files/doto-latin-ext-900-normal.woff2",
} as const;

/** The font's name on a canvas, after {@link loadDotFont} has registered it. */
export const CANVAS_FONT = `"${Object.keys(FAMILIES).join('", "')}"`;

/** Doto's colon and full stop are crosses, so `17:31` would read as `17‡31`. These are plain blocks instead. */
const OVERRIDES: Readonly<Record<string, readonly Dot[]>> = {
  ":": block(1, 1).concat(block(1, 4)),
  ".": block(1, 0),
};

const ROWS_ABOVE = 10;
const ROWS_BELOW = 3;
/** Pixels per dot when the font is read: enough for the middle of a dot to be inside it. */
const PITCH = 8;

function block(column: number, row: number): Dot[] {
  return [0, 1].flatMap((x) => [0, 1].map((y) => ({ column: column + x, row: row + y })));
}

/** Loads the canvas and the font at the first call. Throws if a file of the font is missing. */
export const loadDotFont = loadOnce(async (): Promise<DotFont> => {
  const { GlobalFonts, createCanvas } = await import("@napi-rs/canvas");
  for (const [family, file] of Object.entries(FAMILIES)) {
    if (GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve(file)), family) === null) {
      throw new Error(`the font ${family} cannot be read`);
    }
  }
  const width = LETTER_COLUMNS * PITCH;
  const height = (ROWS_ABOVE + ROWS_BELOW) * PITCH;
  const context = createCanvas(width, height).getContext("2d");
  context.font = `${PITCH * 10}px ${CANVAS_FONT}`;
  const known = new Map<string, readonly Dot[]>(Object.entries(OVERRIDES));

  function read(letter: string): readonly Dot[] {
    context.clearRect(0, 0, width, height);
    context.fillText(letter, 0, ROWS_ABOVE * PITCH);
    const { data } = context.getImageData(0, 0, width, height);
    const dots: Dot[] = [];
    for (let row = -ROWS_BELOW; row < ROWS_ABOVE; row += 1) {
      for (let column = 0; column < LETTER_COLUMNS; column += 1) {
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
