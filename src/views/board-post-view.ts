// A channel's board as a message.
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { ACCENT } from "./accent.ts";
import { escapeMarkdown, type ButtonsBlock, type Reply } from "../core/reply.ts";
import { formatBoardMark, type BoardMark } from "../services/boards/board-mark.ts";
import { boardQuestion } from "../services/board-data/board-rows.ts";
import type { BoardContent } from "../services/boards/boards.ts";
import type { PresentBoard } from "../services/board-runner/run-boards.ts";
import type { Board } from "../services/departures/departures.ts";
import type { Pictures } from "../render/drawing.ts";
import type { Stations } from "../services/stations/stations.ts";
import { boardPictureModel } from "./board-picture-model.ts";
import { AGE_STEP_MS, boardPostFooter, nothingKnownWords } from "./board-post-words.ts";
import { boardFrame, boardHeading } from "./board-view.ts";
import { boardTitle, questionFilters, rowWords } from "./board-words.ts";

/** What boards are presented with. */
export interface BoardPresenterDependencies {
  readonly pictures: Pick<Pictures, "board">;
  readonly stations: Pick<Stations, "byCrs">;
}

/** Boards of equal content come at one slot, between others: enough for most that come together, at some 13 KB each. */
const KEPT_PICTURES = 200;

/** Makes the presenter of one process; equal pictures are drawn once. */
export function createBoardPresenter({ pictures, stations }: BoardPresenterDependencies): PresentBoard {
  const drawn = new LRUCache<string, Promise<Uint8Array>>({ max: KEPT_PICTURES });

  function draw(board: Board): Promise<Uint8Array> {
    const model = boardPictureModel(board);
    const key = hashOf(model);
    const known = drawn.get(key);
    if (known) {
      return known;
    }
    const drawing = pictures.board(model).catch((error: unknown) => {
      drawn.delete(key);
      throw error;
    });
    drawn.set(key, drawing);
    return drawing;
  }

  return (content, { id: boardId, slotMs }) => {
    const buttons = postButtons({ boardId, slotMs });
    const { board, settings } = content;
    if (board === undefined) {
      const question = boardQuestion(settings, stations);
      const heading = boardHeading(question, questionFilters(question, escapeMarkdown));
      return {
        // A moment that has passed is promised no longer.
        hash: hashOf([heading, nothingKnownWords(content)]),
        reply: () => Promise.resolve(nothingKnownReply(heading, content, buttons)),
      };
    }
    return {
      hash: `${settings.look}:${boardHash(board)}`,
      async reply() {
        const picture = settings.look === "picture" ? await draw(board) : undefined;
        return boardFrame(board, picture, { footer: boardPostFooter(board, content), buttons });
      },
    };
  };
}

function nothingKnownReply(heading: string, content: BoardContent, buttons: ButtonsBlock): Reply {
  return {
    blocks: [
      {
        type: "container",
        accent: ACCENT,
        blocks: [
          { type: "text", text: heading },
          { type: "text", text: nothingKnownWords(content) },
          buttons,
        ],
      },
    ],
  };
}

function postButtons(mark: BoardMark): ButtonsBlock {
  return {
    type: "buttons",
    buttons: [
      {
        type: "button",
        label: "Refresh",
        style: "secondary",
        target: { command: "board/show", action: "refresh", args: { ...formatBoardMark(mark) } },
      },
    ],
  };
}

/** Boards with equal settings share one value: it is put into words once. */
const HASHES = new WeakMap<Board, string>();

/** What the rows say, and the age of the data in coarse steps. */
function boardHash(board: Board): string {
  const known = HASHES.get(board);
  if (known !== undefined) {
    return known;
  }
  const { question, rows, next, dataAt } = board;
  const words = [...rows, ...(next ? [next] : [])].map((row) => ({
    ...rowWords(row, dataAt),
    state: row.state,
    train: row.trainUid,
  }));
  const age = Math.floor(dataAt.epochMilliseconds / AGE_STEP_MS);
  const hash = hashOf([boardTitle(board), questionFilters(question), words, age]);
  HASHES.set(board, hash);
  return hash;
}

function hashOf(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 22);
}
