// Draws a line chart with Chart.js. The model contains all the words.
import type { SKRSContext2D } from "@napi-rs/canvas";
import type { ChartConfiguration, Plugin } from "chart.js";
import { loadOnce } from "../core/runs.ts";
import { listTimeTicks } from "./chart-time-ticks.ts";
import { CANVAS_FONT, cutToWidth, dotWidth, drawableText, fitText, loadDotFont } from "./dot-text.ts";

/** Points that are not finite numbers are left out. */
interface ChartPoint {
  /** Milliseconds since the epoch (1970 to 2100) on a time axis; 0 to 100 on a share axis. */
  readonly x: number;
  readonly y: number;
}

/** A whole chart. Texts that do not fit are drawn smaller, or cut with an ellipsis. */
export interface ChartModel {
  readonly title: string;
  /** e.g. `Views, as I counted them`. */
  readonly subtitle: string;
  /** Time in a named zone, dashed between points more than `dashedAfterMs` apart; or a share of 0 to 100. */
  readonly axis:
    | { readonly kind: "time"; readonly zone: string; readonly dashedAfterMs: number }
    | { readonly kind: "share"; readonly marks: readonly string[] };
  /** Written after every number, e.g. `%`; `undefined` for plain counts. */
  readonly unit: string | undefined;
  /** Written beside the line's end, below its last value, e.g. `Views`. */
  readonly name: string;
  /** In any order. If several have the same `x`, the last one counts. */
  readonly points: readonly ChartPoint[];
}

// A phone shows 1,000 pixels about 360 points wide, so letters are as large as on boards. A chart has its own
// background, so that it looks the same in Discord's dark and light themes.

export const CHART_WIDTH = 1_000;
export const CHART_HEIGHT = 520;
const MARGIN = 32;
/** The distance between the line's end and the text beside it. */
const GAP = 20;
const LONGEST_NAME = 234;
const MAX_TIMES = 6;
/** More points than this cannot be told apart. */
const MAX_POINTS = 240;
/** Up to this many points, each is marked with a dot. */
const DOTTED_POINTS = 14;

/** Pitches, i.e. distances between the letters' dots, in pixels. */
const [TITLE, MAIN, SMALL] = [5, 4, 3] as const;

const BACKGROUND = "#1e1f22";
const GRID = "#34363c";
/** The zero line. */
const BASE = "#5c5f66";
const BRIGHT = "#f2f3f5";
const DIM = "#a3a8b1";
export const LINE = "#7aa2ff";

/** The largest times and counts: beyond these, the arithmetic of the scales becomes inexact. */
const LATEST_MS = Date.UTC(2100, 0);
const LARGEST_COUNT = 1e15;
/** A shorter axis would contain no round time. */
const SHORTEST_MS = 10 * 60_000;

const loadChart = loadOnce(async () => {
  const [{ createCanvas }, chartJs] = await Promise.all([
    import("@napi-rs/canvas"),
    import("chart.js"),
    loadDotFont(),
  ]);
  const { Chart } = chartJs;
  Chart.register(
    chartJs.Decimation,
    chartJs.Filler,
    chartJs.LinearScale,
    chartJs.LineController,
    chartJs.LineElement,
    chartJs.PointElement,
    chartJs.SubTitle,
    chartJs.Title,
  );
  Chart.defaults.font = { family: CANVAS_FONT, size: 10 * SMALL };
  Chart.defaults.color = DIM;
  return { Chart, createCanvas };
});

/** Returns a PNG, 1,000 pixels wide and 520 high, of at most 80 KB. Throws a RangeError for an unknown zone. */
export async function drawChartPicture(model: ChartModel): Promise<Uint8Array> {
  const { Chart, createCanvas } = await loadChart();
  const canvas = createCanvas(CHART_WIDTH, CHART_HEIGHT);
  writeWithPlainDots(canvas.getContext("2d"));
  const chart = new Chart(canvas, configure(model));
  try {
    return await canvas.encode("png");
  } finally {
    // Otherwise Chart.js would never free a chart.
    chart.destroy();
  }
}

function configure(model: ChartModel): ChartConfiguration<"line"> {
  const { axis, unit } = model;
  const points = sortPoints(model);
  const [first, last] = [points[0], points.at(-1)];
  const write = (value: number): string => drawableText(formatChartNumber(value, unit)).slice(0, 10);
  const name = last ? cutToWidth(model.name, SMALL, LONGEST_NAME) : "";
  const end = last ? write(last.y) : "";
  const title = fitText(model.title, [TITLE, MAIN, SMALL], CHART_WIDTH - 2 * MARGIN);
  const missingMs = Math.max(0, SHORTEST_MS - ((last?.x ?? 0) - (first?.x ?? 0))) / 2;
  const span =
    axis.kind === "share"
      ? { min: 0, max: 100 }
      : { min: (first?.x ?? 0) - missingMs, max: (last?.x ?? 0) + missingMs };
  const ticks =
    axis.kind === "share"
      ? axis.marks.map((label, at) => ({ x: (100 * at) / (axis.marks.length - 1), label }))
      : listTimeTicks(span.min, span.max, axis.zone, MAX_TIMES);
  const isGap = (from: number, to: number): boolean => axis.kind === "time" && to - from > axis.dashedAfterMs;
  const labels = new Map(ticks.map(({ x, label }) => [x, drawableText(label)]));
  return {
    type: "line",
    plugins: [backgroundAndEnd(end, name)],
    data: {
      datasets: [
        {
          data: points,
          yAxisID: "y",
          borderColor: LINE,
          borderWidth: 5,
          borderCapStyle: "round",
          borderJoinStyle: "round",
          // A dashed line says that nothing was measured in between.
          segment: {
            borderDash: ({ p0, p1 }) => (isGap(p0.parsed.x ?? 0, p1.parsed.x ?? 0) ? [4, 14] : undefined),
          },
          // Points at the edges are drawn whole.
          clip: false,
          pointRadius: ({ raw }) => (raw === last ? 9 : points.length <= DOTTED_POINTS ? 6 : 0),
          pointBackgroundColor: LINE,
          pointBorderColor: BACKGROUND,
          pointBorderWidth: 3,
          backgroundColor: `${LINE}1f`,
          fill: "origin",
        },
      ],
    },
    options: {
      animation: false,
      responsive: false,
      devicePixelRatio: 1,
      events: [],
      parsing: false,
      normalized: true,
      indexAxis: "x",
      layout: {
        padding: {
          left: MARGIN,
          right: MARGIN,
          top: GAP,
          bottom: GAP,
        },
      },
      plugins: {
        decimation: { enabled: true, algorithm: "lttb", samples: MAX_POINTS, threshold: MAX_POINTS },
        title: {
          display: true,
          align: "start",
          text: title.text,
          color: BRIGHT,
          font: { size: 10 * title.pitch, weight: "normal" },
          padding: 0,
        },
        subtitle: {
          display: true,
          align: "start",
          text: cutToWidth(model.subtitle, SMALL, CHART_WIDTH - 2 * MARGIN),
          padding: { bottom: GAP },
        },
      },
      scales: {
        x: {
          type: "linear",
          ...span,
          border: { display: false },
          grid: { color: BASE, drawOnChartArea: false, tickLength: 10, tickWidth: 2 },
          ticks: { callback: (value) => labels.get(Number(value)), maxRotation: 0, autoSkipPadding: GAP },
          afterBuildTicks: (scale) => (scale.ticks = ticks.map(({ x }) => ({ value: x }))),
        },
        // Space for the text beside the line's end.
        end: {
          type: "linear",
          axis: "y",
          position: "right",
          grid: { display: false },
          ticks: { display: false },
          border: { display: false },
          afterFit: (scale) => (scale.width = GAP + Math.max(dotWidth(end, MAIN), dotWidth(name, SMALL))),
        },
        y: {
          type: "linear",
          beginAtZero: true,
          ...(points.every(({ y }) => y === 0) && { suggestedMax: 1 }),
          border: { display: false },
          grid: {
            color: ({ tick }: { readonly tick?: { readonly value: number } }) =>
              tick?.value === 0 ? BASE : GRID,
            lineWidth: 2,
            drawTicks: false,
          },
          ticks: {
            callback: (value) => write(Number(value)),
            padding: GAP,
            maxTicksLimit: 5,
            ...(points.every(({ y }) => Number.isInteger(y)) && { precision: 0 }),
          },
        },
      },
    },
  };
}

function sortPoints({ points, axis }: ChartModel): ChartPoint[] {
  const furthest = axis.kind === "share" ? 100 : LATEST_MS;
  const byPlace = new Map<number, ChartPoint>();
  for (const { x, y } of points) {
    if (Number.isFinite(x) && Number.isFinite(y)) {
      const place = Math.min(furthest, Math.max(0, x));
      byPlace.set(place, { x: place, y: Math.min(LARGEST_COUNT, Math.max(-LARGEST_COUNT, y)) });
    }
  }
  return [...byPlace.values()].toSorted((a, b) => a.x - b.x);
}

/** Draws what Chart.js has no option for: the background, and the last value beside the line's end. */
function backgroundAndEnd(value: string, name: string): Plugin<"line"> {
  return {
    id: "background-and-end",
    beforeDraw({ ctx }) {
      ctx.fillStyle = BACKGROUND;
      ctx.fillRect(0, 0, CHART_WIDTH, CHART_HEIGHT);
    },
    afterDatasetsDraw(chart) {
      const { ctx, chartArea } = chart;
      const end = chart.getDatasetMeta(0).data.at(-1);
      const y = Math.min(end?.y ?? 0, chartArea.bottom - 32);
      ctx.fillStyle = LINE;
      ctx.textAlign = "left";
      for (const [text, pitch, offset] of [
        [value, MAIN, 0],
        [name, SMALL, 32],
      ] as const) {
        ctx.font = `${10 * pitch}px ${CANVAS_FONT}`;
        ctx.fillText(text, chartArea.right + GAP, y + offset);
      }
    },
  };
}

/** Doto's colon and full stop are crosses, so `17:31` would read as `17‡31`. This draws shifted middle dots instead. */
function writeWithPlainDots(context: SKRSContext2D): void {
  const write = context.fillText.bind(context);
  context.fillText = (text, x, y, ...rest) => {
    const em = Number.parseFloat(context.font);
    const dots = (character: string, rise: number): void =>
      write(
        text.replace(/[^]/g, (letter) => (letter === character ? "·" : " ")),
        x,
        y - rise * em,
        ...rest,
      );
    write(text.replace(/[:.]/g, " "), x, y, ...rest);
    dots(":", 0.15);
    dots(":", -0.15);
    dots(".", -0.3);
  };
}

const COMPACT = { notation: "compact", maximumSignificantDigits: 3 } as const;
const PLAIN = { maximumSignificantDigits: 3, useGrouping: false } as const;

/** At most three digits and a letter, e.g. `0.25`, `950`, `1.2k`, `34M`, and then the unit, e.g. `40%`. */
export function formatChartNumber(value: number, unit: string | undefined): string {
  const size = Math.abs(value);
  // Rounding errors of a scale may leave a tiny number instead of zero.
  const exact = size < 1e-9 ? 0 : value;
  // en-GB has no letter for a billion. Creating a NumberFormat at the start would cost 6 MB.
  const number =
    size < 999.5
      ? exact.toLocaleString("en-GB", PLAIN)
      : exact.toLocaleString("en-US", COMPACT).replace("K", "k");
  return `${number}${unit ?? ""}`;
}
