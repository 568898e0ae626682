// The dot-matrix font: Doto, whose dots stand on a grid of a tenth of the font size. Letters are read from
// the font file once, as the places of their dots; after that drawing needs no canvas.
import { fileURLToPath } from "node:url";

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

/** Loads canvas and font. Throws when a file of the font is missing. */
export async function loadDotFont(): Promise<DotFont> {
  const { GlobalFonts, createCanvas } = await import("@napi-rs/canvas");
  for (const [family, file] of Object.entries(FAMILIES)) {
    if (GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve(file)), family) === null) {
      throw new Error(`the font ${family} cannot be read`);
    }
  }
  const width = COLUMNS * PITCH;
  const height = (ROWS_ABOVE + ROWS_BELOW) * PITCH;
  const context = createCanvas(width, height).getContext("2d");
  context.font = `${PITCH * 10}px "${Object.keys(FAMILIES).join('", "')}"`;
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
}
