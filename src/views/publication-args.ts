// What the buttons of publications carry, and where they go.
import { z } from "zod";
import type { ActionButton } from "../core/reply.ts";
import { formatPublicationMark } from "../services/publish/publication-mark.ts";

const id = z.string().regex(/^[\w-]{4,32}$/);
const moment = z
  .string()
  .regex(/^[0-9a-z]{1,10}$/)
  .transform((text) => Number.parseInt(text, 36));

/** Args of what stands on a publication's own messages; `a` marks the one for approvers. */
export const publicationArgsSchema = z.object({ p: id });

/** Args of Approve: `t` is the moment of what was shown. */
export const approveArgsSchema = z.object({ p: id, t: moment });

/** Args of what stands on the card of a draft. Another key than above: a card is never taken for the message. */
export const draftArgsSchema = z.object({ d: id });

/** Args of the choice among servers: the message with the files. */
export const serverArgsSchema = z.object({ m: z.string().regex(/^\d{1,20}$/) });

/** What a button on a publication's message does. */
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

/** A button on a publication's message, or on the one for approvers. */
export function publicationButton(
  action: PublicationAction,
  mark: { readonly id: string; readonly forApprovers: boolean },
  more: Readonly<Record<string, string>> = {},
): ActionButton {
  const args = { ...formatPublicationMark(mark), ...more };
  const command = action === "look" ? "video/doubt" : "video/publication";
  return { type: "button", ...LOOKS[action], target: { command, action, args } };
}

/** What a button of /video's other commands does with a published video. */
export type PublishedAction = "show" | "edit" | "comments" | "stats" | "delete";

const PUBLISHED: Readonly<
  Record<PublishedAction, Pick<ActionButton, "label" | "emoji"> & { readonly action: string }>
> = {
  show: { label: "Details", action: "open" },
  edit: { label: "Edit", emoji: "✏️", action: "form" },
  comments: { label: "Comments", emoji: "💬", action: "open" },
  stats: { label: "Statistics", emoji: "📈", action: "open" },
  delete: { label: "Delete", emoji: "🗑️", action: "open" },
};

/** A button on the message of a publication that became a video; it carries the publication's mark as well. */
export function publishedButton(
  what: PublishedAction,
  videoId: string,
  mark: { readonly id: string; readonly forApprovers: boolean },
): ActionButton {
  const { action, ...look } = PUBLISHED[what];
  const args = { v: videoId, ...formatPublicationMark(mark) };
  return { type: "button", ...look, target: { command: `video/${what}`, action, args } };
}

/** A moment as an arg. */
export function formatMoment(ms: number): string {
  return ms.toString(36);
}

/** What a button on a draft's card does. */
export function draftButton(
  action: "go" | "edit" | "discard",
  draftId: string,
  look: Pick<ActionButton, "label" | "emoji" | "style">,
): ActionButton {
  return { type: "button", ...look, target: { command: "video/card", action, args: { d: draftId } } };
}
