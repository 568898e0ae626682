// The actions for one comment. They are on messages that only the person sees, so each answer replaces the message.
import type { Reply } from "../../src/core/reply.ts";
import { defineComponents, defineButton } from "../../src/discord/define.ts";
import type { Answer } from "../../src/discord/define/context.ts";
import { type CommentArgs, commentArgs } from "../../src/videos/video-args.ts";
import { commentDeletedView, commentForm, deleteCommentView } from "../../src/videos/video-comments-view.ts";
import {
  VIDEO_NEEDS,
  type VideoContext,
  answerWrite,
  checkMayComment,
  openComment,
  showComment,
  messageField,
} from "../../src/videos/video-command.ts";

/** Sends a write and shows the comment with what was done; `what` completes "whether …". */
function write(
  context: VideoContext,
  args: CommentArgs,
  { what, done }: { readonly what: string; readonly done: string },
  act: Parameters<typeof answerWrite>[2],
): Promise<Reply> {
  const about = { videoId: args.videoId, what, shownBy: "comments" } as const;
  return answerWrite(context, about, act, () => showComment(context, args, done));
}

const HIDDEN = { what: "the comment was hidden", done: "Hidden: only its author can still see it." };
const SHOWN = { what: "the comment was shown again", done: "Everybody can see it again." };

const onComment = (run: (context: VideoContext, args: CommentArgs) => Answer | Promise<Answer>) =>
  defineButton(commentArgs, run);

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
    hide: onComment((context, args) =>
      write(context, args, HIDDEN, (videos, asked) => videos.hideComment(asked, args.commentId, true)),
    ),
    unhide: onComment((context, args) =>
      write(context, args, SHOWN, (videos, asked) => videos.hideComment(asked, args.commentId, false)),
    ),
    ask: onComment(async (context, args) =>
      deleteCommentView(await openComment(context, args), args.videoId),
    ),
    keep: onComment((context, args) => showComment(context, args)),
    delete: onComment((context, { videoId, commentId }) =>
      answerWrite(
        context,
        { videoId, what: "the comment was deleted", shownBy: "comments" },
        (videos, asked) => videos.deleteComment(asked, commentId),
        () => commentDeletedView(videoId),
      ),
    ),
  },
  modals: {
    reply: {
      args: commentArgs,
      answers: "update",
      run: ({ args, fields, ...context }) =>
        write(context, args, { what: "the reply was written", done: "Replied." }, (videos, asked) =>
          videos.comment(asked, messageField(fields), args.commentId),
        ),
    },
    edit: {
      args: commentArgs,
      answers: "update",
      run: ({ args, fields, ...context }) =>
        write(context, args, { what: "the comment was changed", done: "Changed." }, (videos, asked) =>
          videos.editComment(asked, args.commentId, messageField(fields)),
        ),
    },
  },
});
