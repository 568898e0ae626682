// What the buttons of videos and comments remember, small enough for a component's id and readable after a restart.
import { z } from "zod";
import { parseBase36 } from "./base36.ts";

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

/** A page of comments, or of replies to one of them. */
export interface CommentPageArgs {
  readonly videoId: string;
  readonly replyingTo: string | undefined;
  /** Which page, as the service calls it; `undefined` for the first. */
  readonly after: string | undefined;
  readonly isHere: boolean;
}

const videoId = z.string().regex(/^[\da-z-]{1,40}$/i);
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
  .object({ v: videoId, h: here })
  .transform(({ v, h }): VideoArgs => ({ videoId: v, isHere: h === "1" }));

export const listArgsSchema = z.object({ a: after });

export const commentArgsSchema = z
  .object({ v: videoId, c: commentId })
  .transform(({ v, c }): CommentArgs => ({ videoId: v, commentId: c }));

export const commentPageArgsSchema = z
  .object({ v: videoId, r: commentId.optional(), a: after, h: here })
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
