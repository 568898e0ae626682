// A board as a reply: the picture with its alt text, or the same as text, and the buttons.
import { escapeMarkdown, type ContentBlock, type Reply } from "../core/reply.ts";
import { formatUkTime } from "../core/uk-time.ts";
import type { Board } from "../services/departures/departures.ts";
import { ACCENT } from "./accent.ts";
import { boardButtons } from "./board-buttons.ts";
import { boardAltText, boardMarkdown } from "./board-text.ts";
import { boardFilters, boardTitle, formatUkDay } from "./board-words.ts";
import { SOURCE } from "./source-words.ts";
import { staleSentence } from "./stale-words.ts";
import { trainMenu } from "./train-choice.ts";

const PICTURE = "board.png";

/** Shows a board. With `picture`, a PNG of its {@link boardPictureModel}, as that; without one as text. */
export function boardView(board: Board, picture: Uint8Array | undefined): Reply {
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
          { type: "text", text: heading(board) },
          content,
          ...(board.stale ? [{ type: "text" as const, text: staleSentence(board.stale) }] : []),
          { type: "text", text: footer(board, picture === undefined) },
          ...trainMenu(board.question.kind, {
            crs: board.question.station.crs,
            rows: board.rows,
            dataAt: board.dataAt,
          }),
          boardButtons(board, picture === undefined ? "text" : "picture"),
        ],
      },
    ],
    ...(picture && { files: [{ name: PICTURE, bytes: picture, description: boardAltText(board) }] }),
  };
}

function heading(board: Board): string {
  const filters = boardFilters(board, escapeMarkdown).join(" · ");
  return `### ${escapeMarkdown(boardTitle(board))}${filters && `\n-# ${filters}`}`;
}

/** The text view counts the age of its data; the picture stands still anyway. */
function footer(board: Board, counts: boolean): string {
  const age = counts ? ` (<t:${Math.floor(board.dataAt.epochMilliseconds / 1_000)}:R>)` : "";
  return `-# As of ${formatUkTime(board.dataAt)} UK time, ${formatUkDay(board.dataAt)}${age} · ${SOURCE}`;
}
