// The buttons with which moderators manage boards. Each carries the board's id alone, and the board's server is
// checked again when it is pressed.
import type { ActionButton } from "../core/reply.ts";

/** What a button does, each to one board: the command's file, and the action in it. */
export const BOARD_ACTIONS = {
  save: { label: "Save", command: "board/draft", action: "save", style: "success" },
  discard: { label: "Discard", command: "board/draft", action: "discard", style: "secondary" },
  card: { label: "Show it", command: "board/list", action: "card", style: "secondary" },
  preview: { label: "Preview", command: "board/preview", action: "preview", style: "secondary" },
  pause: { label: "Pause", command: "board/pause", action: "pause", style: "secondary" },
  resume: { label: "Resume", command: "board/resume", action: "resume", style: "success" },
  move: { label: "Move here", command: "board/resume", action: "move", style: "secondary" },
  edit: { label: "Edit times", command: "board/edit", action: "form", style: "secondary" },
  ask: { label: "Remove", command: "board/remove", action: "ask", style: "danger" },
  remove: { label: "Remove", command: "board/remove", action: "remove", style: "danger" },
  bringBack: { label: "Undo", command: "board/remove", action: "undo", style: "secondary" },
  repair: { label: "Try again", command: "board/list", action: "repair", style: "success" },
  repairHere: { label: "In this channel instead", command: "board/list", action: "here", style: "secondary" },
} as const satisfies Readonly<
  Record<string, { label: string; command: string; action: string; style: ActionButton["style"] }>
>;

/** One button for one board; another label where it stands in another place. */
export function boardManageButton(
  name: keyof typeof BOARD_ACTIONS,
  boardId: string,
  label: string = BOARD_ACTIONS[name].label,
): ActionButton {
  const { command, action, style } = BOARD_ACTIONS[name];
  return { type: "button", label, style, target: { command, action, args: { b: boardId } } };
}
