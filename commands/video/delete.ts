import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { videoArgsSchema } from "../../src/views/video-args.ts";
import { deleteQuestionView, videoDeletedView } from "../../src/views/video-delete-view.ts";
import { unknownOutcomeView } from "../../src/views/video-unknown-view.ts";
import { askedBy, hereOrBeside, VIDEO_NEEDS, videoOption, type VideoContext } from "./list.ts";

async function ask(context: VideoContext, videoId: string, isSure: boolean): Promise<Reply> {
  const { guildId, by } = await askedBy(context, videoId);
  return deleteQuestionView(await context.services.videos.show(guildId, videoId, by), isSure);
}

export default defineCommand({
  description: "Delete a video from the video service; I ask twice before I do",
  needs: VIDEO_NEEDS,
  defer: "private",
  options: { video: videoOption },
  run: ({ options, ...context }) => ask(context, options.video, false),
  buttons: {
    open: {
      args: videoArgsSchema,
      answers: hereOrBeside,
      run: ({ args, ...context }) => ask(context, args.videoId, false),
    },
    sure: {
      args: videoArgsSchema,
      answers: hereOrBeside,
      run: ({ args, ...context }) => ask(context, args.videoId, true),
    },
    delete: {
      args: videoArgsSchema,
      answers: hereOrBeside,
      async run({ args: { videoId }, ...context }) {
        const { guildId, by } = await askedBy(context, videoId);
        const outcome = await context.services.videos.delete(guildId, videoId, by);
        return outcome === "done"
          ? videoDeletedView()
          : unknownOutcomeView("the video was deleted", videoId, "show");
      },
    },
  },
});
