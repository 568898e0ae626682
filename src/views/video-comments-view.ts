// What people say below a video.
import type { ActionButton, ContentBlock, Reply } from "../core/reply.ts";
import type { CommentsPage, ShownComment } from "../services/videos/videos.ts";
import { privateCard } from "./private-card.ts";
import {
  fitsCommentArgs,
  formatCommentPageArgs,
  formatVideoArgs,
  type CommentPageArgs,
} from "./video-args.ts";
import { videoButton } from "./video-buttons.ts";
import { commentButton } from "./video-comment-buttons.ts";
import { authorName, commentHead } from "./video-comment-words.ts";
import { countOf, COUNTED, oneLine, quotation, videoTitle } from "./video-words.ts";

type Comment = ShownComment["comment"];

const LISTED_LENGTH = 220;
const COMMANDS = "video/comments";

/** One page, the newest first, with a menu that opens one comment. */
export function commentsView(page: CommentsPage, args: CommentPageArgs): Reply {
  const { items, total, after: next, video } = page;
  const { videoId, replyingTo, after } = args;
  const what = replyingTo === undefined ? `Comments on ${videoTitle(video.title, 120)}` : "Replies";
  const open = items.filter(({ id }) => fitsCommentArgs({ videoId, commentId: id }));
  const count =
    total === undefined || replyingTo !== undefined ? undefined : countOf(total, COUNTED.comments);
  const to = (label: string, place: Partial<CommentPageArgs>): ActionButton => ({
    type: "button",
    label,
    target: {
      command: COMMANDS,
      action: "open",
      args: formatCommentPageArgs({ videoId, replyingTo, after: undefined, isHere: true, ...place }),
    },
  });
  const blocks: ContentBlock[] = [
    { type: "text", text: `### ${what}${count === undefined ? "" : ` · ${count}`}` },
    { type: "text", text: items.map(listEntry).join("\n") || noneWords(args) },
  ];
  if (open.length > 0) {
    blocks.push({
      type: "select",
      target: { command: COMMANDS, action: "pick", args: formatVideoArgs({ videoId, isHere: false }) },
      placeholder: "Open one to answer, hide or delete it…",
      choices: open.map(({ id, author, message }) => ({
        label: oneLine(message ?? "Without words", 100),
        value: id,
        description: authorName(author),
      })),
    });
  }
  const buttons = [
    replyingTo === undefined
      ? writeButton(videoId)
      : commentButton("reply", { videoId, commentId: replyingTo }),
    ...(after === undefined ? [] : [to("Newest", {})]),
    ...(next === undefined ? [] : [to("More", { after: next })]),
    replyingTo === undefined
      ? videoButton("show", videoId, { isHere: true })
      : to("All comments", { replyingTo: undefined }),
  ];
  return privateCard([...blocks, { type: "buttons", buttons }]);
}

function noneWords({ replyingTo, after }: CommentPageArgs): string {
  if (after !== undefined) {
    return "There are no more.";
  }
  return replyingTo === undefined
    ? "Nobody has said anything yet, or the service does not show it to this account."
    : "Nobody has answered yet.";
}

function listEntry(comment: Comment): string {
  return `${commentHead(comment)}\n${quotation(oneLine(comment.message ?? "(without words)", LISTED_LENGTH), LISTED_LENGTH)}`;
}

function writeButton(videoId: string): ActionButton {
  return {
    type: "button",
    label: "Write a comment",
    style: "primary",
    target: { command: COMMANDS, action: "write", args: formatVideoArgs({ videoId, isHere: false }) },
  };
}
