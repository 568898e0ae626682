// The buttons with which a video is looked after. Each carries the video's id alone, and whose it is is checked again
// when it is pressed.
import type { ActionButton } from "../core/reply.ts";
import { formatVideoArgs } from "./video-args.ts";

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
