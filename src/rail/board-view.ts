import { relativeTime } from "../time/words.ts";
import {
  ALT_TEXT_LIMIT,
  type Part,
  type Reply,
  type ReplyFile,
  type Row,
  buttonTo,
  card,
  escapeMarkdown,
  privateCard,
} from "../core/reply.ts";
import { formatUkDay, formatUkTime } from "../time/uk-time.ts";
import type { Board, BoardQuestion, BoardRow } from "./departures.ts";
import { DEFAULT_ROWS, boardArgs, boardButtons } from "./board-args.ts";
import { boardFilters, boardTitle, emptyWords, rowWords, timeAndDay } from "./board-words.ts";
import { staleSentence } from "../sources/source-words.ts";
import { isLondonCode } from "./london.ts";
import { trainMenu } from "./train-view.ts";
import { cutText, joinCommas, joinDots, oneLine, upperFirst } from "../core/text.ts";

/** Shows a board as `picture`, a PNG of its {@link boardPictureModel}, or as text if there is none. */
export function boardView(board: Board, picture: Uint8Array | undefined, note?: string): Reply {
  return boardFrame(board, picture, {
    note,
    footer: smallPrint(board, picture === undefined),
    buttons: boardButtons(board, picture === undefined ? "text" : "picture"),
  });
}

/** A board with the given small print and buttons, which differ between an answer and a channel's message. */
export function boardFrame(
  board: Board,
  picture: Uint8Array | undefined,
  {
    note,
    footer,
    buttons,
  }: { readonly note?: string | undefined; readonly footer: string; readonly buttons: Row },
): Reply {
  const { kind, station } = board.question;
  return card([
    boardHeading(board.question, boardFilters(board, escapeMarkdown)),
    note,
    picture ? boardFile(picture, boardAltText(board)) : boardMarkdown(board),
    board.stale && staleSentence(board.stale),
    messagesPart(board),
    footer,
    // London's trains cannot be opened: nothing is known of them beyond their rows.
    !isLondonCode(station.crs) &&
      trainMenu(kind, { crs: station.crs, rows: board.rows, dataAt: board.dataAt }),
    buttons,
  ]);
}

export function boardFile(bytes: Uint8Array, description: string): ReplyFile {
  return { name: "board.png", bytes, description };
}

/** `filters` are already escaped. */
export function boardHeading(question: BoardQuestion, filters: readonly string[]): string {
  const small = upperFirst(filters.join(" · "));
  return `### ${escapeMarkdown(boardTitle({ question }))}${small && `\n-# ${small}`}`;
}

/** A longer message is cut, and a button shows the rest. */
const FOLDED_LIMIT = 140;

function messagesPart({ question, messages = [] }: Board): Part {
  const [first] = messages;
  if (first === undefined) {
    return undefined;
  }
  if (messages.length === 1 && first.length <= FOLDED_LIMIT) {
    return `-# ℹ️ ${first}`;
  }
  const args = boardArgs.encode({ station: question.station.crs, rows: DEFAULT_ROWS, format: "picture" });
  // Links become plain text first, because a cut link would be broken.
  const beginning = cutText(first.replace(MARKDOWN_LINK, "$1"), FOLDED_LIMIT).replace(/ \S*…$/, "…");
  const more = messages.length - 1;
  return {
    type: "section",
    texts: [`-# ℹ️ ${beginning}${more > 0 ? ` (${more} more)` : ""}`],
    accessory: buttonTo("Read all", { command: question.kind, action: "messages", args }),
  };
}

const MARKDOWN_LINK = /\[((?:\\.|[^\]\\])*)\]\([^)]*\)/g;

export function messagesView({ question: { station }, messages = [], credit }: Board): Reply {
  return privateCard([
    `### ${escapeMarkdown(station.name)}`,
    messages.length === 0
      ? "The station has no messages right now."
      : messages.map((text) => `ℹ️ ${text}`).join("\n"),
    `-# ${credit}`,
  ]);
}

/** Only the text view shows a live age of the data, because a picture does not change. */
function smallPrint(board: Board, showsAge: boolean): string {
  const age = showsAge ? ` (${relativeTime(board.dataAt.epochMilliseconds)})` : "";
  return `-# As of ${formatUkTime(board.dataAt)} UK time, ${formatUkDay(board.dataAt)}${age} · ${board.credit}`;
}

export function boardMarkdown(board: Board): string {
  return board.rows.length === 0
    ? emptySentences(board, escapeMarkdown)
    : board.rows.map((row) => rowMarkdown(row, board)).join("\n");
}

function rowMarkdown(row: BoardRow, board: Board): string {
  const words = rowWords(row, board.dataAt, board.question, escapeMarkdown);
  const { reason } = words;
  const when = timeAndDay(`**${words.time}**`, words);
  const train = `${when}${words.lateness === undefined ? "" : ` → **${words.expected}**`} ${words.place}`;
  const isQuiet = words.lateness !== undefined || words.expected === "On time" || row.state === "scheduled";
  const first = joinDots(
    `${words.isBus ? "🚌 " : ""}${row.state === "cancelled" ? `~~${train}~~` : train}`,
    words.isBus ? "replacement bus" : undefined,
    words.platform && `platform ${words.platform}`,
    !isQuiet && `**${words.expected}**`,
  );
  const second = joinDots(
    words.cut && `**${words.cut}**`,
    words.lateness === undefined
      ? joinDots(isQuiet && words.expected, reason && upperFirst(reason))
      : [words.lateness, reason].filter(Boolean).join(" "),
    words.via,
    words.operator,
  );
  return second === "" ? first : `${first}\n-# ${second}`;
}

/** Fits Discord's limit: if the text is too long, the least important details are left out first. */
export function boardAltText(board: Board): string {
  const head = [boardTitle(board), ...boardFilters(board)].join(", ");
  const start = `${head}. As of ${formatUkTime(board.dataAt)} UK time, ${formatUkDay(board.dataAt)}.`;
  if (board.rows.length === 0) {
    return oneLine(`${start} ${emptySentences(board)}`, ALT_TEXT_LIMIT);
  }
  const written = (["all", "no operators", "no reasons", "short names"] as const).map(
    (style) => `${start} ${board.rows.map((row) => rowSentence(row, board, style)).join(" ")}`,
  );
  const fitting = written.find((text) => text.length <= ALT_TEXT_LIMIT);
  return fitting ?? oneLine(written.at(-1) ?? start, ALT_TEXT_LIMIT);
}

/** Each style also leaves out what the styles before it leave out. */
function rowSentence(
  row: BoardRow,
  board: Board,
  style: "all" | "no operators" | "no reasons" | "short names",
): string {
  const words = rowWords(row, board.dataAt, board.question);
  const parts = joinCommas(
    `${timeAndDay(words.time, words)} ${oneLine(words.place, style === "short names" ? 36 : 60)}`,
    words.cut,
    words.via,
    words.isBus ? "replacement bus" : undefined,
    words.platform && `platform ${words.platform}`,
    words.lateness === undefined
      ? words.expected.toLowerCase()
      : `expected ${words.expected}, ${words.lateness}`,
    (style === "all" || style === "no operators") && words.reason,
    style === "all" && words.operator,
  );
  return `${parts}.`;
}

function emptySentences(board: Board, write: (text: string) => string = String): string {
  const { nothing, next, nextDay, nextState, hint } = emptyWords(board);
  if (next === undefined) {
    return `${nothing}.${hint && ` ${hint}.`}`;
  }
  const day = nextDay && ` ${nextDay}`;
  const state = nextState && ` (${nextState})`;
  const place = `${next.toward} ${write(next.place)}`;
  if (next.first !== undefined) {
    return `${nothing}. ${next.first}: ${next.time} ${place}${state}.`;
  }
  // For arrivals, "The 05:12 from Leeds" would mean a train that leaves Leeds at 05:12.
  return board.question.kind === "departures"
    ? `${nothing}. The next is the ${next.time} ${place}${day}${state}.`
    : `${nothing}. The next is due at ${next.time}${day}, ${place}${state}.`;
}
