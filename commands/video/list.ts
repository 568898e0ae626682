// The videos of a server. The other commands for one video take from here how a video is named and found.
import type { Reply } from "../../src/core/reply.ts";
import {
  defineCommand,
  type ChoosePlace,
  type Completing,
  type Context,
  type Suggestion,
} from "../../src/discord/define.ts";
import { guildOf, type ServerActor } from "../../src/services/video-actors/video-actors.ts";
import { listArgsSchema, type VideoArgs } from "../../src/views/video-args.ts";
import { videoListView } from "../../src/views/video-list-view.ts";
import { videoView } from "../../src/views/video-show-view.ts";

/** What commands that look after videos are made with. */
export const VIDEO_NEEDS = ["videos", "videoActors"] as const;

export type VideoContext = Context<(typeof VIDEO_NEEDS)[number]>;

/** Who asks about a video, and for which server: the buttons of its message stand in conversations as well. */
export function askedBy({ services, where, caller }: VideoContext, videoId: string): Promise<ServerActor> {
  return services.videoActors.ofVideo(videoId, { caller, where }, "look after a video");
}

/** An option that takes a video of this server. Its value is the video's id. */
export const videoOption = {
  type: "string",
  description: "Which video; pick one from the list as you type",
  required: true,
  maxLength: 100,
  autocomplete: ({ text, where, services }: Completing<"videos">): Promise<readonly Suggestion[]> =>
    services.videos.suggest(guildOf(where), text),
} as const;

/** On a message of the person's own the answer takes its place; beside one of all it is for them alone. */
export const hereOrBeside: ChoosePlace<Pick<VideoArgs, "isHere">> = ({ args }) =>
  args.isHere ? "update" : "private";

/** Shows one video with its buttons. */
export async function showVideo(context: VideoContext, videoId: string, done?: string): Promise<Reply> {
  const { guildId, by } = await askedBy(context, videoId);
  return videoView(await context.services.videos.show(guildId, videoId, by), done);
}

async function showPage({ services, where }: VideoContext, after: string | undefined): Promise<Reply> {
  return videoListView(await services.videos.list(guildOf(where), after), after);
}

export default defineCommand({
  description: "The videos of this server, with a menu to open one",
  needs: VIDEO_NEEDS,
  defer: "private",
  run: (context) => showPage(context, undefined),
  selects: {
    open: { args: listArgsSchema, run: ({ chosen, ...context }) => showVideo(context, chosen[0] ?? "") },
  },
  buttons: {
    page: { args: listArgsSchema, run: ({ args, ...context }) => showPage(context, args.a) },
    first: { args: listArgsSchema, run: (context) => showPage(context, undefined) },
  },
});
