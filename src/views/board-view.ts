// A board as a reply: the picture with its alt text, or the same as text, and the buttons.
import { escapeMarkdown, type ButtonsBlock, type ContentBlock, type Reply } from "../core/reply.ts";
import { formatUkTime, formatUkDay } from "../core/uk-time.ts";
import type { Board, BoardQuestion } from "../services/departures/departures.ts";
import { ACCENT } from "./accent.ts";
import { boardButtons } from "./board-buttons.ts";
import { boardAltText, boardMarkdown } from "./board-text.ts";
import { boardFilters, boardTitle } from "./board-words.ts";
import { SOURCE } from "./source-words.ts";
import { staleSentence } from "./stale-words.ts";
import { trainMenu } from "./train-choice.ts";

const PICTURE = "board.png";

/** Shows a board. With `picture`, a PNG of its {@link boardPictureModel}, as that; without one as text. */
export function boardView(board: Board, picture: Uint8Array | undefined): Reply {
  return boardFrame(board, picture, {
    footer: smallPrint(board, picture === undefined),
    buttons: boardButtons(board, picture === undefined ? "text" : "picture"),
  });
}

/** A board with the small print and the buttons of its place: an answer to a person, or a channel's message. */
export function boardFrame(
  board: Board,
  picture: Uint8Array | undefined,
  { footer, buttons }: { readonly footer: string; readonly buttons: ButtonsBlock },
): Reply {
  const content: ContentBlock =
    picture === undefined
      ? { type: "text", text: boardMarkdown(board) }
      : { type: "gallery", items: [{ file: PICTURE }] };
  return {
    blocks: [
      {
        type: "container",
        accent: ACCENT,
        blocks: [
          { type: "text", text: boardHeading(board.question, boardFilters(board, escapeMarkdown)) },
          content,
          ...(board.stale ? [{ type: "text" as const, text: staleSentence(board.stale) }] : []),
          { type: "text", text: footer },
          ...trainMenu(board.question.kind, {
            crs: board.question.station.crs,
            rows: board.rows,
            dataAt: board.dataAt,
          }),
          buttons,
        ],
      },
    ],
    ...(picture && { files: [{ name: PICTURE, bytes: picture, description: boardAltText(board) }] }),
  };
}

/** What a board shows; `filters` are escaped. */
export function boardHeading(question: BoardQuestion, filters: readonly string[]): string {
  const small = filters.join(" · ");
  return `### ${escapeMarkdown(boardTitle({ question }))}${small && `\n-# ${small}`}`;
}

/** The text view counts the age of its data; the picture stands still anyway. */
function smallPrint(board: Board, counts: boolean): string {
  const age = counts ? ` (<t:${Math.floor(board.dataAt.epochMilliseconds / 1_000)}:R>)` : "";
  return `-# As of ${formatUkTime(board.dataAt)} UK time, ${formatUkDay(board.dataAt)}${age} · ${SOURCE}`;
}
