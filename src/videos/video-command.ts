// Shared by the subcommands of `/video`.
import { UserError } from "../core/errors.ts";
import type { Reply, Visibility } from "../core/reply.ts";
import { type ChooseAnswerMode, defineButton } from "../discord/define.ts";
import type { Answer, Context } from "../discord/define/context.ts";
import type { AutocompleteRequest, Suggestion } from "../discord/define/options.ts";
import type { VideoRequest, WriteOutcome } from "./own-video.ts";
import { guildOf, type Actor } from "./settings/video-rules.ts";
import { type CommentArgs, type VideoArgs, publicationArgs, videoArgs } from "./video-args.ts";
import { commentView } from "./video-comments-view.ts";
import { unknownOutcomeView, videoView } from "./video-view.ts";
import type { Videos } from "./videos.ts";
import { type CardNotes, publicationCardView, publicationSentView } from "./publication-answers-view.ts";
import type { Publication } from "./publishing/publish.ts";

export const VIDEO_NEEDS = ["videos", "videoActors"] as const;

export type VideoContext = Context<(typeof VIDEO_NEEDS)[number]>;

/** Buttons about videos are in DMs as well. */
export async function requestOf(context: VideoContext, videoId: string): Promise<VideoRequest> {
  const actor = await context.services.videoActors.ofVideo(videoId, context, "manage a video");
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

/** A title that was not picked must match the beginning of exactly one; otherwise throws a UserError. */
export async function videoNamed({ services, where }: Context<"videos">, typed: string): Promise<string> {
  // The service's ids are long numbers. A title may be a short one, e.g. `2024`.
  if (/^\d[\d_]{8,}$|\//.test(typed)) {
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

/** Next to a public message the answer is private. */
export const replaceOrPrivate: ChooseAnswerMode<Pick<VideoArgs, "replacesMessage">> = ({ args }) =>
  args.replacesMessage ? "update" : "private";

export function onVideo(run: (context: VideoContext, args: VideoArgs) => Answer | Promise<Answer>) {
  return {
    ...defineButton(videoArgs, run),
    answers: replaceOrPrivate,
  };
}

export async function showVideo(context: VideoContext, videoId: string, done?: string): Promise<Reply> {
  const { videos } = context.services;
  const video = await videos.show(await requestOf(context, videoId));
  return videoView(video, { done, picture: await videos.picture(video) });
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

/** `what`: what may have happened if the outcome is unknown, e.g. "the comment was deleted". */
export async function answerWrite(
  context: VideoContext,
  {
    videoId,
    what,
    shownBy,
  }: { readonly videoId: string; readonly what: string; readonly shownBy: "show" | "comments" },
  write: (videos: Videos, asked: VideoRequest) => Promise<WriteOutcome>,
  reply: (outcome: WriteOutcome) => Reply | Promise<Reply>,
): Promise<Reply> {
  const outcome = await write(context.services.videos, await requestOf(context, videoId));
  return outcome === "unknown" ? unknownOutcomeView(what, videoId, shownBy) : reply(outcome);
}

export function messageField(fields: Readonly<Record<string, readonly string[]>>): string {
  return fields["message"]?.[0] ?? "";
}

export const PUBLICATION_NEEDS = ["publish", "videoActors", "videoRules"] as const;

export type PublicationContext = Context<(typeof PUBLICATION_NEEDS)[number]>;

export interface FoundPublication {
  readonly id: string;
  readonly publication: Publication;
  readonly by: Actor;
}

/** Throws a UserError if it no longer exists or they may not change it. `what`: for the audit log. */
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

/** Only the person who attached the video may use its card. */
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

/** `what`: the attempted action, for the audit log if the person may not do it. */
export function onPublication(what: string, press: Press) {
  return defineButton(publicationArgs, async (context: PublicationContext, { id }) =>
    press(context, await findPublication(context, id, what)),
  );
}

/** A private answer, because others see the message. */
export function onPublicationPrivately(what: string, press: Press) {
  return { ...onPublication(what, press), answers: "private" as const };
}

/** Once it has been submitted, its card only says so. */
export async function showCard(
  { services, where }: Pick<Context<"videoRules">, "services" | "where">,
  draft: Publication,
  visibility: Visibility,
  notes?: CardNotes,
): Promise<Reply> {
  if (draft.state !== "draft") {
    return publicationSentView(draft, where);
  }
  const settings = await services.videoRules.settings(draft.guildId);
  return publicationCardView(draft, settings, visibility, notes);
}
