// The buttons of one comment. Whose it is is checked again when one is pressed.
import type { ActionButton } from "../core/reply.ts";
import { formatCommentArgs, type CommentArgs } from "./video-args.ts";

const COMMENT_ACTIONS = {
  reply: { label: "Answer", style: "primary" },
  edit: { label: "Edit", style: "secondary" },
  hide: { label: "Hide", style: "secondary" },
  unhide: { label: "Show again", style: "success" },
  ask: { label: "Delete…", style: "secondary" },
  delete: { label: "Delete for good", style: "danger" },
  keep: { label: "Keep", style: "secondary" },
} as const satisfies Readonly<Record<string, Pick<ActionButton, "label" | "style">>>;

export function commentButton(action: keyof typeof COMMENT_ACTIONS, args: CommentArgs): ActionButton {
  return {
    type: "button",
    ...COMMENT_ACTIONS[action],
    target: { command: "video/comment", action, args: formatCommentArgs(args) },
  };
}
