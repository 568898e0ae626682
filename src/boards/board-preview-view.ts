// How a board looks before it is saved, what will happen, and warnings.
import { type Reply, escapeMarkdown, textReply } from "../core/reply.ts";
import { joinLines, listAnd } from "../core/text.ts";
import type { DraftedBoard } from "./board-drafts.ts";
import { PUBLISHED_PER_HOUR, type Subscription } from "./boards.ts";
import { countSlots } from "../time/slots.ts";
import { BOARD_WINDOW_MINUTES } from "../rail/departures.ts";
import { boardManageButton } from "./board-list-view.ts";
import {
  type StationNames,
  boardName,
  gapSentence,
  slotSentence,
  whatHappens,
} from "./board-settings-words.ts";
import { HOUR_MS } from "../time/wall-clock.ts";

/** `shown`: the board as its channel would see it, without Refresh. */
export function boardPreviewView(drafted: DraftedBoard, shown: Reply): Reply {
  const { draft, firstSlotMs, changes } = drafted;
  const texts = joinLines(
    "### Preview",
    whatHappens(draft.channelId, draft.settings),
    changes?.state === "paused"
      ? "It stays paused until you resume it."
      : `${changes === undefined ? "It appears as soon as you save it. " : ""}${slotSentence(firstSlotMs, draft.settings)}`,
    ...previewWarnings(drafted),
    drafted.canUpdateEveryMinute &&
      "-# This board could update every minute. To set that, press **Change times**.",
    draft.settings.mode !== "post" &&
      "-# If the message is deleted, I'll post it again. To stop, use `/board pause` or `/board remove`.",
    "-# Not saved yet. This preview expires in an hour.",
  );
  const buttons = [
    boardManageButton("save", draft.id),
    boardManageButton("edit", draft.id),
    boardManageButton("filters", draft.id),
    boardManageButton("discard", draft.id),
  ];
  return {
    ...shown,
    blocks: [{ type: "text", text: texts }, ...shown.blocks, { type: "buttons", buttons }],
    visibility: "private",
  };
}

/** One sentence for each thing that might surprise a moderator later. */
function previewWarnings({ draft: { settings }, content, firstSlotMs, dataGapMs, unmatched }: DraftedBoard) {
  const published = settings.publish
    ? countSlots(settings.schedule, firstSlotMs - 1, firstSlotMs + HOUR_MS)
    : 0;
  return [
    content.board === undefined && "⚠️ I can't show any trains right now. You can still save the board.",
    unmatched && unmatchedSentence(unmatched),
    dataGapMs !== undefined && dataGapSentence(dataGapMs),
    published > PUBLISHED_PER_HOUR &&
      `⚠️ Discord publishes up to ${PUBLISHED_PER_HOUR} messages an hour from one channel; I'll post the rest without publishing them. Set \`every\` to 10 minutes or more to have them all published.`,
    settings.publish &&
      settings.mode === "replace" &&
      "⚠️ Servers that follow the channel will see “message deleted” each time I move the message. Choose **A new message each time** to avoid that.",
  ];
}

function unmatchedSentence(platforms: readonly string[]): string {
  const used =
    platforms.length === 0 ? "" : ` Platforms in use right now: ${escapeMarkdown(listAnd(platforms))}.`;
  return `⚠️ No train matches these filters in the next two hours.${used} You can still save the board.`;
}

function dataGapSentence(gapMs: number): string {
  const between =
    gapMs > BOARD_WINDOW_MINUTES * 60_000
      ? "In between it shows the last known times, and no trains after two hours."
      : "In between it shows the last known times.";
  const sentence = gapSentence("board", gapMs, "show old trains, or none");
  return Number.isFinite(gapMs) ? `${sentence} ${between}` : sentence;
}

/** The answer to Save, with **Undo** if the board is new. */
export function boardSavedView(board: Subscription, isNew: boolean, stations: StationNames): Reply {
  const when =
    board.nextSlotMs === undefined
      ? "It's paused."
      : isNew
        ? "It'll be there in a moment."
        : slotSentence(board.nextSlotMs, board.settings);
  const name = escapeMarkdown(boardName(board.settings, stations));
  return textReply(`Saved: **${name}**. ${whatHappens(board.channelId, board.settings)} ${when}`, "private", [
    boardManageButton("card", board.id),
    ...(isNew ? [boardManageButton("undo", board.id)] : []),
  ]);
}
