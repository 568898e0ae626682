// What the subcommands of /video for published videos share: how a video is named and found, and a video or a comment as
// the answer.
import { UserError } from "../core/errors.ts";
import type { Reply, Visibility } from "../core/reply.ts";
import { type ChooseAnswerMode, defineButton } from "../discord/define/components.ts";
import type { Answer, Context } from "../discord/define/context.ts";
import type { AutocompleteRequest, Suggestion } from "../discord/define/options.ts";
import type { VideoRequest, WriteOutcome } from "./own-video.ts";
import { guildOf } from "./settings/video-actors.ts";
import type { Actor } from "./settings/video-rules.ts";
import { type CommentArgs, type VideoArgs, publicationArgs, videoArgs } from "./video-args.ts";
import { commentView } from "./video-comments-view.ts";
import { unknownOutcomeView, videoView } from "./video-view.ts";
import type { Videos } from "./videos.ts";
import { publicationCardView } from "./publication-answers-view.ts";
import type { Publication } from "./publishing/publish.ts";

export const VIDEO_NEEDS = ["videos", "videoActors"] as const;

export type VideoContext = Context<(typeof VIDEO_NEEDS)[number]>;

/** Who asks about a video, and for which server: the buttons of its message stand in conversations as well. */
export async function requestOf(context: VideoContext, videoId: string): Promise<VideoRequest> {
  const actor = await context.services.videoActors.ofVideo(videoId, context, "look after a video");
  return { ...actor, videoId };
}

export const videoOption = {
  type: "string",
  description: "Title of the video (pick from the list)",
  required: true,
  maxLength: 100,
  autocomplete: ({ text, where, services }: AutocompleteRequest<"videos">): Promise<readonly Suggestion[]> =>
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
      `This server has ${only === undefined ? "no video" : "several videos"} by that name. Pick one from the list that appears as you type, or look in \`/video list\`.`,
    );
  }
  return only.value;
}

/** On a message of the person's own the answer takes its place; beside one of all it is for them alone. */
export const replaceOrPrivate: ChooseAnswerMode<Pick<VideoArgs, "replacesMessage">> = ({ args }) =>
  args.replacesMessage ? "update" : "private";

export function onVideo(run: (context: VideoContext, args: VideoArgs) => Answer | Promise<Answer>) {
  return {
    ...defineButton(videoArgs, run),
    answers: replaceOrPrivate,
  };
}

export async function showVideo(
  context: VideoContext,
  videoId: string,
  { done, publicationId }: { readonly done?: string; readonly publicationId?: string | undefined } = {},
): Promise<Reply> {
  const { videos } = context.services;
  const video = await videos.show(await requestOf(context, videoId));
  return videoView(video, { done, publicationId, picture: await videos.picture(video) });
}

export async function checkMayComment(context: VideoContext, videoId: string): Promise<void> {
  await context.services.videos.checkMayComment(await requestOf(context, videoId));
}

export async function openComment(context: VideoContext, { videoId, commentId }: CommentArgs) {
  return context.services.videos.showComment(await requestOf(context, videoId), commentId);
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
  write: (videos: Videos, asked: VideoRequest) => Promise<WriteOutcome>,
  reply: (outcome: WriteOutcome) => Reply | Promise<Reply>,
): Promise<Reply> {
  const outcome = await write(context.services.videos, await requestOf(context, videoId));
  return outcome === "unknown" ? unknownOutcomeView(what, videoId, look) : reply(outcome);
}

export function messageField(fields: Readonly<Record<string, readonly string[]>>): string {
  return fields["message"]?.[0] ?? "";
}

// The same for publications and the cards of drafts: which one it is, who presses, and the card as the answer.

export const PUBLICATION_NEEDS = ["publish", "videoActors", "videoRules"] as const;

export type PublicationContext = Context<(typeof PUBLICATION_NEEDS)[number]>;

export interface FoundPublication {
  readonly id: string;
  readonly publication: Publication;
  readonly by: Actor;
}

/** Throws UserError if it is gone, or if they may not change it; otherwise as `VideoActors` does. `what`: what they try to do. */
export async function findPublication(
  context: PublicationContext,
  id: string,
  what: string,
): Promise<FoundPublication> {
  const { publish, videoActors } = context.services;
  const publication = await publish.find(id);
  if (publication === undefined) {
    throw new UserError(
      "I no longer know that publication. If the video wasn't published, attach it again with `/video publish`.",
      "outdated",
    );
  }
  return { id, publication, by: await videoActors.of(publication.guildId, context, what) };
}

/** The same for a draft's card, on which only the person who attached the video presses. */
export async function findOwnDraft(context: PublicationContext, id: string): Promise<FoundPublication> {
  const found = await findPublication(context, id, "use somebody's card");
  if (found.publication.submittedBy !== context.caller.id) {
    throw new UserError(
      "Only the person who sent the video can do that here. To publish your own, use `/video publish`.",
      "permission",
    );
  }
  return found;
}

type Press = (context: PublicationContext, found: FoundPublication) => Answer | Promise<Answer>;

/** A button that carries a publication. `what` it tries goes into the audit log where it is not theirs to try. */
export function onPublication(what: string, press: Press) {
  return defineButton(publicationArgs, async (context: PublicationContext, { id }) =>
    press(context, await findPublication(context, id, what)),
  );
}

/** The same, answered beside the message, which others see. */
export function onPublicationPrivately(what: string, press: Press) {
  return { ...onPublication(what, press), answers: "private" as const };
}

export async function showCard(
  { services }: Pick<Context<"videoRules">, "services">,
  draft: Publication,
  visibility: Visibility,
  problem?: string,
): Promise<Reply> {
  const settings = await services.videoRules.settings(draft.guildId);
  return publicationCardView(draft, settings, visibility, problem);
}
