// The sheet that several pictures lie on: where each goes, and its name below it.
import { createDotScreen, cutToWidth, dotWidth, drawableText, loadDotFont, loadOnce } from "./dot-screen.ts";
import { encodeIndexedPng } from "./indexed-png.ts";
import type { SheetCell } from "./picture-process.ts";

const COLUMNS = 3;
const WIDTH = 1_000;
const GAP = 16;
const CELL = { width: Math.floor((WIDTH - GAP * (COLUMNS + 1)) / COLUMNS), height: 236 };
/** Letters as large as on boards: 10 points on a phone. */
const PITCH = 3;
const LABEL_HEIGHT = 44;
const BASELINE = 34;
const BACKGROUND = 0x14120f;
const NAME = 0xffc66b;

const loadFont = loadOnce(loadDotFont);

/** Draws the empty sheet with its names, as PNG, and says where the pictures go. */
export async function drawSheet(
  labels: readonly string[],
): Promise<{ readonly sheet: Uint8Array; readonly cells: readonly SheetCell[] }> {
  const rows = Math.ceil(labels.length / COLUMNS);
  const height = rows * (CELL.height + LABEL_HEIGHT + GAP) + GAP;
  const screen = createDotScreen(WIDTH, height, BACKGROUND, await loadFont());
  const cells = labels.map((label, index) => {
    const left = GAP + (index % COLUMNS) * (CELL.width + GAP);
    const top = GAP + Math.floor(index / COLUMNS) * (CELL.height + LABEL_HEIGHT + GAP);
    const text = cutToWidth(drawableText(label), PITCH, CELL.width);
    const indent = Math.floor((CELL.width - dotWidth(text, PITCH)) / 2);
    screen.text(text, left + indent, top + CELL.height + BASELINE, PITCH, NAME);
    return { left, top, ...CELL };
  });
  return { sheet: await encodeIndexedPng(screen.picture()), cells };
}
