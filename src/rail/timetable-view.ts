import { joinCommas, joinDots, joinLines, oneLine, upperFirst } from "../core/text.ts";
import { crs, defineArgs, minute, oneOf, optional, withDefault } from "../core/component-id.ts";
import {
  ALT_TEXT_LIMIT,
  buttonTo,
  type ActionButton,
  type Reply,
  card,
  escapeMarkdown,
} from "../core/reply.ts";
import { formatUkDay, formatUkTime } from "../time/uk-time.ts";
import type { BoardRow } from "./departures.ts";
import type { BoardPictureModel } from "../render/board-picture.ts";
import { boardPictureModel } from "./board-picture-view.ts";
import type { Timetable } from "./timetable.ts";
import { toOrFrom, rowWords, timeAndDay } from "./board-words.ts";
import { CREDITS, sourceLines, staleMark } from "../sources/source-words.ts";
import { type ViewFormat, viewFormatArg, viewFormatButton } from "./view-format.ts";
import { trainMenu } from "./train-view.ts";

export const timetableArgs = defineArgs({
  station: ["s", crs],
  from: ["a", minute],
  via: ["v", optional(crs)],
  kind: ["k", withDefault(oneOf({ arrivals: "a" }), "departures")],
  format: ["w", viewFormatArg],
});

/** `note` is a sentence about the requested time, `picture` a PNG of {@link timetablePictureModel}. */
export function timetableView(
  timetable: Timetable,
  {
    note,
    picture,
    format,
  }: {
    readonly note?: string | undefined;
    readonly picture?: Uint8Array | undefined;
    readonly format: ViewFormat;
  },
): Reply {
  const { station, from, rows } = timetable;
  const what = escapeMarkdown(whatWords(timetable));
  const heading = `### ${escapeMarkdown(station.name)} timetable\n-# ${upperFirst(what)}${timetable.via ? "," : ""} from ${formatUkTime(from)}, ${formatUkDay(from)}`;
  return card([
    heading,
    note,
    picture && quietWords(timetable),
    picture
      ? { name: "timetable.png", bytes: picture, description: altText(timetable) }
      : rowLines(timetable),
    `-# Scheduled times only. For live trains, use \`/${timetable.kind}\`.\n${sourceLines(timetable)}`,
    trainMenu("timetable", { crs: station.crs, rows, dataAt: from }),
    pageButtons(timetable, format),
  ]);
}

/** e.g. `departures to Leeds`. */
function whatWords({ kind, via }: Timetable): string {
  return via === undefined ? kind : `${kind} ${toOrFrom(kind)} ${via.name}`;
}

/** The model of a board of scheduled trains. It has no clock, because nothing on it is live. */
export function timetablePictureModel(timetable: Timetable): BoardPictureModel {
  const { station, kind, via, rows, from, stale } = timetable;
  const question = { station, kind, via, rows: rows.length };
  const board = boardPictureModel({
    question,
    rows,
    dataAt: from,
    credit: CREDITS.transport,
    laterFrom: undefined,
    next: undefined,
  });
  return {
    ...board,
    subtitle: `Timetable, ${whatWords(timetable)}`,
    clock: undefined,
    age: stale && staleMark(stale),
    headings: { time: "Time", platform: "Plat", expected: "" },
    rows: board.rows.map((row) => ({ ...row, expected: row.mood === "cancelled" ? row.expected : "" })),
    notice: rows.length === 0 ? ["Nothing is scheduled within 24 hours"] : [],
  };
}

function altText(timetable: Timetable): string {
  const { station, from, rows } = timetable;
  const listed = rows.map((row) => {
    const words = rowWords(row, from);
    const train = joinCommas(
      `${timeAndDay(words.time, words)} ${words.place}`,
      words.isBus && "replacement bus",
      words.platform && `platform ${words.platform}`,
      row.state === "cancelled" && "cancelled",
      words.operator,
    );
    return `${train}.`;
  });
  const title = `${station.name} timetable: ${whatWords(timetable)} from ${formatUkTime(from)}, ${formatUkDay(from)}`;
  return oneLine(`${title}. ${listed.join(" ") || nothingWords(timetable)}`, ALT_TEXT_LIMIT);
}

function nothingWords({ kind }: Timetable): string {
  return `Nothing is scheduled to ${kind === "departures" ? "leave" : "arrive"} within 24 hours. Try a later time, or another station nearby.`;
}

function quietWords({ rows, from, kind }: Timetable): string | undefined {
  const [first] = rows;
  const verb = kind === "departures" ? "leaves" : "arrives";
  return first && first.aimedAt.since(from).total("minutes") > QUIET_MINUTES
    ? `Nothing ${verb} before ${rows.length === 1 ? "this one" : "these"}:`
    : undefined;
}

function rowLines(timetable: Timetable): string {
  const { rows, from } = timetable;
  return joinLines(
    rows.length === 0 && nothingWords(timetable),
    quietWords(timetable),
    ...rows.map((row) => rowLine(row, from)),
  );
}

/** If the first train comes later than this, the view says that there is none before. */
const QUIET_MINUTES = 60;

function rowLine(row: BoardRow, from: Timetable["from"]): string {
  const words = rowWords(row, from, undefined, escapeMarkdown);
  const line = joinDots(
    `${timeAndDay(`**${words.time}**`, words)} ${words.place}`,
    words.isBus && "replacement bus",
    words.platform && `platform ${words.platform}`,
    row.state === "cancelled" && "**cancelled**",
  );
  // The operator gets a line of its own, as on boards, because a longer line would wrap on a phone.
  return joinLines(line, words.operator && `-# ${words.operator}`);
}

function pageButtons(
  { station, from, kind, via, earlierFrom, laterFrom }: Timetable,
  format: ViewFormat,
): readonly ActionButton[] {
  const to = (action: string, at = from, otherFormat = format) => ({
    command: "timetable",
    action,
    args: timetableArgs.encode({ station: station.crs, via: via?.crs, kind, from: at, format: otherFormat }),
  });
  return [
    buttonTo("Earlier", to("earlier", earlierFrom), { disabled: earlierFrom === undefined }),
    buttonTo("Later", to("later", laterFrom), { disabled: laterFrom === undefined }),
    viewFormatButton(format, (other) => to("look", from, other)),
  ];
}
