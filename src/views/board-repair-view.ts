// What comes of the repair button under a notice.
import { escapeMarkdown, type Reply } from "../core/reply.ts";
import type { Subscription } from "../services/boards/boards.ts";
import { boardManageButton } from "./board-manage-buttons.ts";
import { boardName, slotSentence, type StationNames } from "./board-settings-words.ts";

/** Takes the notice's place. */
export function repairedView(
  { settings, channelId, nextSlotMs }: Subscription,
  others: number,
  stations: StationNames,
): Reply {
  const first = nextSlotMs === undefined ? "" : ` ${slotSentence("Next", nextSlotMs, settings)}`;
  const also = others === 0 ? "" : ` ${others === 1 ? "Another board" : `${others} other boards`} there too.`;
  const text = `✅ **${escapeMarkdown(boardName(settings, stations))}** runs again in <#${channelId}>.${first}${also}`;
  return { blocks: [{ type: "text", text }] };
}

/** Stands beside the notice. `offersHere`: whether the board may as well stand where this is read. */
export function repairFailedView(obstacle: string, board: Subscription, offersHere: boolean): Reply {
  const canMove = offersHere && board.pausedBecause !== "station-closed";
  return {
    blocks: [
      { type: "text", text: obstacle },
      ...(canMove
        ? [{ type: "buttons" as const, buttons: [boardManageButton("repairHere", board.id)] }]
        : []),
    ],
    visibility: "private",
  };
}
