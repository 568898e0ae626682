// The list of a server's boards, and the buttons that manage a board.
import { joinDots } from "../core/text.ts";
import {
  buttonTo,
  menu,
  type ActionButton,
  type Reply,
  escapeMarkdown,
  privateCard,
  textReply,
} from "../core/reply.ts";
import { formatSchedule } from "../time/schedule.ts";
import type { Subscription } from "./boards.ts";
import { type StationNames, PAUSE_WORDS, boardIdArgs, boardName, slotWords } from "./board-settings-words.ts";
import { createPage } from "../core/pages.ts";

export interface BoardNaming {
  readonly stations: StationNames;
  readonly channels: ReadonlyMap<string, string>;
}

/** `page` counts from 0; if there is no such page any more, the last one is shown. */
export function boardListView(
  boards: readonly Subscription[],
  page: number,
  naming: BoardNaming,
  question?: string,
): Reply {
  if (boards.length === 0) {
    return textReply(
      "This server has no boards yet. Use `/board subscribe` and name a station: you'll see a preview first.",
      "private",
    );
  }
  const { shown, words, buttons } = createPage(page, sortBoards(boards, naming), "board/list");
  return privateCard([
    `### ${question ?? `Boards (${boards.length})${words}`}`,
    shown.map((board) => listLine(board, naming)).join("\n"),
    question !== undefined &&
      shown.length < boards.length &&
      `-# The first ${shown.length} of ${boards.length}. Type more of a board's name to find the others.`,
    menu(
      { command: "board/list", action: "open" },
      "Open a board…",
      shown.map((board) => ({
        label: boardLabel(board, naming),
        value: board.id,
        description: formatSchedule(board.settings.schedule),
      })),
    ),
    // A question lists only matching boards, while the page buttons list all boards.
    ...(question === undefined
      ? [...buttons, [buttonTo("Last 7 days", { command: "board/list", action: "week" })]]
      : []),
  ]);
}

/** Sorts boards by station name, then by channel name; channels without a name come last. */
export function sortBoards(
  boards: readonly Subscription[],
  { stations, channels }: BoardNaming,
): readonly Subscription[] {
  return boards
    .map((board) => ({
      board,
      name: boardName(board.settings, stations),
      channel: channels.get(board.channelId),
    }))
    .toSorted(
      (a, b) =>
        a.name.localeCompare(b.name, "en-GB") ||
        Number(a.channel === undefined) - Number(b.channel === undefined) ||
        (a.channel ?? "").localeCompare(b.channel ?? "", "en-GB"),
    )
    .map(({ board }) => board);
}

/** Plain text for menus and autocomplete, e.g. `York → Leeds in #trains`. */
export function boardLabel(board: Subscription, { stations, channels }: BoardNaming): string {
  const channel = channels.get(board.channelId);
  return `${boardName(board.settings, stations)}${channel === undefined ? "" : ` in #${channel}`}`;
}

function listLine(board: Subscription, { stations }: BoardNaming): string {
  const { settings, channelId } = board;
  return joinDots(
    `**${escapeMarkdown(boardName(settings, stations))}** in <#${channelId}>`,
    formatSchedule(settings.schedule),
    stateWords(board),
  );
}

/** e.g. `next at 17:40 on Friday`, `⏸️ paused because its channel is gone, or I can't see it any more`. */
export function stateWords({ state, nextSlotMs, pausedBecause, settings }: Subscription): string {
  if (state === "paused") {
    return pausedBecause === undefined ? "⏸️ paused" : `⏸️ paused because ${PAUSE_WORDS[pausedBecause]}`;
  }
  return nextSlotMs === undefined ? "running" : `next at ${slotWords(nextSlotMs, settings)}`;
}

// Each button carries only the board's id; pressing it checks that the board belongs to the server.

/** Each has a label, a command's file and an action in that file. */
export const BOARD_ACTIONS = {
  save: { label: "Save", command: "board/draft", action: "save", style: "success" },
  discard: { label: "Discard", command: "board/draft", action: "discard", style: "secondary" },
  card: { label: "Open", command: "board/list", action: "card", style: "secondary" },
  preview: { label: "Preview", command: "board/preview", action: "preview", style: "secondary" },
  pause: { label: "Pause", emoji: "⏸️", command: "board/pause", action: "pause", style: "secondary" },
  resume: { label: "Resume", emoji: "▶️", command: "board/resume", action: "resume", style: "success" },
  move: { label: "Move here", command: "board/resume", action: "move", style: "secondary" },
  edit: { label: "Change times", command: "board/edit", action: "form", style: "secondary" },
  filters: { label: "Filters…", command: "board/edit", action: "filters", style: "secondary" },
  ask: { label: "Remove…", command: "board/remove", action: "ask", style: "secondary" },
  remove: { label: "Remove", command: "board/remove", action: "remove", style: "danger" },
  undo: { label: "Undo", command: "board/remove", action: "remove", style: "secondary" },
  bringBack: { label: "Undo", command: "board/remove", action: "undo", style: "secondary" },
  repair: { label: "Try again", emoji: "🔁", command: "board/list", action: "repair", style: "success" },
  repairHere: { label: "In this channel instead", command: "board/list", action: "here", style: "secondary" },
} as const satisfies Readonly<
  Record<string, Pick<ActionButton, "label" | "emoji" | "style"> & { command: string; action: string }>
>;

/** `label` replaces the usual one if another fits better. */
export function boardManageButton(
  name: keyof typeof BOARD_ACTIONS,
  boardId: string,
  label?: string,
): ActionButton {
  const { command, action, label: usual, ...look } = BOARD_ACTIONS[name];
  return buttonTo(label ?? usual, { command, action, args: boardIdArgs.encode({ id: boardId }) }, look);
}
