// How a video does, for everybody in the channel; a press on a button answers the person alone.
import type { Reply, Visibility } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { Context } from "../../src/discord/define/context.ts";
import { videoArgs } from "../../src/videos/video-args.ts";
import { statsCharts, videoStatsView } from "../../src/videos/video-stats-view.ts";
import { askedBy, videoNamed, videoOption } from "../../src/videos/video-command.ts";

async function showStats(
  context: Context<"pictures" | "videoActors" | "videos">,
  videoId: string,
  visibility: Visibility,
): Promise<Reply> {
  const { videos, pictures } = context.services;
  const { guildId, by } = await askedBy(context, videoId);
  const stats = await videos.stats(guildId, videoId, by);
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
  description: "Show everyone here how a video does, and who keeps watching",
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
  },
});
