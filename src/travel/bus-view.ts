import {
  ALT_TEXT_LIMIT,
  buttonTo,
  type ActionButton,
  type Reply,
  type Row,
  card,
  escapeMarkdown,
} from "../core/reply.ts";
import { sliceFrom } from "../core/pages.ts";
import { formatUkDay, formatUkTime, minutesBetween } from "../time/uk-time.ts";
import type { BusBoard, BusDeparture } from "./buses.ts";
import type { BoardPictureModel } from "../render/board-picture.ts";
import type { Mood } from "../render/dot-screen.ts";
import { dayAndTime, latenessWords } from "../rail/board-words.ts";
import { type ViewFormat, viewFormatButton } from "../rail/view-format.ts";
import { joinDots, oneLine } from "../core/text.ts";
import { type BusAction, type BusArgs, busTarget, placesTarget } from "./places-args.ts";
import { CREDITS, plainCredit, sourceLines, staleMark } from "../sources/source-words.ts";

const BUSES_SHOWN = 8;
/** Smaller delays are not highlighted, because buses are a minute or two late all day long. */
const LATE_MINUTES = 5;

/** `skip`: how many buses to leave out. `picture`: a PNG of {@link busPictureModel} instead of words. */
export function busView(
  board: BusBoard,
  { skip, format }: Pick<BusArgs, "skip" | "format">,
  picture?: Uint8Array,
): Reply {
  const part = sliceFrom(board.departures, skip, BUSES_SHOWN);
  const rows = part.shown.map((departure) => departureMarkdown(departure, board));
  return card([
    heading(board),
    picture
      ? { name: "buses.png", bytes: picture, description: altText(board, part.shown) }
      : rows.join("\n") || noBusesSentence(board),
    sourceLines({ ...board, credit: CREDITS[board.source] }),
    busButtons(board, part, format),
  ]);
}

/** Transport for London looks half an hour ahead. */
function noBuses({ source }: BusBoard): string {
  return `No buses in the next ${source === "tfl" ? "half hour" : "few hours"}`;
}

function noBusesSentence(board: BusBoard): string {
  return `${noBuses(board)}, as far as I know.`;
}

function heading(board: BusBoard): string {
  const details = joinDots(
    board.locality && oneLine(board.locality, 60),
    directionWord(board),
    soleOperator(board),
  );
  return `### 🚌 ${escapeMarkdown(title(board))}${details && `\n-# ${escapeMarkdown(details)}`}`;
}

function title({ name, atco }: BusBoard): string {
  return oneLine(name ?? "", 70) || `Stop ${atco}`;
}

const DIRECTIONS: Readonly<Record<string, string>> = { N: "north", E: "east", S: "south", W: "west" };

/** e.g. `southbound`, `north-eastbound`, for `S` and `NE`. */
function directionWord({ bearing = "" }: BusBoard): string | undefined {
  const parts = Array.from(bearing.toUpperCase(), (letter) => DIRECTIONS[letter]);
  return parts.length > 0 && parts.length < 3 && !parts.includes(undefined)
    ? `${parts.join("-")}bound`
    : undefined;
}

/** The operator if all buses have the same one; it is then named only once. */
function soleOperator({ departures }: BusBoard): string | undefined {
  const [first, ...others] = new Set(departures.map(({ operator }) => operator));
  return others.length === 0 && first !== undefined ? oneLine(first, 40) : undefined;
}

/** A departure in words: when it comes, whether that is live or from the timetable, and how late it is. */
function busWords(departure: BusDeparture, { now }: BusBoard) {
  const { aimedAt, expectedAt, isCancelled } = departure;
  const at = expectedAt ?? aimedAt ?? now;
  const minutes = minutesBetween(now, at);
  const lateMinutes = aimedAt && expectedAt ? minutesBetween(aimedAt, expectedAt) : 0;
  const status = isCancelled
    ? "cancelled"
    : expectedAt
      ? (latenessWords(lateMinutes) ?? (aimedAt ? "on time" : "live"))
      : "timetable";
  const mood: Mood = isCancelled
    ? "cancelled"
    : lateMinutes >= LATE_MINUTES
      ? "late"
      : expectedAt
        ? "plain"
        : "quiet";
  const time = dayAndTime(at, now);
  const due = isCancelled ? "Cancelled" : minutes < 1 ? "Due" : minutes < 60 ? `${minutes} min` : time;
  return { due, status, mood, time, note: due === time ? status : `${time}, ${status}` };
}

function departureMarkdown(departure: BusDeparture, board: BusBoard): string {
  const { line, direction, operator } = departure;
  const { due, note } = busWords(departure, board);
  const bus = `**${escapeMarkdown(oneLine(line, 12))}**${direction ? ` ${escapeMarkdown(oneLine(direction, 50))}` : ""}`;
  const by =
    soleOperator(board) === undefined && operator ? ` · ${escapeMarkdown(oneLine(operator, 40))}` : "";
  return `${departure.isCancelled ? `~~${bus}~~` : bus} · **${due}** (${note})${by}`;
}

function altText(board: BusBoard, shown: readonly BusDeparture[]): string {
  const rows = shown.map((departure) => {
    const { due, note } = busWords(departure, board);
    return `${joinDots(departure.line, departure.direction)}, ${due} (${note}).`;
  });
  return oneLine(`Buses from ${title(board)}. ${rows.join(" ") || noBusesSentence(board)}`, ALT_TEXT_LIMIT);
}

/** The picture of a stop in the style of a station's board: line, destination, minutes. */
export function busPictureModel(board: BusBoard, skip: number): BoardPictureModel {
  const { shown } = sliceFrom(board.departures, skip, BUSES_SHOWN);
  const isMixed = soleOperator(board) === undefined;
  return {
    station: title(board),
    subtitle: `Buses${directionWord(board) === undefined ? "" : `, ${directionWord(board)}`}`,
    filters: undefined,
    clock: formatUkTime(board.dataAt),
    day: formatUkDay(board.dataAt),
    age: board.stale && staleMark(board.stale),
    isClosed: false,
    placeHeading: "Destination",
    headings: { time: "Line", platform: "", expected: "Due" },
    rows: shown.map((departure) => {
      const { due, status, mood, time } = busWords(departure, board);
      return {
        time: oneLine(departure.line, 5),
        day: undefined,
        place: oneLine(departure.direction ?? "", 60),
        platform: undefined,
        expected: due,
        remark: joinDots(due !== time && time, status !== "cancelled" && status),
        detail: isMixed && departure.operator ? oneLine(departure.operator, 40) : undefined,
        mood,
      };
    }),
    notice: shown.length === 0 ? [noBuses(board)] : [],
    credit: plainCredit(CREDITS[board.source]),
  };
}

function busButtons(
  { atco, name, point }: BusBoard,
  { start, before, after }: Pick<ReturnType<typeof sliceFrom>, "start" | "before" | "after">,
  format: ViewFormat,
): Row {
  const button = (label: string, action: BusAction, skip: number): ActionButton =>
    buttonTo(label, busTarget(action, { atco, skip, format }));
  const near =
    point && placesTarget("near", { near: { ...point, name: name ?? "that stop" }, page: 1, skip: 0 });
  return [
    button("Refresh", "refresh", start),
    before !== undefined && button("Earlier", "back", before),
    after !== undefined && button("Later", "more", after),
    near && buttonTo("Near here", near),
    viewFormatButton(format, (other) => busTarget("look", { atco, skip: start, format: other })),
  ];
}
