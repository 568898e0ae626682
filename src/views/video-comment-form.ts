import type { Modal } from "../core/reply.ts";
import { formatCommentArgs, formatVideoArgs } from "./video-args.ts";

/** The form for a comment, a reply, or other words in place of a comment's. */
export function commentForm(
  kind: "comment" | "reply" | "edit",
  { videoId, commentId }: { readonly videoId: string; readonly commentId?: string | undefined },
  value = "",
): Modal {
  const title = { comment: "Comment on the video", reply: "Answer the comment", edit: "Change the comment" };
  return {
    type: "modal",
    target: {
      command: commentId === undefined ? "video/comments" : "video/comment",
      action: kind,
      args:
        commentId === undefined
          ? formatVideoArgs({ videoId, isHere: false })
          : formatCommentArgs({ videoId, commentId }),
    },
    title: title[kind],
    fields: [
      {
        type: "text",
        name: "message",
        label: "What the account says",
        description: "Everybody who sees the video can read it.",
        lines: "many",
        value,
        maxLength: 4_000,
      },
    ],
  };
}
