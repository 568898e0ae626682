import { relativeTime } from "../time/words.ts";
import { joinLines, oneLine, joinDots, plural } from "../core/text.ts";
import { buttonTo, type ActionButton, menu, type Modal, type Reply, privateCard } from "../core/reply.ts";
import type { ComponentTarget } from "../core/component-id.ts";
import type { CommentsPage, ShownComment } from "./videos.ts";
import {
  type CommentArgs,
  type CommentPageArgs,
  fitsCommentArgs,
  commentArgs,
  commentPageArgs,
  videoArgs,
  videoButton,
} from "./video-args.ts";
import { countOf, quotation, videoTitle } from "./video-words.ts";

type Comment = ShownComment["comment"];

const LISTED_LENGTH = 220;

/** The newest first. */
export function commentsView(page: CommentsPage, args: CommentPageArgs): Reply {
  const { items, total, after: next, video } = page;
  const { videoId, replyingTo, after } = args;
  const what = replyingTo === undefined ? `Comments on ${videoTitle(video.title, 120)}` : "Replies";
  const open = items.filter(({ id }) => fitsCommentArgs({ videoId, commentId: id }));
  const count = replyingTo === undefined && countOf(total, "comment");
  const to = (label: string, place: Partial<CommentPageArgs>) =>
    pageButton(label, { videoId, replyingTo, ...place });
  const choices = open.map(({ id, author, message }) => ({
    label: oneLine(message ?? "No text", 100),
    value: id,
    description: authorName(author),
  }));
  return privateCard([
    joinDots(`### ${what}`, count),
    items.map(listEntry).join("\n") || noneWords(args),
    menu(target("pick", videoId), "Open one to reply to it, hide it or delete it…", choices),
    [
      replyingTo === undefined
        ? buttonTo("Write a comment", target("write", videoId), { style: "primary" })
        : commentButton("reply", { videoId, commentId: replyingTo }),
      after !== undefined && to("Newest", {}),
      next !== undefined && to("Older", { after: next }),
      replyingTo === undefined
        ? videoButton("show", videoId, { replacesMessage: true })
        : to("All comments", { replyingTo: undefined }),
    ],
  ]);
}

function target(action: "comment" | "pick" | "write", videoId: string): ComponentTarget {
  return { command: "video/comments", action, args: videoArgs.encode({ videoId, replacesMessage: false }) };
}

function noneWords({ replyingTo, after }: CommentPageArgs): string {
  if (after !== undefined) {
    return "There are no more.";
  }
  return replyingTo === undefined
    ? "No comments yet, or the video service doesn't show them to this account."
    : "No replies yet.";
}

function listEntry(comment: Comment): string {
  return `${commentHead(comment)}\n${quotation(oneLine(comment.message ?? "(no text)", LISTED_LENGTH), LISTED_LENGTH)}`;
}

const SHOWN_LENGTH = 2_500;

export function commentView({ comment, isOwn }: ShownComment, videoId: string, done?: string): Reply {
  const { id: commentId, message, isHidden, canHide, canRemove, replies, parentId } = comment;
  const args = { videoId, commentId };
  const text = [
    done,
    `### ${isOwn ? "The account's comment" : "A comment"}`,
    commentHead(comment),
    quotation(message ?? "(no text)", SHOWN_LENGTH),
  ];
  return privateCard([
    joinLines(...text),
    [
      commentButton("reply", args),
      isOwn && commentButton("edit", args),
      !isOwn && canHide !== false && commentButton(isHidden ? "unhide" : "hide", args),
      canRemove !== false && commentButton("ask", args),
    ],
    [
      replies > 0 &&
        parentId === undefined &&
        pageButton(plural(replies, "reply", "replies"), { videoId, replyingTo: commentId }),
      videoButton("comments", videoId, { replacesMessage: true, label: "All comments" }),
    ],
  ]);
}

export function deleteCommentView({ comment }: ShownComment, videoId: string): Reply {
  const args = { videoId, commentId: comment.id };
  const also = comment.replies > 0 ? " Its replies will be deleted too." : "";
  return privateCard([
    joinLines(
      "### Delete this comment for good?",
      commentHead(comment),
      quotation(comment.message ?? "(no text)", 500),
      `It can't be brought back.${also} If you hide it instead, only its author can see it.`,
    ),
    [commentButton("delete", args), commentButton("keep", args)],
  ]);
}

export function commentDeletedView(videoId: string): Reply {
  return privateCard([
    "I've deleted the comment.",
    [videoButton("comments", videoId, { replacesMessage: true, label: "All comments" })],
  ]);
}

function pageButton(
  label: string,
  page: Partial<CommentPageArgs> & Pick<CommentPageArgs, "videoId">,
): ActionButton {
  const args = commentPageArgs.encode({ replacesMessage: true, ...page });
  return buttonTo(label, { command: "video/comments", action: "open", args });
}

const COMMENT_ACTIONS = {
  reply: { label: "Reply", style: "primary" },
  edit: { label: "Edit", emoji: "✏️", style: "secondary" },
  hide: { label: "Hide", style: "secondary" },
  unhide: { label: "Show again", style: "success" },
  ask: { label: "Delete…", style: "secondary" },
  delete: { label: "Delete for good", style: "danger" },
  keep: { label: "Keep it", style: "secondary" },
} as const satisfies Readonly<Record<string, Pick<ActionButton, "label" | "emoji" | "style">>>;

function commentButton(action: keyof typeof COMMENT_ACTIONS, args: CommentArgs): ActionButton {
  const { label, ...look } = COMMENT_ACTIONS[action];
  return buttonTo(label, { command: "video/comment", action, args: commentArgs.encode(args) }, look);
}

/** e.g. `**Alan** · 2 hours ago · 2 replies · hidden`. */
function commentHead({ author, createdAtMs, replies, likes, isHidden }: Comment): string {
  return joinDots(
    `**${videoTitle(authorName(author), 60)}**`,
    createdAtMs !== undefined && relativeTime(createdAtMs),
    replies > 0 && plural(replies, "reply", "replies"),
    likes > 0 && plural(likes, "like"),
    isHidden && "🙈 hidden",
  );
}

/** The service does not reveal most names. */
function authorName(author: Comment["author"]): string {
  return author?.name ?? "Somebody";
}

export function commentForm(
  kind: "comment" | "reply" | "edit",
  { videoId, commentId }: { readonly videoId: string; readonly commentId?: string | undefined },
  value = "",
): Modal {
  const title = { comment: "Comment on the video", reply: "Reply to the comment", edit: "Edit the comment" };
  return {
    type: "modal",
    target:
      commentId === undefined
        ? target("comment", videoId)
        : { command: "video/comment", action: kind, args: commentArgs.encode({ videoId, commentId }) },
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
