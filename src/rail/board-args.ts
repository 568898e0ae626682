// The arguments of a board's buttons, short enough for a custom id and readable after a restart.
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
  sizeInId,
} from "../core/component-id.ts";
import { buttonTo, type Row } from "../core/reply.ts";
import { upperFirst } from "../core/text.ts";
import { isBefore, startOfMinute } from "../time/uk-time.ts";
import { BOARD_WINDOW_MINUTES, type Board, type BoardKind } from "./departures.ts";
import { laterStart } from "./board-words.ts";
import { PLACE_CODE, isLondonCode } from "./london.ts";
import { OPERATOR_LIMIT } from "./operators.ts";
import { type ViewFormat, viewFormatArg, viewFormatButton } from "./view-format.ts";

/** The rows of a board if nobody asks for another number. */
export const DEFAULT_ROWS = 8;
/** With more rows, the picture would be too small to read on a phone. */
export const MAX_ROWS = 10;
/** The longest filters that can be typed, in characters; every real name fits. */
export const BOARD_TEXT_LIMITS = { operator: OPERATOR_LIMIT, platform: 6 } as const;

export const boardArgs = defineArgs({
  station: ["s", textLike(PLACE_CODE)],
  /** Code of the station at which departures call later, or arrivals have called before. */
  via: ["v", optional(crs)],
  operator: ["o", optional(anyText(BOARD_TEXT_LIMITS.operator))],
  platform: ["p", optional(anyText(BOARD_TEXT_LIMITS.platform))],
  rows: ["n", withDefault(integer(1, MAX_ROWS), DEFAULT_ROWS)],
  format: ["w", viewFormatArg],
  /** First aimed time, to the minute. If it is absent or past, the board starts now. */
  from: ["a", optional(minute)],
});

export type BoardArgs = ArgsOf<typeof boardArgs>;

/** Whether these arguments fit into a custom id. */
export function fitsBoardArgs({
  operator = "",
  platform = "",
}: Pick<BoardArgs, "operator" | "platform">): boolean {
  return sizeInId(operator) <= BOARD_TEXT_LIMITS.operator && sizeInId(platform) <= BOARD_TEXT_LIMITS.platform;
}

/** `turn` switches departures and arrivals, `look` picture and text; `pick` chooses the station that was meant. */
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
  const other = kind === "departures" ? "arrivals" : "departures";
  return [
    buttonTo("Earlier", to("earlier", { from: earlierStart(board) }), { disabled: from === undefined }),
    // Refresh and Now share a place, so that the other buttons do not move.
    from === undefined ? buttonTo("Refresh", to("refresh")) : buttonTo("Now", to("now", { from: undefined })),
    buttonTo("Later", to("later", { from: later ?? from }), { disabled: later === undefined }),
    !isLondonCode(station.crs) && buttonTo(upperFirst(other), to("turn", {}, other)),
    viewFormatButton(format, (otherFormat) => to("look", { format: otherFormat })),
  ];
}

/** The start of "Earlier": one length of the board before its own start; `undefined` for now. */
function earlierStart(board: Board): Temporal.Instant | undefined {
  const from = laterStart(board);
  const until = board.laterFrom ?? from?.add({ minutes: BOARD_WINDOW_MINUTES });
  const start = from && until && from.subtract(from.until(until));
  return start && isBefore(startOfMinute(board.dataAt), start) ? start : undefined;
}

/** The start of "Later": the first row that did not fit, the end of these hours, or an empty board's next train. */
function nextStart(board: Board): Temporal.Instant | undefined {
  const now = startOfMinute(board.dataAt);
  const seenUntil = (laterStart(board) ?? now).add({ minutes: BOARD_WINDOW_MINUTES });
  const further = isLondonCode(board.question.station.crs) ? undefined : seenUntil;
  const start = board.rows.length === 0 ? board.next?.aimedAt : (board.laterFrom ?? further);
  // If all trains are late, their aimed times may be past, and a past start would show the same board again.
  const soonest = now.add({ minutes: 1 });
  return start !== undefined && start.epochMilliseconds < soonest.epochMilliseconds ? soonest : start;
}
