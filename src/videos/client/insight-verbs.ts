// Statistics. The service refuses a whole question for one metric that it no longer has, so it is asked in groups.
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { VideoAccount } from "./who-am-i.ts";
import type { VideoApi } from "./video-api.ts";
import { VideoRefusal } from "./refusal.ts";
import { amount, list } from "./read-values.ts";

/** What people ask for first. */
const MAIN = [
  "total_video_views",
  "total_video_15s_views",
  "total_video_complete_views",
  "total_video_view_total_time",
] as const;

/** Those that are asked for together. Impressions and reach went with v26.0. */
const OTHERS = [
  ["total_video_views_organic", "total_video_views_paid"],
  ["total_video_views_autoplayed", "total_video_views_clicked_to_play"],
  ["total_video_retention_graph", "total_video_reactions_by_type_total"],
  ["total_video_views_by_country_id", "total_video_views_by_age_bucket_and_gender"],
] as const;

/** What is counted of Reels, of which the service may count nothing else. */
const OF_REELS = [
  "blue_reels_play_count",
  "fb_reels_replay_count",
  "post_video_view_time",
  "post_video_followers",
  "post_video_likes_by_reaction_type",
] as const;

/** So many without a single answer are the video's doing: it is too old, or not a Page's. */
const ENOUGH_REFUSED = MAIN.length + OF_REELS.length;
/** What one kind of video lacks another may have: it is asked for again. */
const GONE_FOR_MS = 24 * 3_600_000;

/** What has come of asking about a video, so far. */
interface Inquiry {
  readonly metrics: Metric[];
  /** By metric, what was said when it was asked for by itself. */
  readonly refused: Map<string, VideoRefusal>;
  isAnswered: boolean;
}

export function createInsightVerbs(api: VideoApi, clock: Clock) {
  /** Until when a metric counts as gone, for all accounts: the service retires metrics for everybody. */
  const goneUntilMs = new Map<string, number>();
  const isGone = (name: string): boolean => (goneUntilMs.get(name) ?? 0) > clock.elapsed();

  return {
    /** Takes several requests; throws as {@link VideoApi} does. What has no value yet is in none of the maps. */
    async insights(account: VideoAccount, videoId: string): Promise<VideoInsights> {
      const inquiry: Inquiry = { metrics: [], refused: new Map(), isAnswered: false };
      await askGroup(MAIN);
      if (!inquiry.metrics.some(({ name, values }) => name === MAIN[0] && values.length > 0)) {
        await askGroup(OF_REELS);
      }
      for (const names of OTHERS) {
        await askGroup(names);
      }
      for (const name of inquiry.refused.keys()) {
        goneUntilMs.set(name, clock.elapsed() + GONE_FOR_MS);
      }
      return readInsights(inquiry.metrics, [...MAIN, ...OTHERS.flat()].filter(isGone));

      async function askGroup(names: readonly string[]): Promise<void> {
        const left = names.filter((name) => !isGone(name));
        if (left.length > 0) {
          await ask(left);
        }
        const [refusal] = inquiry.refused.values();
        if (refusal !== undefined && !inquiry.isAnswered && inquiry.refused.size >= ENOUGH_REFUSED) {
          throw refusal;
        }
      }

      /** Asks for all at once; where they are refused because of one, for each by itself. */
      async function ask(names: readonly string[]): Promise<void> {
        const query = { metric: names.join(","), period: "lifetime" };
        const path = [videoId, "video_insights"];
        const call = { verb: "insights", method: "GET", path, query } as const;
        try {
          inquiry.metrics.push(...(await api.ask(account, call, insightsSchema)).data);
          inquiry.isAnswered = true;
        } catch (error) {
          if (!(error instanceof VideoRefusal) || !isAboutMetric(error)) {
            throw error;
          }
          const [only] = names;
          if (names.length === 1 && only !== undefined) {
            inquiry.refused.set(only, error);
            return;
          }
          for (const name of names) {
            await ask([name]);
          }
        }
      }
    },
  };
}

/** 3001/1504028 is what other versions say. An object that is gone has a subcode of its own. */
function isAboutMetric({ code, trouble }: VideoRefusal): boolean {
  return code === 3001 || (code === 100 && trouble === "bad-request");
}

// Statistics as the service tells of them.

/** What the service keeps count of, by its own names, over a video's whole life. */
export interface VideoInsights {
  readonly counts: ReadonlyMap<string, number>;
  /** e.g. reactions by type, views by country. */
  readonly breakdowns: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** The share of viewers still there at each of 40 moments, 0 to 1; `undefined` where it is not told. */
  readonly retention: readonly number[] | undefined;
  /** Metrics that the service no longer has, those of Reels apart: they are gone, not zero. */
  readonly gone: readonly string[];
}

const RETENTION = "total_video_retention_graph";

/** Numbers by name; odd ones are left out. */
const amounts = z.record(z.string(), z.unknown()).transform((record) =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, number][] => {
      const read = amount.safeParse(value);
      return read.success ? [[name, read.data]] : [];
    }),
  ),
);

const metricSchema = z.object({
  name: z.string(),
  values: list(z.object({ value: z.union([amount, amounts]) })),
});

const insightsSchema = z.object({ data: list(metricSchema) });

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

/** Keyed by the number of the moment, "0" to "40". */
function readRetention(graph: Readonly<Record<string, number>>): readonly number[] {
  return Object.entries(graph)
    .filter(([key]) => /^\d{1,2}$/.test(key))
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, share]) => Math.min(1, share));
}
