// What a board's buttons remember, small enough for a component's id and readable after a restart.
import {
  type ArgsOf,
  anyText,
  defineArgs,
  crs,
  integer,
  minute,
  optional,
  textLike,
  withDefault,
} from "../core/component-args.ts";
import { sizeInId } from "../core/component-id.ts";
import { buttonTo, type Row } from "../core/reply.ts";
import { isBefore, startOfMinute } from "../time/uk-time.ts";
import { BOARD_WINDOW_MINUTES, type Board, type BoardKind } from "./departures.ts";
import { laterStart } from "./board-words.ts";
import { PLACE_CODE, isLondonCode } from "./london.ts";
import { type ViewFormat, viewFormatArg, viewFormatButton } from "./view-format.ts";

/** Rows of a board unless somebody says otherwise. */
export const DEFAULT_ROWS = 8;
/** More would be small print on a phone. */
export const MAX_ROWS = 10;
/** What a person may type for a filter, in characters: room for every real one. */
export const BOARD_TEXT_LIMITS = { operator: 36, platform: 6 } as const;

/** Everything needed to show a board again, as far as a person chose it. */
export const boardArgs = defineArgs({
  station: ["s", textLike(PLACE_CODE)],
  /** Code of the station that departures call at later, or arrivals called at before. */
  via: ["v", optional(crs)],
  operator: ["o", optional(anyText(BOARD_TEXT_LIMITS.operator))],
  platform: ["p", optional(anyText(BOARD_TEXT_LIMITS.platform))],
  rows: ["n", withDefault(integer(1, MAX_ROWS), DEFAULT_ROWS)],
  format: ["w", viewFormatArg],
  /** First aimed time, to the minute; now where it is absent or past. */
  from: ["a", optional(minute)],
});

export type BoardArgs = ArgsOf<typeof boardArgs>;

/** Whether the buttons can remember these args. */
export function fitsBoardArgs({
  operator = "",
  platform = "",
}: Pick<BoardArgs, "operator" | "platform">): boolean {
  return sizeInId(operator) <= BOARD_TEXT_LIMITS.operator && sizeInId(platform) <= BOARD_TEXT_LIMITS.platform;
}

// The buttons under a board. Each carries the whole question, so that it works after a restart.

/**
 * What a button does; each shows a board, with args of its own. `turn` changes sides, `look` the view, and `pick` names
 * the station that was meant. `messages` shows what the station tells its passengers.
 */
export type BoardAction = "refresh" | "earlier" | "now" | "later" | "turn" | "look" | "pick" | "messages";

export function boardButtons(board: Board, format: ViewFormat): Row {
  const { kind, station, via, operator, platform, rows } = board.question;
  const from = laterStart(board);
  const args = { station: station.crs, via: via?.crs, operator, platform, rows, format, from };
  const to = (action: BoardAction, changed: Partial<BoardArgs> = {}, command: BoardKind = kind) => ({
    command,
    action,
    args: boardArgs.encode({ ...args, ...changed }),
  });
  const later = nextStart(board);
  return [
    buttonTo("Earlier", to("earlier", { from: earlierStart(board) }), { disabled: from === undefined }),
    // Each stands where it stood before it was pressed.
    from === undefined ? buttonTo("Refresh", to("refresh")) : buttonTo("Now", to("now", { from: undefined })),
    buttonTo("Later", to("later", { from: later ?? from }), { disabled: later === undefined }),
    !isLondonCode(station.crs) &&
      (kind === "departures"
        ? buttonTo("Arrivals", to("turn", {}, "arrivals"))
        : buttonTo("Departures", to("turn", {}, "departures"))),
    viewFormatButton(format, (other) => to("look", { format: other })),
  ];
}

/** Where "Earlier" starts: as long before as the board reaches, or `undefined` for now. */
function earlierStart(board: Board): Temporal.Instant | undefined {
  const from = laterStart(board);
  const until = board.laterFrom ?? from?.add({ minutes: BOARD_WINDOW_MINUTES });
  const start = from && until && from.subtract(from.until(until));
  return start && isBefore(startOfMinute(board.dataAt), start) ? start : undefined;
}

/** Where "Later" starts: with what did not fit, after the hours that were looked at, or with the next one at all. */
function nextStart(board: Board): Temporal.Instant | undefined {
  const now = startOfMinute(board.dataAt);
  const seenUntil = (laterStart(board) ?? now).add({ minutes: BOARD_WINDOW_MINUTES });
  const further = isLondonCode(board.question.station.crs) ? undefined : seenUntil;
  const start = board.rows.length === 0 ? board.next?.aimedAt : (board.laterFrom ?? further);
  // Trains that are late may all be due before now, and a past start would show the same board again.
  const soonest = now.add({ minutes: 1 });
  return start !== undefined && start.epochMilliseconds < soonest.epochMilliseconds ? soonest : start;
}
