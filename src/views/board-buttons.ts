// The buttons under a board. Each carries the whole question, so that it works after a restart.
import type { Temporal } from "temporal-polyfill";
import type { ActionButton, ButtonsBlock } from "../core/reply.ts";
import { startOfMinute } from "../core/uk-time.ts";
import { BOARD_WINDOW_MINUTES, type Board, type BoardKind } from "../services/departures/departures.ts";
import { formatBoardArgs, type BoardArgs, type BoardLook } from "./board-args.ts";
import { laterStart } from "./board-words.ts";

/** What a button does; each shows a board, with args of its own. `turn` changes sides, `look` the view. */
export type BoardAction = "refresh" | "now" | "later" | "turn" | "look";

/** One row of buttons. */
export function boardButtons(board: Board, look: BoardLook): ButtonsBlock {
  const { kind } = board.question;
  const args = argsOf(board, look);
  const later = nextStart(board);
  const other: BoardKind = kind === "departures" ? "arrivals" : "departures";
  const otherLook: BoardLook = look === "picture" ? "text" : "picture";
  const button = (
    label: string,
    action: BoardAction,
    changed: BoardArgs,
    command: BoardKind = kind,
  ): ActionButton => ({
    type: "button",
    label,
    style: "secondary",
    target: { command, action, args: formatBoardArgs(changed) },
  });
  return {
    type: "buttons",
    buttons: [
      button("Refresh", "refresh", args),
      ...(args.from === undefined ? [] : [button("Now", "now", { ...args, from: undefined })]),
      { ...button("Later", "later", { ...args, from: later ?? args.from }), disabled: later === undefined },
      button(other === "arrivals" ? "Arrivals" : "Departures", "turn", args, other),
      button(otherLook === "text" ? "Text" : "Picture", "look", { ...args, look: otherLook }),
    ],
  };
}

function argsOf(board: Board, look: BoardLook): BoardArgs {
  const { station, via, operator, platform, rows } = board.question;
  return { station: station.crs, via: via?.crs, operator, platform, rows, look, from: laterStart(board) };
}

/** Where "Later" starts: with what did not fit, after the hours that were looked at, or with the next one at all. */
function nextStart(board: Board): Temporal.Instant | undefined {
  const now = startOfMinute(board.dataAt);
  const seenUntil = (laterStart(board) ?? now).add({ minutes: BOARD_WINDOW_MINUTES });
  const start = board.rows.length === 0 ? board.next?.aimedAt : (board.laterFrom ?? seenUntil);
  // Trains that are late may all be due before now, and a past start would show the same board again.
  const soonest = now.add({ minutes: 1 });
  return start !== undefined && start.epochMilliseconds < soonest.epochMilliseconds ? soonest : start;
}
