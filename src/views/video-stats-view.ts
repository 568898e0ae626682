// How a video does: pictures where there is something to draw, and the same in words and numbers.
import type { ContentBlock, Reply, ReplyFile, Visibility } from "../core/reply.ts";
import type { VideoStats } from "../services/videos/videos.ts";
import { ACCENT } from "./accent.ts";
import { countLine, growthWords, insightLines, retentionWords, samplesTable } from "./video-stats-words.ts";
import { videoButton } from "./video-buttons.ts";
import { videoTitle } from "./video-words.ts";

/** `pictures` are those of `statsCharts`, drawn; none where they could not be. */
export function videoStatsView(
  { video, samples, insights, timeZone }: VideoStats,
  pictures: readonly ReplyFile[],
  visibility: Visibility,
): Reply {
  const growth = growthWords(samples, timeZone);
  const retention = typeof insights === "string" ? undefined : retentionWords(insights.retention);
  const head = [`### How ${videoTitle(video.title, 120)} does`, `**${countLine(video)}**`];
  const numbers = [
    growth ??
      "This is my first look. I look every hour while a video is new, then less often: a curve comes with time.",
    ...(growth === undefined ? [] : [samplesTable(samples, timeZone), `-# Times of ${timeZone}.`]),
  ];
  const blocks: ContentBlock[] = [
    { type: "text", text: head.join("\n") },
    // Each in a gallery of its own: side by side Discord cuts them square, and their axes with it.
    ...pictures.map(({ name }) => ({ type: "gallery" as const, items: [{ file: name }] })),
    { type: "text", text: numbers.join("\n") },
    {
      type: "text",
      text: [...(retention === undefined ? [] : [retention]), ...insightLines(insights)].join("\n"),
    },
    {
      type: "buttons",
      buttons: [videoButton("show", video.id), videoButton("stats", video.id, { label: "Look again" })],
    },
  ];
  return { visibility, blocks: [{ type: "container", accent: ACCENT, blocks }], files: pictures };
}
