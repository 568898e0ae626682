// One board with everything there is to know about it, and what can be done with it.
import { escapeMarkdown, textReply, type Reply } from "../core/reply.ts";
import { formatSchedule } from "../services/schedule/format-schedule.ts";
import type { Subscription } from "../services/boards/boards.ts";
import { stateWords } from "./board-list-view.ts";
import { boardManageButton } from "./board-manage-buttons.ts";
import { boardName, settingsDetails, type StationNames } from "./board-settings-words.ts";
import { relativeTime } from "./duration.ts";
import { privateCard } from "./private-card.ts";

/** Shows a board, under a sentence on what has just been done with it where there is one. */
export function boardCardView(board: Subscription, stations: StationNames, done?: string): Reply {
  const { id, state } = board;
  const isPaused = state === "paused";
  return privateCard([
    ...(done === undefined ? [] : [{ type: "text" as const, text: done }]),
    { type: "text", text: cardLines(board, stations).join("\n") },
    {
      type: "buttons",
      buttons: [
        boardManageButton("preview", id),
        isPaused ? boardManageButton("resume", id) : boardManageButton("pause", id),
        boardManageButton("edit", id),
        boardManageButton("move", id, isPaused ? "Resume here" : "Move here"),
        boardManageButton("ask", id),
      ],
    },
  ]);
}

function cardLines(board: Subscription, stations: StationNames): readonly string[] {
  const { settings, channelId, createdBy, missed, lastMissedMs, lastSentMs } = board;
  const details = settingsDetails(settings, stations, escapeMarkdown);
  return [
    `### ${escapeMarkdown(boardName(settings, stations))}`,
    `In <#${channelId}>, ${formatSchedule(settings.schedule)}. ${MODE_WORDS[settings.mode]}`,
    `${upperFirst(stateWords(board))}.`,
    ...(lastSentMs === undefined ? [] : [`**Last shown** ${relativeTime(lastSentMs)}`]),
    ...(missed === 0 ? [] : [missedWords(missed, lastMissedMs)]),
    `-# ${[...details, ...(createdBy === undefined ? [] : [`by <@${createdBy}>`])].join(" · ")}`,
  ];
}

/** The first letter; a sign before it stays. */
function upperFirst(text: string): string {
  return text.replace(/\p{L}/u, (letter) => letter.toUpperCase());
}

const MODE_WORDS: Readonly<Record<Subscription["settings"]["mode"], string>> = {
  edit: "One message, kept up to date.",
  replace: "One message, moved to the bottom when it changes.",
  post: "A new message each time.",
};

const TIMES: Readonly<Record<number, string>> = { 1: "once", 2: "twice" };

function missedWords(missed: number, lastMissedMs: number | undefined): string {
  const last = lastMissedMs === undefined ? "" : `, last ${relativeTime(lastMissedMs)}`;
  return `**Missed** ${TIMES[missed] ?? `${missed} times`}${last}, while I or Discord was away`;
}

/** Asks before a board is removed. */
export function removeQuestionView(board: Subscription, stations: StationNames): Reply {
  const message = board.settings.mode === "post" ? "" : " Its message goes with it.";
  return {
    blocks: [
      {
        type: "text",
        text: `Remove **${escapeMarkdown(boardName(board.settings, stations))}** from <#${board.channelId}>?${message} You can bring it back for an hour.`,
      },
      {
        type: "buttons",
        buttons: [boardManageButton("remove", board.id), boardManageButton("card", board.id, "Keep")],
      },
    ],
    visibility: "private",
  };
}

/** After it was removed. */
export function removedView(board: Subscription, stations: StationNames): Reply {
  return {
    blocks: [
      {
        type: "text",
        text: `Removed **${escapeMarkdown(boardName(board.settings, stations))}** from <#${board.channelId}>. You can undo this for an hour.`,
      },
      { type: "buttons", buttons: [boardManageButton("bringBack", board.id)] },
    ],
    visibility: "private",
  };
}

/** After Discard. */
export function discardedView(): Reply {
  return textReply("All right, nothing was saved.", "private");
}
