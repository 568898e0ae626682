// What a subscriber is told when their board cannot go on. It is read in a direct message, or in the server's channel
// for notices.
import { escapeMarkdown, type Reply } from "../core/reply.ts";
import type { PauseReason, Subscription } from "../services/boards/boards.ts";
import { ACCENT } from "./accent.ts";
import { boardManageButton } from "./board-manage-buttons.ts";
import { boardName, pauseWords, type StationNames } from "./board-settings-words.ts";

/** Says which board stopped, where it stood, why, and what to do. `channelName`: where the channel can still be seen. */
export function boardNoticeView(
  { id, channelId, settings, pausedBecause = "channel-gone" }: Subscription,
  channelName: string | undefined,
  others: number,
  stations: StationNames,
): Reply {
  const name = escapeMarkdown(boardName(settings, stations));
  // Discord's client also knows the server of a channel that is mentioned, but shows it only to those who see it.
  const where = `<#${channelId}>${channelName === undefined ? "" : ` (#${escapeMarkdown(channelName)})`}`;
  return {
    blocks: [
      {
        type: "container",
        accent: ACCENT,
        blocks: [
          { type: "text", text: `### The board for ${name} is paused` },
          {
            type: "text",
            text: `It stood in ${where}, and stopped because ${pauseWords(pausedBecause)}.${othersWords(others)}\n${WHAT_TO_DO[pausedBecause]}`,
          },
          { type: "buttons", buttons: [boardManageButton("repair", id)] },
        ],
      },
    ],
  };
}

function othersWords(others: number): string {
  return others === 0
    ? ""
    : ` With it stopped ${others === 1 ? "your other board" : `your ${others} other boards`} there; the button lets all of them run again.`;
}

const WHAT_TO_DO: Readonly<Record<PauseReason, string>> = {
  "channel-gone":
    "If the channel is still there, give me **View Channel** in it and press the button. If it is gone, use `/board list` in the channel where the board should go on: open the board and choose **Resume here**.",
  "not-allowed":
    "Give me **Send Messages** and **Attach Files** there (in a thread, **Send Messages in Threads**) and press the button. A thread that is locked has to be unlocked.",
  "station-closed": "Choose another station with `/board edit` in the server, then press the button.",
};
