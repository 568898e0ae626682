// What people say below a video: reading, answering, hiding, deleting.
import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import {
  commentArgsSchema,
  commentPageArgsSchema,
  videoArgsSchema,
  type CommentArgs,
  type CommentPageArgs,
} from "../../src/views/video-args.ts";
import { commentForm } from "../../src/views/video-comment-form.ts";
import { commentDoneView, commentView, deleteCommentView } from "../../src/views/video-comment-view.ts";
import { commentsView } from "../../src/views/video-comments-view.ts";
import { unknownOutcomeView } from "../../src/views/video-unknown-view.ts";
import { askedBy, hereOrBeside, VIDEO_NEEDS, videoOption, type VideoContext } from "./list.ts";

async function showPage(context: VideoContext, args: CommentPageArgs): Promise<Reply> {
  const { guildId, by } = await askedBy(context, args.videoId);
  const { videoId, replyingTo, after } = args;
  const page = await context.services.videos.comments(guildId, videoId, { replyingTo, after }, by);
  return commentsView(page, args);
}

function firstPage(videoId: string): CommentPageArgs {
  return { videoId, replyingTo: undefined, after: undefined, isHere: true };
}

async function openComment(context: VideoContext, { videoId, commentId }: CommentArgs) {
  const { guildId, by } = await askedBy(context, videoId);
  return context.services.videos.showComment(guildId, videoId, commentId, by);
}

async function showComment(context: VideoContext, args: CommentArgs, done?: string): Promise<Reply> {
  return commentView(await openComment(context, args), args.videoId, done);
}

async function hide(context: VideoContext, args: CommentArgs, hidden: boolean): Promise<Reply> {
  const { guildId, by } = await askedBy(context, args.videoId);
  const { videoId, commentId } = args;
  const outcome = await context.services.videos.hideComment(guildId, videoId, commentId, hidden, by);
  if (outcome === "unknown") {
    return unknownOutcomeView(`the comment was ${hidden ? "hidden" : "shown again"}`, videoId, "comments");
  }
  const done = hidden ? "Hidden: only its author still sees it." : "Everybody sees it again.";
  return showComment(context, args, done);
}

/** What was typed into the form of a comment. */
function typedIn(fields: Readonly<Record<string, readonly string[]>>): string {
  return fields["message"]?.[0] ?? "";
}

export default defineCommand({
  description: "Read what people say below a video; answer, hide or delete it",
  needs: VIDEO_NEEDS,
  defer: "private",
  options: { video: videoOption },
  run: ({ options, ...context }) => showPage(context, firstPage(options.video)),
  selects: {
    pick: {
      args: videoArgsSchema,
      run: ({ args: { videoId }, chosen, ...context }) =>
        showComment(context, { videoId, commentId: chosen[0] ?? "" }),
    },
  },
  buttons: {
    open: {
      args: commentPageArgsSchema,
      answers: hereOrBeside,
      run: ({ args, ...context }) => showPage(context, { ...args, isHere: true }),
    },
    write: { args: videoArgsSchema, run: ({ args: { videoId } }) => commentForm("comment", { videoId }) },
    reply: { args: commentArgsSchema, run: ({ args }) => commentForm("reply", args) },
    edit: {
      args: commentArgsSchema,
      async run({ args, ...context }) {
        const { comment } = await openComment(context, args);
        return commentForm("edit", args, comment.message);
      },
    },
    hide: { args: commentArgsSchema, run: ({ args, ...context }) => hide(context, args, true) },
    unhide: { args: commentArgsSchema, run: ({ args, ...context }) => hide(context, args, false) },
    ask: {
      args: commentArgsSchema,
      run: async ({ args, ...context }) => deleteCommentView(await openComment(context, args), args.videoId),
    },
    keep: { args: commentArgsSchema, run: ({ args, ...context }) => showComment(context, args) },
    delete: {
      args: commentArgsSchema,
      async run({ args: { videoId, commentId }, ...context }) {
        const { guildId, by } = await askedBy(context, videoId);
        const outcome = await context.services.videos.deleteComment(guildId, videoId, commentId, by);
        return outcome === "done"
          ? commentDoneView("The comment is deleted.", videoId)
          : unknownOutcomeView("the comment was deleted", videoId, "comments");
      },
    },
  },
  modals: {
    comment: {
      args: videoArgsSchema,
      answers: "update",
      async run({ args: { videoId }, fields, ...context }) {
        const { guildId, by } = await askedBy(context, videoId);
        const outcome = await context.services.videos.comment(guildId, videoId, typedIn(fields), {}, by);
        return outcome === "done"
          ? showPage(context, firstPage(videoId))
          : unknownOutcomeView("the comment was written", videoId, "comments");
      },
    },
    reply: {
      args: commentArgsSchema,
      answers: "update",
      async run({ args, fields, ...context }) {
        const { guildId, by } = await askedBy(context, args.videoId);
        const { videoId, commentId: replyingTo } = args;
        const words = typedIn(fields);
        const outcome = await context.services.videos.comment(guildId, videoId, words, { replyingTo }, by);
        return outcome === "done"
          ? showComment(context, args, "Answered.")
          : unknownOutcomeView("the answer was written", videoId, "comments");
      },
    },
    edit: {
      args: commentArgsSchema,
      answers: "update",
      async run({ args, fields, ...context }) {
        const { guildId, by } = await askedBy(context, args.videoId);
        const { videoId, commentId } = args;
        const words = typedIn(fields);
        const outcome = await context.services.videos.editComment(guildId, videoId, commentId, words, by);
        return outcome === "done"
          ? showComment(context, args, "Changed.")
          : unknownOutcomeView("the comment was changed", videoId, "comments");
      },
    },
  },
});
