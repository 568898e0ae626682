// The lines and the grid of a chart by Chart.js, without any letters. Loads Chart.js and canvas: to be imported at first
// use.
import { createCanvas } from "@napi-rs/canvas";
import {
  Chart,
  type ChartConfiguration,
  Decimation,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  type Plugin,
  PointElement,
} from "chart.js";
import type { ChartLine, ChartSpan } from "./chart-lines.ts";
import {
  BACKGROUND,
  BASE,
  CHART_HEIGHT,
  CHART_WIDTH,
  GRID,
  LINES,
  PLOT_BOTTOM,
  PLOT_TOP,
  cssColour,
} from "./chart-style.ts";

/** What is plotted. */
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

/** What was plotted, and where in the picture things stand. */
export interface Plot {
  /** Red, green, blue and how opaque, a byte each, row after row. */
  readonly pixels: Uint8ClampedArray;
  /** Numbers that have a line of the grid. */
  readonly numbers: readonly number[];
  /** Where the lines begin. */
  readonly left: number;
  readonly x: (place: number) => number;
  readonly y: (value: number) => number;
}

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

/** Plots on a canvas of its own. */
export function plotLines(model: PlotModel): Plot {
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
    pixels: data,
    numbers,
    left,
    x: (place) => x.getPixelForValue(place),
    y: (value) => y.getPixelForValue(value),
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
