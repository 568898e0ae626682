// What the pictures of a video's statistics show. Everything in them stands beside them in words as well.
import type { ChartModel } from "../render/chart-model.ts";
import type { VideoStats } from "../services/videos/videos.ts";
import { retentionWords, growthWords } from "./video-stats-words.ts";
import { oneLine } from "./video-words.ts";

/** A picture to draw. */
export interface StatsChart {
  /** Of its file. */
  readonly name: string;
  /** What it shows: the alt text. */
  readonly description: string;
  readonly model: ChartModel;
}

const TITLE_LENGTH = 60;

/** None where there is nothing to be seen yet. */
export function statsCharts(stats: VideoStats): readonly StatsChart[] {
  return [viewsChart(stats), retentionChart(stats)].filter((chart) => chart !== undefined);
}

/** A line needs two points. */
function viewsChart({ video, samples, timeZone }: VideoStats): StatsChart | undefined {
  const points = samples.flatMap(({ atMs, views }) => (views === undefined ? [] : [{ x: atMs, y: views }]));
  if (points.length < 2) {
    return undefined;
  }
  const title = oneLine(video.title ?? "A video without a title", TITLE_LENGTH);
  const growth = (growthWords(samples, timeZone) ?? "").replaceAll("**", "");
  return {
    name: "views.png",
    description: `Line of views over time: ${title}. ${growth}`,
    model: {
      title,
      subtitle: "Views, as I counted them",
      axis: { kind: "time", zone: timeZone },
      unit: undefined,
      series: [{ name: "Views", points }],
      notice: "No views yet",
    },
  };
}

function retentionChart({ video, insights }: VideoStats): StatsChart | undefined {
  const retention = typeof insights === "string" ? undefined : insights.retention;
  const words = retentionWords(retention);
  if (retention === undefined || words === undefined) {
    return undefined;
  }
  const title = oneLine(video.title ?? "A video without a title", TITLE_LENGTH);
  return {
    name: "still-watching.png",
    description: `Line of how many are still watching, from the video's beginning to its end. ${words.replaceAll("**", "")}`,
    model: {
      title,
      subtitle: "Who is still watching, as the service counts them",
      axis: { kind: "share" },
      unit: "%",
      series: [
        {
          name: "Watching",
          points: retention.map((share, at) => ({ x: (100 * at) / (retention.length - 1), y: 100 * share })),
        },
      ],
      notice: "Not known yet",
    },
  };
}
