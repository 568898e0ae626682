// One chart from top to bottom: Chart.js plots lines and grid, the letters are those of the boards. Loads Chart.js: to be
// imported at first use.
import { spreadLabels } from "./chart-labels.ts";
import { listLines, spanOfPlaces, spanOfValues } from "./chart-lines.ts";
import type { ChartModel } from "./chart-model.ts";
import { formatChartNumber } from "./chart-numbers.ts";
import { layOver } from "./chart-pixels.ts";
import { type Plot, plotLines } from "./chart-plot.ts";
import {
  BACKGROUND,
  BRIGHT,
  CHART_HEIGHT,
  CHART_WIDTH,
  DIM,
  LEFT,
  LINES,
  MAIN,
  PLOT_BOTTOM,
  PLOT_TOP,
  RIGHT,
  SMALL,
  TITLE,
} from "./chart-style.ts";
import { type ChartTick, listTimeTicks } from "./chart-time-ticks.ts";
import type { DotFont } from "./dot-font.ts";
import { createDotScreen, type DotScreen } from "./dot-screen.ts";
import { cutToWidth, dotWidth, drawableText, fitText } from "./dot-text.ts";
import type { IndexedPicture } from "./indexed-png.ts";

/** Between lines or their axis and the letters beside them. */
const GAP = 20;
const LONGEST_NAME = 234;
/** A value, a name below it, and air. */
const LABEL_HEIGHT = 78;
const MOST_TIMES = 6;
const SHARES: readonly ChartTick[] = [0, 25, 50, 75, 100].map((x) => ({ x, label: `${x}%` }));

/** What stands beside a line's end. */
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
