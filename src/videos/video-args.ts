// What the buttons of videos and comments remember, small enough for a component's id and readable after a restart.
import {
  type Arg,
  type ArgsOf,
  base36,
  defineArgs,
  flag,
  optional,
  textLike,
} from "../core/component-args.ts";
import { parseBase36, parseComponentId } from "../core/component-id.ts";
import { type ActionButton, buttonTo } from "../core/reply.ts";

const publicationId = textLike(/^[\w-]{4,32}$/);
const serviceId = textLike(/^[\da-z-]{1,40}$/i);
/** Which page, as the service calls it; absent for the first. */
const after = optional(textLike(/^\w{1,60}$/));
/** The parts of a comment's id are long numbers; earlier buttons have them as they are. */
const commentId: Arg<string> = {
  write: shorten,
  read: (written) =>
    /^(?:[\w-]{1,80}|(?:\.[\da-z]{1,30}){1,4})$/i.test(written) ? lengthen(written) : undefined,
};

/** Which video. `replacesMessage`: on messages of the person's own, whose place the answer takes; on a message of all it stands beside it. */
export const videoArgs = defineArgs({ videoId: ["v", serviceId], replacesMessage: ["h", flag] });
export type VideoArgs = ArgsOf<typeof videoArgs>;

/** What a form showed as it was opened; forms of earlier versions do not say. */
const seenTexts = optional(textLike(/^[\w-]{1,30}$/));

export const videoFormArgs = defineArgs({
  videoId: ["v", serviceId],
  replacesMessage: ["h", flag],
  seen: ["s", seenTexts],
});

/** The same on the message of a publication, whose mark it carries. */
export const manageArgs = defineArgs({
  videoId: ["v", serviceId],
  replacesMessage: ["h", flag],
  publicationId: ["p", optional(publicationId)],
});

export const listArgs = defineArgs({ after: ["a", after] });

export const commentArgs = defineArgs({ videoId: ["v", serviceId], commentId: ["c", commentId] });
export type CommentArgs = ArgsOf<typeof commentArgs>;

export const commentPageArgs = defineArgs({
  videoId: ["v", serviceId],
  replyingTo: ["r", optional(commentId)],
  after: ["a", after],
  replacesMessage: ["h", flag],
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
  remove: { label: "Remove", command: "video/delete", action: "remove", style: "danger" },
  deleteSure: { label: "Delete…", command: "video/delete", action: "sure", style: "danger" },
  deleteForGood: { label: "Delete for good", command: "video/delete", action: "delete", style: "danger" },
} as const satisfies Readonly<
  Record<string, { label: string; command: string; action: string; style: ActionButton["style"] }>
>;

/** `replacesMessage`: the answer replaces the message, which is the person's own; otherwise it is a message of its own. */
export function videoButton(
  name: keyof typeof VIDEO_ACTIONS,
  videoId: string,
  { replacesMessage = false, label }: { readonly replacesMessage?: boolean; readonly label?: string } = {},
): ActionButton {
  const { command, action, style, label: usual } = VIDEO_ACTIONS[name];
  const target = { command, action, args: videoArgs.encode({ videoId, replacesMessage }) };
  return buttonTo(label ?? usual, target, { style });
}

// What the buttons of publications carry, and where they go.

const moment = base36(10);

/** Args of components on a publication's own messages; the message's mark follows them. */
export const publicationArgs = defineArgs({ id: ["p", publicationId] });

export const publicationFormArgs = defineArgs({ id: ["p", publicationId], seen: ["s", seenTexts] });

export const foundArgs = defineArgs({
  id: ["p", publicationId],
  videoId: ["v", serviceId],
});

/** `seen`: the videos that were shown to the person, none of them theirs; a component's id has room for about five. */
export const againArgs = defineArgs({
  id: ["p", publicationId],
  seen: [
    "v",
    optional<readonly string[]>({
      // Earlier buttons have them as they are.
      write: (ids) => shorten(ids.join("_")),
      read: (written) =>
        /^(?:[\da-z-]{1,40}(?:_[\da-z-]{1,40})*|(?:\.[\da-z]{1,30})+)$/i.test(written)
          ? lengthen(written).split("_")
          : undefined,
    }),
  ],
});

export const approveArgs = defineArgs({ id: ["p", publicationId], seenAtMs: ["t", moment] });

/** Args of what stands on the card of a draft. Another key than above: a card is never taken for the message. */
export const draftArgs = defineArgs({ id: ["d", publicationId] });

export const serverArgs = defineArgs({ messageId: ["m", textLike(/^\d{1,20}$/)] });

/** Args of the history's buttons. Those of earlier versions have no id: they go on before all entries of that moment. */
export const historyArgs = defineArgs({
  atMs: ["b", optional(moment)],
  id: ["i", optional(textLike(/^[0-9a-z]{1,30}$/))],
});

interface PublicationMark {
  readonly id: string;
  readonly forApprovers: boolean;
  /** When approval was asked for again: that is another message. */
  readonly approvalAskedAtMs?: number | undefined;
}

/** What all components of a publication's messages carry: by it a message is found again after a crash or a lost answer. */
export function formatPublicationMark(mark: PublicationMark): Readonly<Record<string, string>> {
  const { id, forApprovers, approvalAskedAtMs } = mark;
  return forApprovers ? { p: id, a: approvalAskedAtMs?.toString(36) ?? "1" } : { p: id };
}

export function hasPublicationMark(componentIds: readonly string[], mark: PublicationMark): boolean {
  const { p, a } = formatPublicationMark(mark);
  return componentIds.some((componentId) => {
    const { command = "", args = {} } = parseComponentId(componentId) ?? {};
    return command.startsWith("video/") && args["p"] === p && args["a"] === a;
  });
}

export type PublicationAction = "approve" | "refuse" | "change" | "cancel" | "retry" | "look" | "details";

const PUBLICATION_BUTTONS: Readonly<
  Record<PublicationAction, Pick<ActionButton, "label" | "emoji" | "style">>
> = {
  approve: { label: "Approve", emoji: "✅", style: "success" },
  refuse: { label: "Refuse", emoji: "✖️", style: "danger" },
  change: { label: "Edit", emoji: "✏️" },
  cancel: { label: "Cancel", emoji: "⏹️" },
  retry: { label: "Try again", emoji: "🔁", style: "primary" },
  look: { label: "Look for it", emoji: "🔎", style: "primary" },
  details: { label: "Details" },
};

/** A button on a publication's message, or on the one for approvers. `seenAtMs`: the moment of what Approve is pressed on. */
export function publicationButton(
  action: PublicationAction,
  mark: PublicationMark,
  seenAtMs?: number,
): ActionButton {
  const args = {
    ...formatPublicationMark(mark),
    ...(seenAtMs !== undefined && approveArgs.encode({ id: mark.id, seenAtMs })),
  };
  const command = action === "look" ? "video/doubt" : "video/publication";
  return { type: "button", ...PUBLICATION_BUTTONS[action], target: { command, action, args } };
}

export function manageButton(videoId: string, mark: PublicationMark): ActionButton {
  const args = { v: videoId, ...formatPublicationMark(mark) };
  return buttonTo("Manage", { command: "video/show", action: "open", args }, { emoji: "⚙️" });
}

export function draftButton(
  action: "go" | "edit" | "discard",
  draftId: string,
  look: Pick<ActionButton, "label" | "emoji" | "style" | "disabled">,
): ActionButton {
  return {
    type: "button",
    ...look,
    target: { command: "video/card", action, args: draftArgs.encode({ id: draftId }) },
  };
}
