// One chart from top to bottom: Chart.js plots lines and grid, the letters are those of the boards. Loads Chart.js: to be
// imported at first use.
import { type ChartModel, listLines, spanOfPlaces, spanOfValues } from "./chart-lines.ts";
import {
  BACKGROUND,
  BASE,
  BRIGHT,
  CHART_HEIGHT,
  CHART_WIDTH,
  DIM,
  GRID,
  LEFT,
  LINES,
  MAIN,
  PLOT_BOTTOM,
  PLOT_TOP,
  type Plot,
  RIGHT,
  SMALL,
  TITLE,
  formatChartNumber,
  plotLines,
} from "./chart-plot.ts";
import { type ChartTick, listTimeTicks } from "./chart-time-ticks.ts";
import {
  type DotFont,
  type DotScreen,
  createDotScreen,
  cutToWidth,
  dotWidth,
  drawableText,
  fitText,
} from "./dot-screen.ts";
import type { IndexedPicture } from "./indexed-png.ts";

/** Between lines or their axis and the letters beside them. */
const GAP = 20;
const LONGEST_NAME = 234;
/** A value, a name below it, and air. */
const LABEL_HEIGHT = 78;
const MOST_TIMES = 6;
const SHARES: readonly ChartTick[] = [0, 25, 50, 75, 100].map((x) => ({ x, label: `${x}%` }));

interface EndLabel {
  readonly value: string;
  readonly name: string;
  readonly colour: number;
  readonly y: number;
}

/** Throws RangeError for a zone that there is not. */
export function drawChart(model: ChartModel, font: DotFont): IndexedPicture {
  const { axis, unit } = model;
  const screen = createDotScreen(CHART_WIDTH, CHART_HEIGHT, BACKGROUND, font);
  drawHeader(screen, model);
  const lines = listLines(model);
  if (lines.length === 0) {
    drawNotice(screen, model.notice);
    return screen.picture();
  }
  const labels = lines.map(({ name, points, index }) => {
    const end = points.at(-1)?.y ?? 0;
    return {
      name: cutToWidth(drawableText(name), SMALL, LONGEST_NAME),
      value: drawableNumber(end, unit),
      colour: LINES[index] ?? BRIGHT,
      end,
    };
  });
  const labelWidth = widest(
    labels.flatMap(({ name, value }) => [dotWidth(name, SMALL), dotWidth(value, MAIN)]),
  );
  const places = spanOfPlaces(lines, axis);
  const ticks = axis.kind === "share" ? SHARES : listTimeTicks(places.min, places.max, axis.zone, MOST_TIMES);
  const plot = plotLines({
    lines,
    places,
    values: spanOfValues(lines),
    marks: ticks.map(({ x }) => x),
    isWhole: lines.every(({ points }) => points.every(({ y }) => Number.isInteger(y))),
    sides: (numbers) => ({
      left: LEFT + widest(numbers.map((value) => dotWidth(drawableNumber(value, unit), SMALL))) + GAP,
      right: CHART_WIDTH - RIGHT + labelWidth + GAP,
    }),
  });
  drawAxes(screen, plot, ticks, unit);
  const ends = labels.map((label) => ({ ...label, y: plot.y(label.end) }));
  drawLabels(screen, ends, RIGHT - labelWidth);
  return layOver(plot.pixels, screen.picture());
}

function drawHeader(screen: DotScreen, { title, subtitle = "" }: ChartModel): void {
  const large = fitText(drawableText(title), [TITLE, MAIN, SMALL], RIGHT - LEFT);
  screen.text(large.text, LEFT, 68, large.pitch, BRIGHT);
  screen.text(cutToWidth(drawableText(subtitle), SMALL, RIGHT - LEFT), LEFT, 110, SMALL, DIM);
}

function drawNotice(screen: DotScreen, notice: string): void {
  const { text, pitch } = fitText(drawableText(notice), [MAIN, SMALL], RIGHT - LEFT);
  screen.text(
    text,
    centred(CHART_WIDTH / 2, dotWidth(text, pitch)),
    (PLOT_TOP + PLOT_BOTTOM) / 2,
    pitch,
    DIM,
  );
}

function drawAxes(
  screen: DotScreen,
  plot: Plot,
  ticks: readonly ChartTick[],
  unit: string | undefined,
): void {
  const right = Math.round(plot.left) - GAP;
  for (const value of plot.numbers) {
    const text = drawableNumber(value, unit);
    // Capitals are seven dots high: their middle is on the line.
    screen.text(text, right - dotWidth(text, SMALL), Math.round(plot.y(value)) + 10, SMALL, DIM);
  }
  let free = LEFT;
  for (const { x, label } of ticks) {
    const text = drawableText(label);
    const width = dotWidth(text, SMALL);
    const left = Math.min(centred(plot.x(x), width), RIGHT - width);
    if (left >= free) {
      screen.text(text, left, PLOT_BOTTOM + 44, SMALL, DIM);
      free = left + width + GAP;
    }
  }
}

function drawLabels(screen: DotScreen, labels: readonly EndLabel[], left: number): void {
  const middles = spreadLabels(
    labels.map(({ y }) => y),
    { height: LABEL_HEIGHT, top: PLOT_TOP - GAP, bottom: PLOT_BOTTOM + GAP },
  );
  for (const [index, { value, name, colour }] of labels.entries()) {
    const middle = middles[index] ?? PLOT_TOP;
    screen.text(value, left, middle - 1, MAIN, colour);
    screen.text(name, left, middle + 32, SMALL, colour);
  }
}

/** A unit is of the model: any letters may be in it. */
function drawableNumber(value: number, unit: string | undefined): string {
  return drawableText(formatChartNumber(value, unit)).slice(0, 10);
}

function centred(middle: number, width: number): number {
  return Math.round(middle - width / 2);
}

function widest(widths: readonly number[]): number {
  return Math.max(0, ...widths);
}

/** A middle for each of the wanted ones, `height` apart and all between `top` and `bottom`; in the same order. */
export function spreadLabels(
  wanted: readonly number[],
  { height, top, bottom }: { readonly height: number; readonly top: number; readonly bottom: number },
): readonly number[] {
  const order = wanted.map((y, index) => ({ y, index })).toSorted((a, b) => a.y - b.y);
  let highest = top + height / 2;
  for (const label of order) {
    label.y = Math.max(label.y, highest);
    highest = label.y + height;
  }
  let lowest = bottom - height / 2;
  for (const label of order.toReversed()) {
    label.y = Math.min(label.y, lowest);
    lowest = label.y - height;
  }
  return order.toSorted((a, b) => a.index - b.index).map(({ y }) => Math.round(y));
}

// Lays letters of dots over what was plotted: both in one palette, so that a chart weighs little.

/** A palette has no more. */
const MOST_COLOURS = 256;

/** The plot, red, green, blue and how opaque a byte each, wherever the letters' picture has its background. */
function layOver(rgba: Uint8ClampedArray, letters: IndexedPicture): IndexedPicture {
  const { width, height } = letters;
  const palette = [...letters.palette];
  const scanlines = new Uint8Array(letters.scanlines);
  /** Index by colour, of which five bits of each channel count. */
  const indexes = new Int16Array(1 << 15).fill(-1);
  indexes[keyOf(BACKGROUND)] = 0;
  for (const colour of [GRID, BASE, ...LINES]) {
    indexes[keyOf(colour)] = palette.push(colour) - 1;
  }

  function indexOf(colour: number): number {
    const key = keyOf(colour);
    const known = indexes[key] ?? -1;
    if (known !== -1) {
      return known;
    }
    const made = palette.length < MOST_COLOURS ? palette.push(colour) - 1 : nearest(palette, colour);
    indexes[key] = made;
    return made;
  }

  // Most pixels are as the one before.
  let [lastColour, lastIndex] = [BACKGROUND, 0];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = row * (width + 1) + 1 + column;
      const from = (row * width + column) * 4;
      const colour = ((rgba[from] ?? 0) << 16) | ((rgba[from + 1] ?? 0) << 8) | (rgba[from + 2] ?? 0);
      if (colour !== lastColour) {
        [lastColour, lastIndex] = [colour, indexOf(colour)];
      }
      if (scanlines[at] === 0) {
        scanlines[at] = lastIndex;
      }
    }
  }
  return { width, height, scanlines, palette };
}

function keyOf(colour: number): number {
  return ((colour >> 9) & 0x7c00) | ((colour >> 6) & 0x3e0) | ((colour >> 3) & 0x1f);
}

function nearest(palette: readonly number[], colour: number): number {
  const far = (other: number): number =>
    [16, 8, 0].reduce((sum, shift) => sum + (((other >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0);
  const distances = palette.map(far);
  return distances.indexOf(Math.min(...distances));
}
