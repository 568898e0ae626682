// What the buttons of videos and comments remember, small enough for a component's id and readable after a restart.
import { z } from "zod";
import { parseBase36 } from "../core/component-id.ts";
import type { ActionButton } from "../core/reply.ts";

/** Which video, and whether its answer takes the place of the message it stands on. */
export interface VideoArgs {
  readonly videoId: string;
  /** Set on messages of the person's own; on a message of all the answer stands beside it. */
  readonly isHere: boolean;
}

/** Which comment, or which page of comments. */
export interface CommentArgs {
  readonly videoId: string;
  readonly commentId: string;
}

export interface CommentPageArgs {
  readonly videoId: string;
  readonly replyingTo: string | undefined;
  /** Which page, as the service calls it; `undefined` for the first. */
  readonly after: string | undefined;
  readonly isHere: boolean;
}

const videoIdSchema = z.string().regex(/^[\da-z-]{1,40}$/i);
const here = z.literal("1").optional();
const after = z
  .string()
  .regex(/^\w{1,60}$/)
  .optional();
const commentId = z
  .string()
  .regex(/^(?:[\w-]{1,80}|(?:\.[\da-z]{1,30}){1,4})$/i)
  .transform(lengthen);

export const videoArgsSchema = z
  .object({ v: videoIdSchema, h: here })
  .transform(({ v, h }): VideoArgs => ({ videoId: v, isHere: h === "1" }));

export const listArgsSchema = z.object({ a: after });

export const commentArgsSchema = z
  .object({ v: videoIdSchema, c: commentId })
  .transform(({ v, c }): CommentArgs => ({ videoId: v, commentId: c }));

export const commentPageArgsSchema = z
  .object({ v: videoIdSchema, r: commentId.optional(), a: after, h: here })
  .transform(({ v, r, a, h }): CommentPageArgs => ({
    videoId: v,
    replyingTo: r,
    after: a,
    isHere: h === "1",
  }));

type Written = Readonly<Record<string, string>>;

export function formatVideoArgs({ videoId: v, isHere }: VideoArgs): Written {
  return { v, ...(isHere && { h: "1" }) };
}

export function formatCommentArgs({ videoId: v, commentId: c }: CommentArgs): Written {
  return { v, c: shorten(c) };
}

export function formatCommentPageArgs({
  videoId: v,
  replyingTo,
  after: a,
  isHere,
}: CommentPageArgs): Written {
  return {
    v,
    ...(replyingTo !== undefined && { r: shorten(replyingTo) }),
    ...(a !== undefined && { a }),
    ...(isHere && { h: "1" }),
  };
}

/** What is left of a component's id beside the longest names and a page. */
const ROOM = 60;

/** Whether buttons can remember this comment. */
export function fitsCommentArgs(args: CommentArgs): boolean {
  return args.videoId.length + shorten(args.commentId).length <= ROOM;
}

/** The parts of a comment's id are long numbers: `10203040506071818_31` becomes `.2sf0qrtyzsa.v`. */
function shorten(id: string): string {
  const parts = id.split("_");
  return parts.every((part) => /^[1-9]\d{0,39}$/.test(part))
    ? parts.map((part) => `.${BigInt(part).toString(36)}`).join("")
    : id;
}

function lengthen(id: string): string {
  return id.startsWith(".")
    ? id
        .slice(1)
        .split(".")
        .map((part) => String(parseBase36(part)))
        .join("_")
    : id;
}

// The buttons with which a video is looked after. Each carries the video's id alone, and whose it is is checked again
// when it is pressed.

const VIDEO_ACTIONS = {
  show: { label: "Show video", command: "video/show", action: "open", style: "secondary" },
  edit: { label: "Edit", command: "video/edit", action: "form", style: "secondary" },
  comments: { label: "Comments", command: "video/comments", action: "open", style: "secondary" },
  stats: { label: "Statistics", command: "video/stats", action: "open", style: "secondary" },
  delete: { label: "Delete…", command: "video/delete", action: "open", style: "secondary" },
  deleteSure: { label: "Delete…", command: "video/delete", action: "sure", style: "danger" },
  deleteForGood: { label: "Delete for good", command: "video/delete", action: "delete", style: "danger" },
} as const satisfies Readonly<
  Record<string, { label: string; command: string; action: string; style: ActionButton["style"] }>
>;

/**
 * A button for one video. `isHere`: its answer takes the place of the message, which is the person's own; otherwise it
 * stands beside it, for them alone.
 */
export function videoButton(
  name: keyof typeof VIDEO_ACTIONS,
  videoId: string,
  { isHere = false, label }: { readonly isHere?: boolean; readonly label?: string } = {},
): ActionButton {
  const { command, action, style, label: usual } = VIDEO_ACTIONS[name];
  const args = formatVideoArgs({ videoId, isHere });
  return { type: "button", label: label ?? usual, style, target: { command, action, args } };
}
