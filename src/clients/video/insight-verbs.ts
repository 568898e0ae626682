// Statistics. The service refuses a whole question for one metric that it no longer has, so it is asked in groups.
import { z } from "zod";
import type { VideoAccount } from "./account.ts";
import type { VideoDoor } from "./door.ts";
import { VideoRefusal } from "./refusal.ts";
import { list } from "./values.ts";

/** What the service keeps count of, by its own names, over a video's whole life. */
export interface VideoInsights {
  readonly counts: ReadonlyMap<string, number>;
  /** e.g. reactions by type, views by country. */
  readonly breakdowns: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** The share of viewers still there at each of 40 moments, 0 to 1; `undefined` where it is not told. */
  readonly retention: readonly number[] | undefined;
  /** Metrics that the service no longer has: they are gone, not zero. */
  readonly gone: readonly string[];
}

/** Verbs of the client. */
export interface InsightVerbs {
  /** Takes several requests; throws as {@link VideoDoor} does. What has no value yet is in none of the maps. */
  insights(account: VideoAccount, videoId: string): Promise<VideoInsights>;
}

const RETENTION = "total_video_retention_graph";

/** Those that are asked for together. Impressions and reach went with v26.0. */
const GROUPS: readonly (readonly string[])[] = [
  ["total_video_views", "total_video_15s_views", "total_video_complete_views", "total_video_view_total_time"],
  ["total_video_views_organic", "total_video_views_paid"],
  ["total_video_views_autoplayed", "total_video_views_clicked_to_play"],
  [RETENTION, "total_video_reactions_by_type_total"],
  ["total_video_views_by_country_id", "total_video_views_by_age_bucket_and_gender"],
];

const metricSchema = z.object({
  name: z.string(),
  values: list(z.object({ value: z.union([z.number(), z.record(z.string(), z.number())]) })),
});

const insightsSchema = z.object({ data: list(metricSchema) });

type Metric = z.output<typeof metricSchema>;

export function createInsightVerbs(door: VideoDoor): InsightVerbs {
  /** For all accounts: the service retires metrics for everybody. */
  const retired = new Set<string>();

  async function ask(account: VideoAccount, videoId: string, names: readonly string[]): Promise<Metric[]> {
    const metric = names.filter((name) => !retired.has(name));
    if (metric.length === 0) {
      return [];
    }
    const query = { metric: metric.join(","), period: "lifetime" };
    const call = { verb: "insights", method: "GET", path: [videoId, "video_insights"], query } as const;
    try {
      return (await door.ask(account, call, insightsSchema)).data;
    } catch (error) {
      if (!isAboutMetric(error)) {
        throw error;
      }
      const [only] = metric;
      if (metric.length === 1 && only !== undefined) {
        retired.add(only);
        return [];
      }
      const found: Metric[] = [];
      for (const name of metric) {
        found.push(...(await ask(account, videoId, [name])));
      }
      return found;
    }
  }

  return {
    async insights(account, videoId) {
      const metrics: Metric[] = [];
      for (const names of GROUPS) {
        metrics.push(...(await ask(account, videoId, names)));
      }
      return arrange(metrics, [...retired]);
    },
  };
}

/** 3001/1504028 is what other versions say. An object that is gone has a subcode of its own. */
function isAboutMetric(error: unknown): boolean {
  return (
    error instanceof VideoRefusal &&
    (error.code === 3001 || (error.code === 100 && error.trouble === "bad-request"))
  );
}

function arrange(metrics: readonly Metric[], gone: readonly string[]): VideoInsights {
  const counts = new Map<string, number>();
  const breakdowns = new Map<string, Readonly<Record<string, number>>>();
  for (const { name, values } of metrics) {
    const value = values[0]?.value;
    if (typeof value === "number") {
      counts.set(name, value);
    } else if (value !== undefined && Object.keys(value).length > 0) {
      breakdowns.set(name, value);
    }
  }
  const graph = breakdowns.get(RETENTION);
  breakdowns.delete(RETENTION);
  return { counts, breakdowns, retention: graph && readRetention(graph), gone };
}

/** Keyed by the number of the moment, "0" to "40". */
function readRetention(graph: Readonly<Record<string, number>>): readonly number[] {
  return Object.entries(graph)
    .filter(([key]) => /^\d+$/.test(key))
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, share]) => Math.min(1, Math.max(0, share)));
}
