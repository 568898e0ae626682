import { defineCommand } from "../../src/discord/define.ts";
import { videoArgsSchema } from "../../src/views/video-args.ts";
import { hereOrBeside, showVideo, VIDEO_NEEDS, videoOption } from "./list.ts";

export default defineCommand({
  description: "Show a video: how far it is, how many have seen it, and what you can do with it",
  needs: VIDEO_NEEDS,
  defer: "private",
  options: { video: videoOption },
  run: ({ options, ...context }) => showVideo(context, options.video),
  buttons: {
    open: {
      args: videoArgsSchema,
      answers: hereOrBeside,
      run: ({ args, ...context }) => showVideo(context, args.videoId),
    },
  },
});
