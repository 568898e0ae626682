// Short enough for a component's id, and valid after a restart.
import {
  type Arg,
  type ArgsOf,
  base36,
  defineArgs,
  flag,
  optional,
  textLike,
  parseBase36,
  parseComponentId,
} from "../core/component-id.ts";
import { type ActionButton, buttonTo } from "../core/reply.ts";

const publicationId = textLike(/^[\w-]{4,32}$/);
const serviceId = textLike(/^[\da-z-]{1,40}$/i);
const after = optional(textLike(/^\w{1,60}$/));
/** Its parts are long numbers, which are shortened; buttons of earlier versions have them unshortened. */
const commentId: Arg<string> = {
  write: shorten,
  read: (written) =>
    /^(?:[\w-]{1,80}|(?:\.[\da-z]{1,30}){1,4})$/i.test(written) ? lengthen(written) : undefined,
};

/** `replacesMessage`: the answer replaces the message, which only the person sees. Absent on public ones. */
const videoFields = { videoId: ["v", serviceId], replacesMessage: ["h", flag] } as const;
export const videoArgs = defineArgs(videoFields);
export type VideoArgs = ArgsOf<typeof videoArgs>;

/** The texts that a form showed; absent in forms of earlier versions. */
const seenTexts = optional(textLike(/^[\w-]{1,30}$/));

export const videoFormArgs = defineArgs({ ...videoFields, seen: ["s", seenTexts] });

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

/** The characters that the longest names and a page leave in a component's id. */
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

// When a button is pressed, the bot checks again that the video belongs to the server.

const VIDEO_ACTIONS = {
  show: { label: "Show video", command: "video/show", action: "open", style: "secondary" },
  edit: { label: "Edit", emoji: "✏️", command: "video/edit", action: "form", style: "secondary" },
  comments: { label: "Comments", command: "video/comments", action: "open", style: "secondary" },
  stats: { label: "Statistics", command: "video/stats", action: "open", style: "secondary" },
  figures: { label: "All figures", command: "video/stats", action: "figures", style: "secondary" },
  delete: { label: "Delete…", command: "video/delete", action: "open", style: "secondary" },
  remove: { label: "Remove", command: "video/delete", action: "remove", style: "danger" },
  deleteSure: { label: "Delete…", command: "video/delete", action: "sure", style: "danger" },
  deleteForGood: { label: "Delete for good", command: "video/delete", action: "delete", style: "danger" },
} as const satisfies Readonly<
  Record<string, Pick<ActionButton, "label" | "emoji" | "style"> & { command: string; action: string }>
>;

/** `replacesMessage`: the answer replaces the message, which is the person's own; otherwise it is a new message. */
export function videoButton(
  name: keyof typeof VIDEO_ACTIONS,
  videoId: string,
  { replacesMessage = false, label }: { readonly replacesMessage?: boolean; readonly label?: string } = {},
): ActionButton {
  const { command, action, label: usual, ...look } = VIDEO_ACTIONS[name];
  const target = { command, action, args: videoArgs.encode({ videoId, replacesMessage }) };
  return buttonTo(label ?? usual, target, look);
}

const time = base36(10);

/** Followed by the message's mark. */
export const publicationArgs = defineArgs({ id: ["p", publicationId] });

export const publicationFormArgs = defineArgs({ id: ["p", publicationId], seen: ["s", seenTexts] });

export const foundArgs = defineArgs({ id: ["p", publicationId], videoId: ["v", serviceId] });

/** `seen`: videos that the person has seen and rejected; a component's id has room for about five. */
export const againArgs = defineArgs({
  id: ["p", publicationId],
  seen: [
    "v",
    optional<readonly string[]>({
      // Buttons of earlier versions contain them unshortened.
      write: (ids) => shorten(ids.join("_")),
      read: (written) =>
        /^(?:[\da-z-]{1,40}(?:_[\da-z-]{1,40})*|(?:\.[\da-z]{1,30})+)$/i.test(written)
          ? lengthen(written).split("_")
          : undefined,
    }),
  ],
});

export const approveArgs = defineArgs({ id: ["p", publicationId], seenAtMs: ["t", time] });

/**
 * The key differs from a publication's, so that a card is never taken for its message. `asksApproval`: whether the card
 * said so.
 */
export const draftArgs = defineArgs({ id: ["d", publicationId], asksApproval: ["a", flag] });

/** Identifies the account that the question was about; absent in buttons of earlier versions. */
export const unlinkArgs = defineArgs({ linkedAtMs: ["t", optional(time)] });

export const serverArgs = defineArgs({ messageId: ["m", textLike(/^\d{1,20}$/)] });

/** Buttons of earlier versions have no id: they show entries before that time. */
export const historyArgs = defineArgs({
  atMs: ["b", optional(time)],
  id: ["i", optional(textLike(/^[0-9a-z]{1,30}$/))],
});

interface PublicationMark {
  readonly id: string;
  readonly forApprovers: boolean;
  /** Identifies the request's message. */
  readonly approvalAskedAtMs?: number | undefined;
}

/** Identifies a publication's message after a crash or a lost answer. */
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

/** `seenAtMs`: the `stateAtMs` of what Approve applies to. */
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
  draft: ArgsOf<typeof draftArgs>,
  look: Pick<ActionButton, "label" | "emoji" | "style" | "disabled">,
): ActionButton {
  return {
    type: "button",
    ...look,
    target: { command: "video/card", action, args: draftArgs.encode(draft) },
  };
}
