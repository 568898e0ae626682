// One comment, and what can be done about it.
import type { ActionButton, Reply } from "../core/reply.ts";
import type { ShownComment } from "../services/videos/videos.ts";
import { privateCard } from "./private-card.ts";
import { formatCommentPageArgs, type CommentArgs } from "./video-args.ts";
import { videoButton } from "./video-buttons.ts";
import { commentButton } from "./video-comment-buttons.ts";
import { commentHead } from "./video-comment-words.ts";
import { countOf, COUNTED, quotation } from "./video-words.ts";

const SHOWN_LENGTH = 2_500;

/** One comment with its buttons, under a sentence on what has just been done with it, where there is one. */
export function commentView({ comment, isOwn }: ShownComment, videoId: string, done?: string): Reply {
  const { id: commentId, message, isHidden, canHide, canRemove, replies, parentId } = comment;
  const args = { videoId, commentId };
  const text = [
    done,
    `### ${isOwn ? "Said by the account" : "A comment"}`,
    commentHead(comment),
    quotation(message ?? "(without words)", SHOWN_LENGTH),
  ];
  const acts = [
    commentButton("reply", args),
    ...(isOwn ? [commentButton("edit", args)] : []),
    ...(isOwn || canHide === false ? [] : [commentButton(isHidden ? "unhide" : "hide", args)]),
    ...(canRemove === false ? [] : [commentButton("ask", args)]),
  ];
  const ways = [
    ...(replies > 0 && parentId === undefined
      ? [repliesButton(args, countOf(replies, COUNTED.replies) ?? "Replies")]
      : []),
    videoButton("comments", videoId, { isHere: true, label: "All comments" }),
  ];
  return privateCard([
    { type: "text", text: text.filter((line) => line !== undefined).join("\n") },
    { type: "buttons", buttons: acts },
    { type: "buttons", buttons: ways },
  ]);
}

/** Asks before a comment is deleted: that cannot be undone. */
export function deleteCommentView({ comment }: ShownComment, videoId: string): Reply {
  const args = { videoId, commentId: comment.id };
  const also = comment.replies > 0 ? " The replies to it go with it." : "";
  return privateCard([
    {
      type: "text",
      text: `### Delete this comment for good?\n${commentHead(comment)}\n${quotation(comment.message ?? "(without words)", 500)}\nIt cannot be brought back.${also} Hiding it would leave it to its author alone.`,
    },
    { type: "buttons", buttons: [commentButton("delete", args), commentButton("keep", args)] },
  ]);
}

/** After one was deleted, or written where the new one is not to be seen by itself. */
export function commentDoneView(sentence: string, videoId: string): Reply {
  return privateCard([
    { type: "text", text: sentence },
    {
      type: "buttons",
      buttons: [videoButton("comments", videoId, { isHere: true, label: "All comments" })],
    },
  ]);
}

function repliesButton({ videoId, commentId }: CommentArgs, label: string): ActionButton {
  const args = formatCommentPageArgs({ videoId, replyingTo: commentId, after: undefined, isHere: true });
  return { type: "button", label, target: { command: "video/comments", action: "open", args } };
}
