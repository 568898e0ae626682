// What the buttons of publications carry, and where they go.
import { defineArgs, base36, optional, textLike } from "../core/component-args.ts";
import { type ActionButton, buttonTo } from "../core/reply.ts";
import { parseComponentId } from "../core/component-id.ts";

export const publicationId = textLike(/^[\w-]{4,32}$/);
const moment = base36(10);

/** Args of components on a publication's own messages; the message's mark follows them. */
export const publicationArgs = defineArgs({ id: ["p", publicationId] });

export const foundArgs = defineArgs({
  id: ["p", publicationId],
  videoId: ["v", textLike(/^[\da-z-]{1,40}$/i)],
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

const LOOKS: Readonly<Record<PublicationAction, Pick<ActionButton, "label" | "emoji" | "style">>> = {
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
  return { type: "button", ...LOOKS[action], target: { command, action, args } };
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
