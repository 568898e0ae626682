import { joinCommas, joinDots, upperFirst } from "../core/text.ts";
import { formatUkDay, formatUkTime } from "../time/uk-time.ts";
import type { BoardPictureModel, BoardPictureRow } from "../render/board-picture.ts";
import type { Mood } from "../render/dot-screen.ts";
import type { Board, BoardQuestion, BoardRow } from "./departures.ts";
import { boardFilters, emptyWords, toOrFrom, questionFilters, rowWords } from "./board-words.ts";
import { isLondonCode } from "./london.ts";
import { plainCredit, staleMark } from "../sources/source-words.ts";
import { lineColour } from "../sources/tfl/london-stops.ts";

/** A shorter delay is written, but not coloured. */
const LOUD_MINUTES = 5;

function moodOf({ state, delayMinutes = LOUD_MINUTES }: BoardRow): Mood {
  if (state === "expected") {
    return "plain";
  }
  if (state === "cancelled" || state === "scheduled") {
    return state === "cancelled" ? "cancelled" : "quiet";
  }
  return state === "delayed" || (state === "late" && delayMinutes >= LOUD_MINUTES) ? "late" : "plain";
}

export function boardPictureModel(board: Board): BoardPictureModel {
  return {
    ...headOf(board.question, boardFilters(board)),
    clock: formatUkTime(board.dataAt),
    day: formatUkDay(board.dataAt),
    age: board.stale && staleMark(board.stale),
    isClosed: false,
    rows: board.rows.map((row) => pictureRow(row, board)),
    notice: board.rows.length === 0 ? notice(board) : [],
    credit: plainCredit(board.credit),
  };
}

/** The model of a channel's board that is not updated at the moment, with the reason in place of trains. */
export function closedPictureModel(question: BoardQuestion, closed: string): BoardPictureModel {
  return {
    ...headOf(question, questionFilters(question)),
    clock: undefined,
    day: "",
    age: undefined,
    isClosed: true,
    rows: [],
    notice: [closed, "Press Refresh to see the trains now"],
    credit: undefined,
  };
}

const LONDON_HEADINGS = { time: "Time", platform: "Plat", expected: "Due" };

function headOf({ kind, station, via }: BoardQuestion, filters: readonly string[]) {
  const heading = kind === "departures" ? "Departures" : "Arrivals";
  const { crs, name, stop } = station;
  return {
    station: stop?.name ?? name,
    // The modes, e.g. “Tube”, have more room in the second line.
    subtitle: via === undefined ? joinDots(heading, stop?.modes) : `${heading} ${toOrFrom(kind)} ${via.name}`,
    filters: upperFirst(filters.join(" · ")) || undefined,
    placeHeading: kind === "departures" ? "Destination" : "Origin",
    ...(isLondonCode(crs) && { headings: LONDON_HEADINGS }),
  };
}

function pictureRow(row: BoardRow, board: Board): BoardPictureRow {
  const words = rowWords(row, board.dataAt, board.question);
  const bus = words.platform === undefined ? "Replacement bus" : `Replacement bus, plat ${words.platform}`;
  return {
    time: words.time,
    day: row.line === undefined ? words.day : undefined,
    place: words.place,
    platform: words.isBus ? "Bus" : words.platform,
    expected: words.expected,
    remark: words.lateness,
    warning: words.cut,
    detail: joinDots(words.isBus ? bus : undefined, words.via, words.operator) || undefined,
    mood: moodOf(row),
    colour: row.line === undefined ? undefined : lineColour(row.line),
  };
}

function notice(board: Board): readonly string[] {
  const { nothing, next, nextDay, nextState, hint } = emptyWords(board);
  const first = next && `${next.first ?? "Next"}: ${next.time} ${next.toward} ${next.place}`;
  return [nothing, first ?? hint, joinCommas(nextDay, nextState)].filter(Boolean);
}
