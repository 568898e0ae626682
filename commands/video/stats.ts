// Shows a video's statistics to everybody in the channel. Pressing a button answers that person only.
import type { Reply, Visibility } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { Context } from "../../src/discord/define/context.ts";
import { videoArgs } from "../../src/videos/video-args.ts";
import { statsCharts, videoFiguresView, videoStatsView } from "../../src/videos/video-stats-view.ts";
import type { VideoStats } from "../../src/videos/videos.ts";
import { requestOf, videoNamed, videoOption } from "../../src/videos/video-command.ts";

type StatsContext = Context<"pictures" | "videoActors" | "videos">;

async function read(context: StatsContext, videoId: string): Promise<VideoStats> {
  return context.services.videos.stats(await requestOf(context, videoId));
}

async function showStats(context: StatsContext, videoId: string, visibility: Visibility): Promise<Reply> {
  const { pictures } = context.services;
  const stats = await read(context, videoId);
  const drawn = await Promise.all(
    statsCharts(stats).map(async ({ name, description, model }) => ({
      name,
      description,
      bytes: await pictures.chart(model),
    })),
  );
  return videoStatsView(stats, drawn, visibility);
}

export default defineCommand({
  description: "Share a video's statistics with this channel",
  needs: ["videos", "videoActors", "pictures"],
  options: { video: videoOption },
  run: async ({ options, ...context }) =>
    showStats(context, await videoNamed(context, options.video), "public"),
  buttons: {
    open: {
      args: videoArgs,
      answers: "private",
      run: ({ args, ...context }) => showStats(context, args.videoId, "private"),
    },
    figures: {
      args: videoArgs,
      answers: "private",
      run: async ({ args, ...context }) => videoFiguresView(await read(context, args.videoId)),
    },
  },
});
