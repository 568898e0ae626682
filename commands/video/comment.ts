// What can be done with one comment. It stands on messages of the person's own, so that each answer takes its place.
import type { Reply } from "../../src/core/reply.ts";
import { defineComponents } from "../../src/discord/define.ts";
import { pressed } from "../../src/discord/define/components.ts";
import type { Answer } from "../../src/discord/define/context.ts";
import { type CommentArgs, commentArgs } from "../../src/videos/video-args.ts";
import { commentDoneView, commentForm, deleteCommentView } from "../../src/videos/video-comments-view.ts";
import { unknownOutcomeView } from "../../src/videos/video-delete-view.ts";
import {
  VIDEO_NEEDS,
  type VideoContext,
  askedBy,
  openComment,
  showComment,
  typedIn,
} from "../../src/videos/video-command.ts";

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

const onComment = (run: (context: VideoContext, args: CommentArgs) => Answer | Promise<Answer>) =>
  pressed(commentArgs, run);

export default defineComponents({
  needs: VIDEO_NEEDS,
  buttons: {
    reply: onComment((_, args) => commentForm("reply", args)),
    edit: onComment(async (context, args) => {
      const { comment } = await openComment(context, args);
      return commentForm("edit", args, comment.message);
    }),
    hide: onComment((context, args) => hide(context, args, true)),
    unhide: onComment((context, args) => hide(context, args, false)),
    ask: onComment(async (context, args) =>
      deleteCommentView(await openComment(context, args), args.videoId),
    ),
    keep: onComment((context, args) => showComment(context, args)),
    delete: onComment(async (context, { videoId, commentId }) => {
      const { guildId, by } = await askedBy(context, videoId);
      const outcome = await context.services.videos.deleteComment(guildId, videoId, commentId, by);
      return outcome === "done"
        ? commentDoneView("The comment is deleted.", videoId)
        : unknownOutcomeView("the comment was deleted", videoId, "comments");
    }),
  },
  modals: {
    reply: {
      args: commentArgs,
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
      args: commentArgs,
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
