// Lists the comments on a video. comment.ts has the actions for one comment.
import type { Reply } from "../../src/core/reply.ts";
import { defineCommand, defineButton } from "../../src/discord/define.ts";
import { type CommentPageArgs, commentPageArgs, videoArgs } from "../../src/videos/video-args.ts";
import { commentForm, commentsView } from "../../src/videos/video-comments-view.ts";
import {
  VIDEO_NEEDS,
  type VideoContext,
  answerWrite,
  requestOf,
  checkMayComment,
  replaceOrPrivate,
  showComment,
  messageField,
  videoNamed,
  videoOption,
} from "../../src/videos/video-command.ts";

async function showPage(context: VideoContext, args: CommentPageArgs): Promise<Reply> {
  const page = await context.services.videos.comments(await requestOf(context, args.videoId), args);
  return commentsView(page, args);
}

function firstPage(videoId: string): CommentPageArgs {
  return { videoId, replyingTo: undefined, after: undefined, replacesMessage: true };
}

export default defineCommand({
  description: "Read a video's comments, reply to them, hide or delete them",
  needs: VIDEO_NEEDS,
  defer: "private",
  options: { video: videoOption },
  run: async ({ options, ...context }) =>
    showPage(context, firstPage(await videoNamed(context, options.video))),
  selects: {
    pick: {
      args: videoArgs,
      run: ({ args: { videoId }, chosen, ...context }) =>
        showComment(context, { videoId, commentId: chosen[0] ?? "" }),
    },
  },
  buttons: {
    open: {
      args: commentPageArgs,
      answers: replaceOrPrivate,
      run: ({ args, ...context }) => showPage(context, { ...args, replacesMessage: true }),
    },
    write: defineButton(videoArgs, async (context: VideoContext, { videoId }) => {
      await checkMayComment(context, videoId);
      return commentForm("comment", { videoId });
    }),
  },
  modals: {
    comment: {
      args: videoArgs,
      answers: "update",
      run: ({ args: { videoId }, fields, ...context }) =>
        answerWrite(
          context,
          { videoId, what: "the comment was written", shownBy: "comments" },
          (videos, asked) => videos.comment(asked, messageField(fields)),
          () => showPage(context, firstPage(videoId)),
        ),
    },
  },
});
