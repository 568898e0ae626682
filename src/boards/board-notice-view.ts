// Sent when the bot pauses a board: to the subscriber, or to the server's channel for notices.
import { type Reply, card, escapeMarkdown, textReply } from "../core/reply.ts";
import type { PauseReason, Subscription } from "./boards.ts";
import type { Boards } from "./subscriptions.ts";
import { boardManageButton } from "./board-list-view.ts";
import { type StationNames, PAUSE_WORDS, boardName, slotSentence } from "./board-settings-words.ts";

/** Absent names are unknown or should not be shown. */
export interface NoticePlace {
  readonly guild?: string | undefined;
  readonly channel?: string | undefined;
}

/** `others`: how many more boards stopped with it. */
export function boardNoticeView(
  board: Subscription,
  place: NoticePlace,
  others: number,
  stations: StationNames,
): Reply {
  const { id, settings, pausedBecause = "channel-gone" } = board;
  const name = escapeMarkdown(boardName(settings, stations));
  return card([
    `### The board for ${name} is paused`,
    `It was in ${placeWords(board, place)}, and stopped because ${PAUSE_WORDS[pausedBecause]}.${othersWords(others)}\n${WHAT_TO_DO[pausedBecause]}`,
    [boardManageButton("repair", id)],
  ]);
}

/** e.g. `**#trains** on **Commuters** (<#11>)`: a mention names a channel only to people who see it. */
function placeWords({ channelId, pausedBecause }: Subscription, { guild, channel }: NoticePlace): string {
  const mention = `<#${channelId}>`;
  const named = channel === undefined ? mention : `**#${escapeMarkdown(channel)}**`;
  const where = guild === undefined ? named : `${named} on **${escapeMarkdown(guild)}**`;
  return named === mention || pausedBecause === "channel-gone" ? where : `${where} (${mention})`;
}

function othersWords(others: number): string {
  return others === 0
    ? ""
    : ` ${others === 1 ? "Your other board there has" : `Your ${others} other boards there have`} stopped too. The button restarts them all.`;
}

const WHAT_TO_DO: Readonly<Record<PauseReason, string>> = {
  "channel-gone":
    "If the channel still exists, give me **View Channel** there (in a private thread, mention me first) and press the button. If it's gone, use `/board list` in the channel where you want the board, open it there and press **Resume here**.",
  "not-allowed":
    "Give me **Send Messages** and **Attach Files** there (in a thread, **Send Messages in Threads**) and press the button. If the thread is locked, unlock it first.",
  "station-closed":
    "Choose another station with `/board edit` in the server, then press the button. If the person who runs this bot turned the station's times off, they can turn them on again.",
};

/** `offersHere`: whether to offer to move the board to the present channel if it still cannot run. */
export function repairView(
  { board, others, obstacle }: Awaited<ReturnType<Boards["repair"]>>,
  offersHere: boolean,
  stations: StationNames,
): Reply {
  const { id, settings, channelId, nextSlotMs, pausedBecause } = board;
  if (obstacle !== undefined) {
    const resumed =
      others === 0
        ? ""
        : ` ${others === 1 ? "Another board that stopped with this one is" : `${others} other boards that stopped with this one are`} running again.`;
    const canMove = offersHere && pausedBecause !== "station-closed";
    return textReply(
      `${obstacle}${resumed}`,
      "private",
      canMove ? [boardManageButton("repairHere", id)] : [],
    );
  }
  const first = nextSlotMs === undefined ? "" : ` ${slotSentence(nextSlotMs, settings)}`;
  const also =
    others === 0 ? "" : ` ${others === 1 ? "So is another board" : `So are ${others} other boards`} there.`;
  const text = `✅ **${escapeMarkdown(boardName(settings, stations))}** is running again in <#${channelId}>.${first}${also}`;
  return textReply(text);
}
