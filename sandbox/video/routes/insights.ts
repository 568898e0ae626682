// The route for a video's statistics, only over its whole lifetime. One unknown metric fails the whole request.
import { Hono } from "hono";
import { type Attention, attentionFor } from "../attention.ts";
import type { VideoContext, VideoEnv } from "../context.ts";
import { gone, wrongParameter } from "../graph-error.ts";
import { checkIsPage, checkPermission } from "../caller.ts";
import { progressOf } from "../progress.ts";

/** The metrics that the service still has, calculated from a video's attention; `{}` for breakdowns without data. */
const METRICS: Readonly<Record<string, (attention: Attention) => unknown>> = {
  total_video_views: ({ views }) => views,
  total_video_views_organic: ({ views }) => views,
  total_video_views_paid: () => 0,
  total_video_views_autoplayed: ({ views }) => Math.floor(views * 0.7),
  total_video_views_clicked_to_play: ({ views }) => Math.ceil(views * 0.3),
  total_video_15s_views: ({ views }) => Math.floor(views * 0.5),
  total_video_complete_views: ({ views }) => Math.floor(views * 0.2),
  // Milliseconds.
  total_video_view_total_time: ({ views }) => views * 9_500,
  total_video_retention_graph: ({ views }) => (views === 0 ? {} : formatRetention()),
  total_video_reactions_by_type_total: ({ likes }) => (likes === 0 ? {} : { like: likes, love: 1 }),
  total_video_views_by_age_bucket_and_gender: ({ views }) => (views === 0 ? {} : { "U.25-34": views }),
  total_video_views_by_country_id: ({ views }) => (views === 0 ? {} : { GB: views }),
};

const REELS_METRICS: typeof METRICS = {
  blue_reels_play_count: ({ views }) => views,
  fb_reels_replay_count: ({ views }) => Math.floor(views * 0.1),
  // Milliseconds.
  post_video_view_time: ({ views }) => views * 9_500,
  post_video_followers: ({ likes }) => Math.floor(likes / 10),
  post_video_likes_by_reaction_type: ({ likes }) => (likes === 0 ? {} : { REACTION_LIKE: likes }),
};

export function createInsights({ clock, store, settings }: VideoContext): Hono<VideoEnv> {
  return new Hono<VideoEnv>().get("/:id/video_insights", (request) => {
    const { caller } = request.get("call");
    const id = request.req.param("id");
    const video = store.videos.get(id);
    checkIsPage(caller);
    if (video === undefined || caller.ownerId !== video.pageId) {
      throw gone(id);
    }
    checkPermission(caller, "read_insights");
    const counted = settings.countsAsReels ? REELS_METRICS : METRICS;
    const left = Object.keys({ ...METRICS, ...REELS_METRICS }).filter(
      (name) => !settings.retiredMetrics.has(name),
    );
    const names = request.req.query("metric")?.split(",") ?? left;
    const unknown = names.findIndex((name) => !left.includes(name));
    if (unknown !== -1) {
      throw wrongParameter(`metric[${unknown}] must be one of the following values: ${left.join(", ")}`);
    }
    if ((request.req.query("period") ?? "lifetime") !== "lifetime") {
      throw wrongParameter("period must be one of the following values: lifetime");
    }
    const nowMs = clock.now();
    const attention = attentionFor(video, nowMs);
    const { isPublished } = progressOf(video, nowMs);
    const data = names.map((name) => {
      const value = isPublished ? counted[name]?.(attention) : undefined;
      const values = value === undefined ? [] : [{ value }];
      return { name, period: "lifetime", values, id: `${id}/video_insights/${name}/lifetime` };
    });
    return request.json({ data, paging: {} });
  });
}

/** The share of viewers left at each end of forty intervals. */
function formatRetention(): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Array.from({ length: 41 }, (_, at) => [String(at), Math.round((0.25 + 0.75 * 0.9 ** at) * 1000) / 1000]),
  );
}
