// What the picture of a board shows.
import { joinDots } from "../core/text.ts";
import { formatUkDay, formatUkTime } from "../time/uk-time.ts";
import type { BoardPictureModel, BoardPictureRow, Mood } from "../render/board-picture.ts";
import type { Board, BoardRow, RowState } from "./departures.ts";
import { boardFilters, emptyWords, placeWord, rowWords } from "./board-words.ts";
import { staleMark } from "../sources/source-words.ts";

const MOODS: Readonly<Record<RowState, Mood>> = {
  cancelled: "cancelled",
  delayed: "late",
  late: "late",
  early: "plain",
  "on-time": "plain",
  scheduled: "quiet",
};

export function boardPictureModel(board: Board): BoardPictureModel {
  const isDepartures = board.question.kind === "departures";
  const { kind, via } = board.question;
  const heading = isDepartures ? "Departures" : "Arrivals";
  return {
    station: board.question.station.name,
    subtitle: via === undefined ? heading : `${heading} ${placeWord(kind)} ${via.name}`,
    filters: boardFilters(board).join(" · ") || undefined,
    clock: formatUkTime(board.dataAt),
    day: formatUkDay(board.dataAt),
    placeHeading: isDepartures ? "Destination" : "Origin",
    rows: board.rows.map((row) => pictureRow(row, board)),
    notice: board.rows.length === 0 ? notice(board) : [],
    footer: [
      `As of ${formatUkTime(board.dataAt)} UK time${board.stale ? `, ${staleMark(board.stale)}` : ""}`,
      "source: transportapi.com",
    ],
  };
}

function pictureRow(row: BoardRow, board: Board): BoardPictureRow {
  const words = rowWords(row, board.dataAt);
  const bus = words.platform === undefined ? "Replacement bus" : `Replacement bus, plat ${words.platform}`;
  return {
    time: words.time,
    day: words.day,
    place: words.place,
    platform: words.isBus ? "Bus" : words.platform,
    expected: words.expected,
    remark: words.lateness,
    detail: joinDots(words.isBus ? bus : undefined, words.operator) || undefined,
    mood: MOODS[row.state],
  };
}

function notice(board: Board): readonly string[] {
  const { nothing, next, nextDay, nextState, looked, hint } = emptyWords(board);
  return next === undefined
    ? [nothing, looked && `None known ${looked}`, hint].filter(Boolean)
    : [
        nothing,
        `${next.first ?? "Next"}: ${next.time} ${next.toward} ${next.place}`,
        [nextDay, nextState].filter(Boolean).join(", "),
      ].filter(Boolean);
}
