// What a board's buttons remember, small enough for a component's id and readable after a restart.
import type { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { sizeInId } from "../core/component-id.ts";
import { formatMinute, minuteSchema } from "../time/parse-when.ts";
import type { ActionButton, ButtonsBlock } from "../core/reply.ts";
import { startOfMinute } from "../time/uk-time.ts";
import { BOARD_WINDOW_MINUTES, type Board, type BoardKind } from "./departures.ts";
import { laterStart } from "./board-words.ts";

export type BoardLook = "picture" | "text";

/** Everything needed to show a board again, as far as a person chose it. */
export interface BoardArgs {
  readonly station: string;
  /** Code of the station that departures call at later, or arrivals called at before. */
  readonly via?: string | undefined;
  readonly operator?: string | undefined;
  readonly platform?: string | undefined;
  readonly rows: number;
  readonly look: BoardLook;
  /** First aimed time, to the minute; now where it is absent or past. */
  readonly from?: Temporal.Instant | undefined;
}

/** Rows of a board unless somebody says otherwise. */
export const DEFAULT_ROWS = 8;
/** More would be small print on a phone. */
export const MAX_ROWS = 10;
/** What a person may type for a filter, in characters: room for every real one. */
export const BOARD_TEXT_LIMITS = { operator: 36, platform: 6 } as const;

const crs = z.string().regex(/^[A-Z]{3}$/);

/** Reads what {@link formatBoardArgs} wrote; refuses anything else. */
export const boardArgsSchema = z
  .object({
    s: crs,
    v: crs.optional(),
    o: z.string().min(1).max(BOARD_TEXT_LIMITS.operator).optional(),
    p: z.string().min(1).max(BOARD_TEXT_LIMITS.platform).optional(),
    n: z.coerce.number().int().min(1).max(MAX_ROWS).default(DEFAULT_ROWS),
    w: z.literal("t").optional(),
    a: minuteSchema.optional(),
  })
  .transform(({ s, v, o, p, n, w, a }): BoardArgs => ({
    station: s,
    via: v,
    operator: o,
    platform: p,
    rows: n,
    look: w === "t" ? "text" : "picture",
    from: a,
  }));

/** Writes args for a component's id, leaving out what is as usual. */
export function formatBoardArgs(args: BoardArgs): Record<string, string> {
  return {
    s: args.station,
    ...(args.via !== undefined && { v: args.via }),
    ...(args.operator !== undefined && { o: args.operator }),
    ...(args.platform !== undefined && { p: args.platform }),
    ...(args.rows !== DEFAULT_ROWS && { n: String(args.rows) }),
    ...(args.look === "text" && { w: "t" }),
    ...(args.from !== undefined && { a: formatMinute(args.from) }),
  };
}

/** Whether the buttons can remember these args. */
export function fitsBoardArgs({ operator = "", platform = "" }: BoardArgs): boolean {
  return sizeInId(operator) <= BOARD_TEXT_LIMITS.operator && sizeInId(platform) <= BOARD_TEXT_LIMITS.platform;
}

// The buttons under a board. Each carries the whole question, so that it works after a restart.

/** What a button does; each shows a board, with args of its own. `turn` changes sides, `look` the view. */
export type BoardAction = "refresh" | "now" | "later" | "turn" | "look";

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
