import { defineCommand } from "../../src/discord/define.ts";
import { onVideo, showVideo, VIDEO_NEEDS, videoNamed, videoOption } from "../../src/videos/video-command.ts";

export default defineCommand({
  description: "See a video's progress and figures, and what you can do with it",
  needs: VIDEO_NEEDS,
  defer: "private",
  options: { video: videoOption },
  run: async ({ options, ...context }) => showVideo(context, await videoNamed(context, options.video)),
  buttons: {
    open: onVideo((context, { videoId }) => showVideo(context, videoId)),
  },
});
