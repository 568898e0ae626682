// The videos of a server. The other commands for one video take from here how a video is named and found.
import type { Reply } from "../../src/core/reply.ts";
import { UserError } from "../../src/core/errors.ts";
import {
  defineCommand,
  type ChoosePlace,
  type Completing,
  type Context,
  type Suggestion,
  type Where,
} from "../../src/discord/define.ts";
import { listArgsSchema, type VideoArgs } from "../../src/views/video-args.ts";
import { videoListView } from "../../src/views/video-list-view.ts";
import { videoView } from "../../src/views/video-show-view.ts";

/** What commands that look after videos are made with. */
export const VIDEO_NEEDS = ["videos"] as const;

export type VideoContext = Context<"videos">;

/** The server where something was asked. Throws a UserError outside of one. */
export function guildOf({ guildId }: Where): string {
  if (guildId === undefined) {
    throw new UserError("Videos belong to servers. Please use that in a server.");
  }
  return guildId;
}

/** Where, and by whom, something is asked. */
export function askedBy({ where, caller }: Pick<VideoContext, "where" | "caller">) {
  return { guildId: guildOf(where), by: { userId: caller.id, roleIds: caller.roles } };
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
  const { guildId, by } = askedBy(context);
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
