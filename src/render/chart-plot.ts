// The lines and the grid of a chart by Chart.js, without any letters. Loads Chart.js and canvas: to be imported at first
// use.
import { createCanvas } from "@napi-rs/canvas";
import {
  Chart,
  type ChartConfiguration,
  Decimation,
  Filler,
  LineController,
  LineElement,
  LinearScale,
  type Plugin,
  PointElement,
} from "chart.js";
import type { ChartLine, ChartSpan } from "./chart-lines.ts";

export interface PlotModel {
  readonly lines: readonly (ChartLine & { readonly index: number })[];
  readonly places: ChartSpan;
  readonly values: ChartSpan;
  /** Where there are marks below. */
  readonly marks: readonly number[];
  readonly isWhole: boolean;
  /** How much room there is beside the lines, in pixels of the picture, given the numbers of the axis. */
  readonly sides: (numbers: readonly number[]) => { readonly left: number; readonly right: number };
}

export type Plot = ReturnType<typeof plotLines>;

/** More points than this are not to be told apart. */
const MOST_POINTS = 240;
/** Few enough that each is a figure of its own. */
const DOTTED_POINTS = 14;

/** Chart.js clears its canvas before it draws. */
const background: Plugin<"line"> = {
  id: "background",
  beforeDraw({ ctx }) {
    ctx.fillStyle = cssColour(BACKGROUND);
    ctx.fillRect(0, 0, CHART_WIDTH, CHART_HEIGHT);
  },
};

Chart.register(Decimation, Filler, LinearScale, LineController, LineElement, PointElement);

export function plotLines(model: PlotModel) {
  const canvas = createCanvas(CHART_WIDTH, CHART_HEIGHT);
  const chart = new Chart(canvas, configure(model));
  const { x, y } = chart.scales;
  if (x === undefined || y === undefined) {
    throw new Error("the chart has no axes");
  }
  const numbers = y.ticks.map(({ value }) => value);
  const { left, right } = model.sides(numbers);
  chart.options.layout = { padding: { left, right, top: PLOT_TOP, bottom: CHART_HEIGHT - PLOT_BOTTOM } };
  chart.update("none");
  const { data } = canvas.getContext("2d").getImageData(0, 0, CHART_WIDTH, CHART_HEIGHT);
  // Otherwise Chart.js keeps every chart that it ever drew.
  chart.destroy();
  return {
    /** Red, green, blue and how opaque, a byte each, row after row. */
    pixels: data,
    /** Numbers that have a line of the grid. */
    numbers,
    /** Where the lines begin. */
    left,
    x: (place: number) => x.getPixelForValue(place),
    y: (value: number) => y.getPixelForValue(value),
  };
}

function configure({ lines, places, values, marks, isWhole }: PlotModel): ChartConfiguration<"line"> {
  return {
    type: "line",
    plugins: [background],
    data: { datasets: lines.map((line) => datasetOf(line, lines.length)) },
    options: {
      animation: false,
      responsive: false,
      devicePixelRatio: 1,
      events: [],
      parsing: false,
      normalized: true,
      layout: { padding: { top: PLOT_TOP, bottom: CHART_HEIGHT - PLOT_BOTTOM } },
      plugins: {
        decimation: { enabled: true, algorithm: "lttb", samples: MOST_POINTS, threshold: MOST_POINTS },
      },
      scales: {
        x: {
          type: "linear",
          ...places,
          border: { display: false },
          grid: { color: cssColour(BASE), drawOnChartArea: false, tickLength: 10, tickWidth: 2 },
          ticks: { display: false },
          afterBuildTicks: (axis) => (axis.ticks = marks.map((value) => ({ value }))),
        },
        y: {
          type: "linear",
          suggestedMin: values.min,
          suggestedMax: values.max,
          border: { display: false },
          grid: {
            color: ({ tick }: { readonly tick?: { readonly value: number } }) =>
              cssColour(tick?.value === 0 ? BASE : GRID),
            lineWidth: 2,
            drawTicks: false,
          },
          ticks: { display: false, maxTicksLimit: 5, ...(isWhole && { precision: 0 }) },
        },
      },
    },
  };
}

function datasetOf({ points, index }: PlotModel["lines"][number], count: number) {
  const colour = LINES[index] ?? LINES[0];
  const last = points.at(-1);
  const isDotted = points.length <= DOTTED_POINTS;
  const radius = ({ raw }: { readonly raw?: unknown }): number => (raw === last ? 9 : isDotted ? 6 : 0);
  return {
    data: [...points],
    indexAxis: "x" as const,
    borderColor: cssColour(colour),
    borderWidth: 5,
    borderCapStyle: "round" as const,
    borderJoinStyle: "round" as const,
    // Never higher or lower than the figures themselves.
    cubicInterpolationMode: "monotone" as const,
    // Ends and peaks stand whole at the edges.
    clip: false as const,
    pointRadius: radius,
    pointBackgroundColor: cssColour(colour),
    pointBorderColor: cssColour(BACKGROUND),
    pointBorderWidth: 3,
    backgroundColor: cssColour(colour, 0.12),
    // Several areas on each other would say something else.
    fill: count === 1 ? ("origin" as const) : false,
  };
}

// Sizes and colours of charts. Discord shows 1,000 pixels about 360 points wide on a phone: letters are as large as on
// boards. The background is the charts' own, so that they are the same in Discord's dark and light.

/** Size of every chart in pixels. */
export const CHART_WIDTH = 1_000;
export const CHART_HEIGHT = 520;

/** Where anything begins and ends, in pixels from the left. */
export const LEFT = 32;
export const RIGHT = CHART_WIDTH - LEFT;
/** Where the lines' highest and lowest values stand, in pixels from the top. */
export const PLOT_TOP = 148;
export const PLOT_BOTTOM = 452;

/** Distances of dots, in pixels. */
export const TITLE = 5;
export const MAIN = 4;
export const SMALL = 3;

export const BACKGROUND = 0x1e1f22;
export const GRID = 0x34363c;
/** The line from which counts are counted. */
export const BASE = 0x5c5f66;
export const BRIGHT = 0xf2f3f5;
export const DIM = 0xa3a8b1;
/** Of the first, second and third line; told apart also by those who see red and green alike. */
export const LINES = [0x7aa2ff, 0xffb52e, 0x4fd6a5] as const;

/** A colour as canvas wants it; `opacity` is 0 to 1. */
function cssColour(colour: number, opacity = 1): string {
  return `rgb(${colour >> 16} ${(colour >> 8) & 255} ${colour & 255} / ${opacity})`;
}

// British English has no letter for a billion.
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
const PLAIN = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3, useGrouping: false });

/** At most three digits and a letter, e.g. `0.25`, `950`, `1.2k`, `34M`; the unit stands after it: `40%`. */
export function formatChartNumber(value: number, unit: string | undefined): string {
  const size = Math.abs(value);
  // What a scale's arithmetic leaves of zero.
  const exact = size < 1e-9 ? 0 : value;
  const number = size < 999.5 ? PLAIN.format(exact) : COMPACT.format(exact).replace("K", "k");
  return `${number}${unit ?? ""}`;
}
