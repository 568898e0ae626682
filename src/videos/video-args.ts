// What the buttons of videos and comments remember, small enough for a component's id and readable after a restart.
import { type Arg, type ArgsOf, defineArgs, flag, optional, textLike } from "../core/component-args.ts";
import { parseBase36 } from "../core/component-id.ts";
import { buttonTo, type ActionButton } from "../core/reply.ts";
import { publicationId } from "./publication-args.ts";

const serviceId = textLike(/^[\da-z-]{1,40}$/i);
/** Which page, as the service calls it; absent for the first. */
const after = optional(textLike(/^\w{1,60}$/));
/** The parts of a comment's id are long numbers; earlier buttons have them as they are. */
const commentId: Arg<string> = {
  write: shorten,
  read: (written) =>
    /^(?:[\w-]{1,80}|(?:\.[\da-z]{1,30}){1,4})$/i.test(written) ? lengthen(written) : undefined,
};

/** Which video. `isHere`: on messages of the person's own, whose place the answer takes; on a message of all it stands beside it. */
export const videoArgs = defineArgs({ videoId: ["v", serviceId], isHere: ["h", flag] });
export type VideoArgs = ArgsOf<typeof videoArgs>;

/** The same on the message of a publication, whose mark it carries. */
export const manageArgs = defineArgs({
  videoId: ["v", serviceId],
  isHere: ["h", flag],
  publicationId: ["p", optional(publicationId)],
});

export const listArgs = defineArgs({ after: ["a", after] });

export const commentArgs = defineArgs({ videoId: ["v", serviceId], commentId: ["c", commentId] });
export type CommentArgs = ArgsOf<typeof commentArgs>;

export const commentPageArgs = defineArgs({
  videoId: ["v", serviceId],
  replyingTo: ["r", optional(commentId)],
  after: ["a", after],
  isHere: ["h", flag],
});
export type CommentPageArgs = ArgsOf<typeof commentPageArgs>;

/** What is left of a component's id beside the longest names and a page. */
const ROOM = 60;

export function fitsCommentArgs(comment: CommentArgs): boolean {
  return comment.videoId.length + shorten(comment.commentId).length <= ROOM;
}

/** e.g. `10203040506071818_31` becomes `.2sf0qrtyzsa.v`. */
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

// Whose a video is is checked again when a button is pressed.

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

/** `isHere`: the answer takes the place of the message, which is the person's own; otherwise it stands beside it. */
export function videoButton(
  name: keyof typeof VIDEO_ACTIONS,
  videoId: string,
  { isHere = false, label }: { readonly isHere?: boolean; readonly label?: string } = {},
): ActionButton {
  const { command, action, style, label: usual } = VIDEO_ACTIONS[name];
  const target = { command, action, args: videoArgs.encode({ videoId, isHere }) };
  return buttonTo(label ?? usual, target, { style });
}
