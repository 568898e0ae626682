// What the subcommands of /video for published videos share: how a video is named and found, and a video or a comment as
// the answer.
import { UserError } from "../core/errors.ts";
import type { Reply } from "../core/reply.ts";
import { type ChooseAnswerMode, pressed } from "../discord/define/components.ts";
import type { Answer, Context } from "../discord/define/context.ts";
import type { Completing, Suggestion } from "../discord/define/options.ts";
import type { WriteOutcome } from "./own-video.ts";
import { guildOf, type ServerActor } from "./settings/video-actors.ts";
import type { Actor } from "./settings/video-rules.ts";
import { type CommentArgs, type VideoArgs, videoArgs } from "./video-args.ts";
import { commentView } from "./video-comments-view.ts";
import { unknownOutcomeView, videoView } from "./video-show-view.ts";
import type { Videos } from "./videos.ts";

export const VIDEO_NEEDS = ["videos", "videoActors"] as const;

export type VideoContext = Context<(typeof VIDEO_NEEDS)[number]>;

/** Who asks about a video, and for which server: the buttons of its message stand in conversations as well. */
export function askedBy({ services, where, caller }: VideoContext, videoId: string): Promise<ServerActor> {
  return services.videoActors.ofVideo(videoId, { caller, where }, "look after a video");
}

export const videoOption = {
  type: "string",
  description: "Title of the video (pick from the list)",
  required: true,
  maxLength: 100,
  autocomplete: ({ text, where, services }: Completing<"videos">): Promise<readonly Suggestion[]> =>
    services.videos.suggest(guildOf(where), text),
} as const;

/** A title that nobody picked means the one video that begins so. Throws UserError where that is none, or several. */
export async function videoNamed({ services, where }: Context<"videos">, typed: string): Promise<string> {
  const isTitle = /\p{L}/u.test(typed) && !typed.includes("/");
  if (!isTitle) {
    return typed;
  }
  const beginning = typed.trim().toLowerCase();
  const found = (await services.videos.suggest(guildOf(where), typed)).filter(
    ({ name, value }) => name.toLowerCase().startsWith(beginning) || value === typed,
  );
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new UserError(
      `${only === undefined ? "I can't find a video" : "There are several videos"} of this server by that name. Pick one from the list that appears as you type, or look in \`/video list\`.`,
    );
  }
  return only.value;
}

/** On a message of the person's own the answer takes its place; beside one of all it is for them alone. */
export const hereOrBeside: ChooseAnswerMode<Pick<VideoArgs, "isHere">> = ({ args }) =>
  args.isHere ? "update" : "private";

export function onVideo(run: (context: VideoContext, args: VideoArgs) => Answer | Promise<Answer>) {
  return {
    ...pressed(videoArgs, run),
    answers: hereOrBeside,
  };
}

export async function showVideo(
  context: VideoContext,
  videoId: string,
  { done, publicationId }: { readonly done?: string; readonly publicationId?: string | undefined } = {},
): Promise<Reply> {
  const { guildId, by } = await askedBy(context, videoId);
  const { videos } = context.services;
  const video = await videos.show(guildId, videoId, by);
  return videoView(video, { done, publicationId, picture: await videos.picture(video) });
}

export async function checkMayComment(context: VideoContext, videoId: string): Promise<void> {
  const { guildId, by } = await askedBy(context, videoId);
  await context.services.videos.checkMayComment(guildId, videoId, by);
}

export async function openComment(context: VideoContext, { videoId, commentId }: CommentArgs) {
  const { guildId, by } = await askedBy(context, videoId);
  return context.services.videos.showComment(guildId, videoId, commentId, by);
}

export async function showComment(context: VideoContext, args: CommentArgs, done?: string): Promise<Reply> {
  return commentView(await openComment(context, args), args.videoId, done);
}

/** Writes, and answers: with a warning where nobody knows whether `what` happened, as in "the comment was deleted". */
export async function answerWrite(
  context: VideoContext,
  {
    videoId,
    what,
    look,
  }: { readonly videoId: string; readonly what: string; readonly look: "show" | "comments" },
  write: (videos: Videos, guildId: string, by: Actor) => Promise<WriteOutcome>,
  reply: (outcome: WriteOutcome) => Reply | Promise<Reply>,
): Promise<Reply> {
  const { guildId, by } = await askedBy(context, videoId);
  const outcome = await write(context.services.videos, guildId, by);
  return outcome === "unknown" ? unknownOutcomeView(what, videoId, look) : reply(outcome);
}

export function typedIn(fields: Readonly<Record<string, readonly string[]>>): string {
  return fields["message"]?.[0] ?? "";
}
