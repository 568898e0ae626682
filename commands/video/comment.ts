// What can be done with one comment. It stands on messages of the person's own, so that each answer takes its place.
import type { Reply } from "../../src/core/reply.ts";
import { defineComponents } from "../../src/discord/define.ts";
import { pressed } from "../../src/discord/define/components.ts";
import type { Answer } from "../../src/discord/define/context.ts";
import { type CommentArgs, commentArgs } from "../../src/videos/video-args.ts";
import { commentDoneView, commentForm, deleteCommentView } from "../../src/videos/video-comments-view.ts";
import {
  VIDEO_NEEDS,
  type VideoContext,
  answerWrite,
  checkMayComment,
  openComment,
  showComment,
  typedIn,
} from "../../src/videos/video-command.ts";

function hide(context: VideoContext, args: CommentArgs, hidden: boolean): Promise<Reply> {
  const { videoId, commentId } = args;
  const what = `the comment was ${hidden ? "hidden" : "shown again"}`;
  const done = hidden ? "Hidden: only its author can still see it." : "Everybody can see it again.";
  return answerWrite(
    context,
    { videoId, what, look: "comments" },
    (videos, asked) => videos.hideComment(asked, commentId, hidden),
    () => showComment(context, args, done),
  );
}

const onComment = (run: (context: VideoContext, args: CommentArgs) => Answer | Promise<Answer>) =>
  pressed(commentArgs, run);

export default defineComponents({
  needs: VIDEO_NEEDS,
  buttons: {
    reply: onComment(async (context, args) => {
      await checkMayComment(context, args.videoId);
      return commentForm("reply", args);
    }),
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
    delete: onComment((context, { videoId, commentId }) =>
      answerWrite(
        context,
        { videoId, what: "the comment was deleted", look: "comments" },
        (videos, asked) => videos.deleteComment(asked, commentId),
        () => commentDoneView("The comment is deleted.", videoId),
      ),
    ),
  },
  modals: {
    reply: {
      args: commentArgs,
      answers: "update",
      run({ args, fields, ...context }) {
        const { videoId, commentId: replyingTo } = args;
        return answerWrite(
          context,
          { videoId, what: "the answer was written", look: "comments" },
          (videos, asked) => videos.comment(asked, typedIn(fields), replyingTo),
          () => showComment(context, args, "Answered."),
        );
      },
    },
    edit: {
      args: commentArgs,
      answers: "update",
      run({ args, fields, ...context }) {
        const { videoId, commentId } = args;
        return answerWrite(
          context,
          { videoId, what: "the comment was changed", look: "comments" },
          (videos, asked) => videos.editComment(asked, commentId, typedIn(fields)),
          () => showComment(context, args, "Changed."),
        );
      },
    },
  },
});
