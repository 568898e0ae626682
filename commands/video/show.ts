import { defineCommand } from "../../src/discord/define.ts";
import { onVideo, showVideo, VIDEO_NEEDS, videoNamed, videoOption } from "../../src/videos/video-command.ts";

export default defineCommand({
  description: "See how far a video is, how many have seen it, and what you can do with it",
  needs: VIDEO_NEEDS,
  defer: "private",
  options: { video: videoOption },
  run: async ({ options, ...context }) => showVideo(context, await videoNamed(context, options.video)),
  buttons: { open: onVideo((context, { videoId }) => showVideo(context, videoId)) },
});
