// The service refuses a whole request because of one retired metric, so they are requested in groups.
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { VideoAccount } from "./account.ts";
import type { VideoApi } from "./video-api.ts";
import { VideoRefusal } from "./refusal.ts";
import { amount, looseAmount, looseList } from "./read-values.ts";

const MAIN_METRICS = [
  "total_video_views",
  "total_video_15s_views",
  "total_video_complete_views",
  "total_video_view_total_time",
] as const;

/** Metrics that are requested together. Impressions and reach were retired with v26.0. */
const OTHER_METRIC_GROUPS = [
  ["total_video_views_organic", "total_video_views_paid"],
  ["total_video_views_autoplayed", "total_video_views_clicked_to_play"],
  ["total_video_retention_graph", "total_video_reactions_by_type_total"],
  ["total_video_views_by_country_id", "total_video_views_by_age_bucket_and_gender"],
] as const;

/** Metrics of Reels, for which the service may have no others. */
const REELS_METRICS = [
  "blue_reels_play_count",
  "fb_reels_replay_count",
  "post_video_view_time",
  "post_video_followers",
  "post_video_likes_by_reaction_type",
] as const;

/** A metric that one kind of video lacks may exist for another, so it is requested again after this time. */
const GONE_FOR_MS = 24 * 3_600_000;

export function createInsightVerbs(api: VideoApi, clock: Clock) {
  /** Until when a metric is treated as retired, for all accounts, because the service retires metrics for everybody. */
  const goneUntilMs = new Map<string, number>();
  const isGone = (name: string): boolean => (goneUntilMs.get(name) ?? 0) > clock.elapsed();

  return {
    /** Sends several requests; throws as {@link VideoApi} does. A metric that has no value yet is in none of the maps. */
    async insights(account: VideoAccount, videoId: string): Promise<VideoInsights> {
      const answers: Metric[][] = [];
      /** The refusal of each metric that was requested alone. */
      const refused = new Map<string, VideoRefusal>();

      /** Requests all metrics together; if the service refuses because of one of them, requests each alone. */
      async function ask(names: readonly string[]): Promise<void> {
        const [first, ...others] = names.filter((name) => !isGone(name));
        if (first === undefined) {
          return;
        }
        const query = { metric: [first, ...others].join(","), period: "lifetime" };
        const path = [videoId, "video_insights"];
        try {
          answers.push((await api.get(account, "insights", path, query, insightsSchema)).data);
        } catch (error) {
          if (!(error instanceof VideoRefusal) || error.trouble !== "bad-request") {
            throw error;
          }
          if (others.length === 0) {
            refused.set(first, error);
            return;
          }
          for (const name of [first, ...others]) {
            await ask([name]);
          }
        }
      }

      await ask(MAIN_METRICS);
      const [views] = answers.flat().find(({ name }) => name === MAIN_METRICS[0])?.values ?? [];
      // A metric without a value may be an empty map.
      if (typeof views?.value !== "number") {
        await ask(REELS_METRICS);
      }
      const [refusal] = refused.values();
      if (refusal !== undefined && answers.length === 0) {
        // If every metric is refused, the reason is the video: it is too old, or does not belong to a Page.
        throw refusal;
      }
      for (const names of OTHER_METRIC_GROUPS) {
        await ask(names);
      }
      for (const name of refused.keys()) {
        goneUntilMs.set(name, clock.elapsed() + GONE_FOR_MS);
      }
      return readInsights(answers.flat(), [...MAIN_METRICS, ...OTHER_METRIC_GROUPS.flat()].filter(isGone));
    },
  };
}

/** The service's figures over a video's whole life, by its own names. */
export interface VideoInsights {
  readonly counts: ReadonlyMap<string, number>;
  /** Figures by category, e.g. reactions by type or views by country. */
  readonly breakdowns: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** The share of viewers still watching, 0 to 1, at each of 40 points; `undefined` if not given. */
  readonly retention: readonly number[] | undefined;
  /** Metrics that the service has retired, apart from those of Reels. They are missing, not zero. */
  readonly gone: readonly string[];
}

const RETENTION = "total_video_retention_graph";

/** Numbers by name; entries that are not numbers are left out. */
const amounts = z
  .record(z.string(), looseAmount)
  .transform((record) =>
    Object.fromEntries(
      Object.entries(record).filter((entry): entry is [string, number] => entry[1] !== undefined),
    ),
  );

const metricSchema = z.object({
  name: z.string(),
  values: looseList(z.object({ value: z.union([amount, amounts]) })),
});

const insightsSchema = z.object({ data: looseList(metricSchema) });

type Metric = z.output<typeof metricSchema>;

function readInsights(metrics: readonly Metric[], gone: readonly string[]): VideoInsights {
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

/** The graph's keys are the numbers of the points, "0" to "40". */
function readRetention(graph: Readonly<Record<string, number>>): readonly number[] {
  return Object.entries(graph)
    .filter(([key]) => /^\d{1,2}$/.test(key))
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, share]) => Math.min(1, share));
}
