import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { guildOf } from "../../src/videos/settings/video-rules.ts";
import { listArgs } from "../../src/videos/video-args.ts";
import { showVideo, VIDEO_NEEDS, type VideoContext } from "../../src/videos/video-command.ts";
import { videoListView } from "../../src/videos/video-view.ts";

async function showPage({ services, where }: VideoContext, after: string | undefined): Promise<Reply> {
  return videoListView(await services.videos.list(guildOf(where), after), after);
}

export default defineCommand({
  description: "List this server's videos and open one",
  needs: VIDEO_NEEDS,
  defer: "private",
  run: (context) => showPage(context, undefined),
  selects: {
    open: { run: ({ chosen, ...context }) => showVideo(context, chosen[0] ?? "") },
  },
  buttons: {
    page: { args: listArgs, run: ({ args, ...context }) => showPage(context, args.after) },
    first: { run: (context) => showPage(context, undefined) },
  },
});
