import { joinDots, joinLines } from "../core/text.ts";
import { LRUCache } from "lru-cache";
import { type ActionButton, buttonTo, card, escapeMarkdown } from "../core/reply.ts";
import { onceForEach } from "../core/cache-options.ts";
import { type ArgsOf, base36, defineArgs, textLike, parseComponentId } from "../core/component-id.ts";
import { boardQuestion } from "./planning/board-rows.ts";
import type { BoardContent } from "./planning/board-contents.ts";
import type { Board } from "../rail/departures.ts";
import type { BoardPictureModel, drawBoardPicture } from "../render/board-picture.ts";
import { boardPictureModel, closedPictureModel } from "../rail/board-picture-view.ts";
import { boardFile, boardFrame, boardHeading } from "../rail/board-view.ts";
import { boardTitle, questionFilters, rowWords } from "../rail/board-words.ts";
import { formatUkTime } from "../time/uk-time.ts";
import { nextSlot } from "../time/slots.ts";
import { relativeTime } from "../time/words.ts";
import { type RenderedMessage, hashContent } from "../delivery/deliver.ts";
import { formatTiming } from "../time/schedule.ts";
import type { StationNames } from "./board-settings-words.ts";

/** How many pictures stay in memory, some 13 KB each; enough for most boards that are due at the same time. */
const KEPT_PICTURES = 200;

export type PresentBoard = ReturnType<typeof createBoardPresenter>;

/** Equal pictures are drawn once. */
export function createBoardPresenter(deps: {
  readonly pictures: { readonly board: typeof drawBoardPicture };
  readonly stations: StationNames;
}) {
  const { pictures, stations } = deps;
  const drawn = new LRUCache<string, Uint8Array, BoardPictureModel>({
    max: KEPT_PICTURES,
    // A picture that is evicted while it is being drawn is still needed.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _old, { context: model }) => pictures.board(model),
  });

  const draw = (model: BoardPictureModel): Promise<Uint8Array> =>
    drawn.forceFetch(hashContent(model), { context: model });

  /** `slotMs` is stored in the Refresh button, so that the message can be found again. Without it there is no button. */
  return (
    content: BoardContent,
    { id: boardId, slotMs }: { readonly id: string; readonly slotMs?: number },
  ): RenderedMessage => {
    const buttons = slotMs === undefined ? [] : [refreshButton({ boardId, slotMs })];
    const { board, closed, settings } = content;
    if (board !== undefined) {
      return {
        // A message with the same hash is left alone, so every setting that changes what it shows must be part of it.
        hash: `${settings.look}:${boardHash(board)}`,
        async reply() {
          const picture = settings.look === "picture" ? await draw(boardPictureModel(board)) : undefined;
          return boardFrame(board, picture, { footer: boardPostFooter(board, content), buttons });
        },
      };
    }
    const question = boardQuestion(settings, stations);
    const heading = boardHeading(question, questionFilters(question, escapeMarkdown));
    if (closed === undefined) {
      // The text contains the time of the next data, so the hash changes after that time.
      const words = nothingKnownWords(content);
      return { hash: hashContent([heading, words]), reply: async () => card([heading, words, buttons]) };
    }
    return {
      hash: `${CLOSED}${hashContent([heading, closed, settings.look])}`,
      async reply() {
        if (settings.look === "text") {
          return card([heading, `💤 **${closed}**`, buttons]);
        }
        const bytes = await draw(closedPictureModel(question, closed));
        return card([heading, boardFile(bytes, `${boardTitle({ question })}. ${closed}.`), buttons]);
      },
    };
  };
}

/** Begins the hash of a message that says that its board is paused or outside its hours. */
const CLOSED = "closed:";

export function isShownClosed({ shownHash }: { readonly shownHash: string | undefined }): boolean {
  return shownHash?.startsWith(CLOSED) ?? false;
}

/** The Refresh button names its board and slot, so that the message can be found after a crash. */
export const boardSlotArgs = defineArgs({
  boardId: ["b", textLike(/^.+$/s)],
  /**
   * A whole minute, in milliseconds since the epoch; 0 for a message that belongs to no slot, e.g. one of `/board show`.
   * Six base-36 digits of minutes reach past the year 6000.
   */
  slotMs: ["s", base36(6, 60_000)],
});

type BoardSlot = ArgsOf<typeof boardSlotArgs>;

function refreshButton(slot: BoardSlot): ActionButton {
  return buttonTo("Refresh", { command: "board/show", action: "refresh", args: boardSlotArgs.encode(slot) });
}

/** Reads the board and slot from the ids of a message's components; `undefined` if none of them is a Refresh button. */
export function findBoardSlot(componentIds: readonly string[]): BoardSlot | undefined {
  const target = componentIds
    .map((id) => parseComponentId(id))
    .find((each) => each?.command === "board/show" && each.action === "refresh");
  return target && boardSlotArgs.decode(target.args);
}

/** A hash of the rows' text and of the data's age in steps of {@link AGE_STEP_MS}. Boards with equal settings share one `Board`. */
const boardHash = onceForEach((board: Board): string => {
  const { question, rows, next, dataAt, messages } = board;
  const words = [...rows, ...(next ? [next] : [])].map((row) => ({
    ...rowWords(row, dataAt, question),
    state: row.state,
    train: row.trainUid,
  }));
  const told = messages && messages.length > 0 ? [messages] : [];
  const age = Math.floor(dataAt.epochMilliseconds / AGE_STEP_MS);
  return hashContent([boardTitle(board), questionFilters(question), words, ...told, age]);
});

// Only a channel's board says when new data comes; /departures does not.

/** If only the data's age changes, a message is edited at most once in this time. */
const AGE_STEP_MS = 10 * 60_000;

/** The message may be edited late, so the line must read well with "in 5 minutes" and with "2 hours ago". */
function boardPostFooter({ dataAt, credit }: Board, content: BoardContent): string {
  const asOf = `As of ${formatUkTime(dataAt)} UK time (${relativeTime(dataAt.epochMilliseconds)})`;
  return `-# ${joinDots(asOf, updateWords(dataAt.epochMilliseconds, content), credit)}`;
}

function updateWords(
  dataMs: number,
  { nextDataMs, settings: { schedule }, isPaused }: BoardContent,
): string | undefined {
  if (isPaused) {
    return "paused";
  }
  const { timing } = schedule;
  // If new data says the same, the message changes at the next step of the age.
  const stepMs = (Math.floor(dataMs / AGE_STEP_MS) + 1) * AGE_STEP_MS;
  const dueMs =
    nextDataMs === undefined || nextDataMs >= stepMs ? nextDataMs : nextSlot(schedule, stepMs - 1);
  if (dueMs === undefined) {
    return undefined;
  }
  // A board that is checked every 5 minutes does not always change. Without this text it would seem to be late.
  return dueMs !== nextDataMs && "every" in timing
    ? `checked ${formatTiming(timing)}`
    : `next update due ${relativeTime(dueMs)}`;
}

/** Discord shows the time as "in 5 minutes", later as "ago". */
function nothingKnownWords({ nextDataMs, whyUnknown, settings: { mode } }: BoardContent): string {
  const due = nextDataMs === undefined ? "" : ` (new ones due ${relativeTime(nextDataMs)})`;
  // In this mode, each update is a new message, so this one never changes.
  const isFinal = mode === "post";
  return joinLines(
    `There are no train times right now${due}.${due || isFinal ? "" : " They'll appear as soon as I get some."}`,
    whyUnknown === "spent" &&
      "-# This bot's train data is limited: `/about` shows how many requests are left.",
    whyUnknown === "failed" &&
      `-# I couldn't get them from the train data service.${isFinal ? "" : " I'll keep trying."}`,
  );
}
