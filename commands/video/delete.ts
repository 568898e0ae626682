import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { confirmDeleteView, videoDeletedView } from "../../src/videos/video-view.ts";
import {
  VIDEO_NEEDS,
  type VideoContext,
  answerWrite,
  requestOf,
  onVideo,
  videoNamed,
  videoOption,
} from "../../src/videos/video-command.ts";

async function ask(context: VideoContext, videoId: string, isSure: boolean): Promise<Reply> {
  return confirmDeleteView(
    await context.services.videos.readToDelete(await requestOf(context, videoId)),
    isSure,
  );
}

function remove(context: VideoContext, videoId: string, onlyOffList: boolean): Promise<Reply> {
  return answerWrite(
    context,
    { videoId, what: "the video was deleted", shownBy: "show" },
    (videos, asked) => videos.delete(asked, onlyOffList),
    (outcome) => videoDeletedView(outcome === "gone"),
  );
}

export default defineCommand({
  description: "Delete a video for good (I'll ask twice)",
  needs: VIDEO_NEEDS,
  defer: "private",
  options: { video: videoOption },
  run: async ({ options, ...context }) => ask(context, await videoNamed(context, options.video), false),
  buttons: {
    open: onVideo((context, { videoId }) => ask(context, videoId, false)),
    sure: onVideo((context, { videoId }) => ask(context, videoId, true)),
    delete: onVideo((context, { videoId }) => remove(context, videoId, false)),
    remove: onVideo((context, { videoId }) => remove(context, videoId, true)),
  },
});
