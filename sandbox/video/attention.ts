// The views, likes and shares of a video: invented, repeatable, and never decreasing.
import type { Video } from "./entities.ts";
import { progressOf } from "./progress.ts";

export interface Attention {
  readonly views: number;
  readonly likes: number;
  readonly shares: number;
}

/** The number of views that a video approaches, and how many minutes it takes to reach half of it. */
const AUDIENCE = 900;
const HALF_MINUTES = 240;

export function attentionFor(video: Video, nowMs: number): Attention {
  const { publishedAtMs } = progressOf(video, nowMs);
  const minutes = publishedAtMs === undefined ? 0 : (nowMs - publishedAtMs) / 60_000;
  const views = Math.floor((AUDIENCE * minutes) / (minutes + HALF_MINUTES));
  return { views, likes: Math.floor(views / 17), shares: Math.floor(views / 40) };
}
