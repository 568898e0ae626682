// Boards that keep one message and whose question did not get its turn at the slot: when the answer comes, the message
// is brought up to date. Kept in memory: after a restart the next slot does it.
import type { Log } from "../../core/log.ts";
import type { BoardsTable } from "../../storage/boards-table.ts";
import { MessengerError } from "../../core/ports.ts";
import type { BeginInTurn } from "../sending/begin-in-turn.ts";
import { askKey, asksOf, type BoardData, type WantedAsk } from "../board-data/board-data.ts";
import type { BoardSettings } from "../boards/boards.ts";
import type { SendBoard } from "./send-board.ts";
import type { ReadSettings } from "./settings-reader.ts";
import type { DueBoard } from "./held-slot.ts";
import { isPassing } from "./slot-end.ts";

/** What bringing up to date stands on. */
export interface OwedDependencies {
  readonly boards: Pick<BoardsTable, "get" | "change">;
  readonly data: Pick<BoardData, "content">;
  readonly send: Pick<SendBoard, "edit">;
  readonly readSettings: ReadSettings;
  readonly inTurn: BeginInTurn;
  readonly log: Log;
}

/** The boards that wait for newer data. */
export interface OwedBoards {
  /** Remembers, for a board that keeps its message, whether it shows what was known at this slot. */
  note(board: DueBoard, slotMs: number, isUpToDate: boolean): void;
  /** What they want to know. */
  wanted(): readonly WantedAsk[];
  /** Brings those up to date whose questions are all answered. */
  pay(answered: ReadonlySet<string>): Promise<void>;
  /** Forgets boards that no longer run. */
  keepOnly(boardIds: ReadonlySet<string>): void;
}

interface Owed {
  readonly sinceMs: number;
  readonly settings: BoardSettings;
}

/** Whether all of a board's questions are among those that are answered. */
export function isAnswered(settings: BoardSettings, answered: ReadonlySet<string>): boolean {
  return asksOf(settings).every((ask) => answered.has(askKey(ask)));
}

/** Makes an empty memory. */
export function createOwedBoards(deps: OwedDependencies): OwedBoards {
  const { boards, data, send, readSettings, inTurn, log } = deps;
  const owed = new Map<string, Owed>();

  async function payOne(id: string): Promise<void> {
    await inTurn();
    const record = await boards.get(id);
    const settings = record?.state === "active" ? readSettings(record) : undefined;
    if (record?.messageId === undefined || record.claimedSlotMs !== undefined || settings?.mode !== "edit") {
      return;
    }
    const { channelId, messageId, messageSlotMs = 0, shownHash } = record;
    const message = { id, channelId, messageId, messageSlotMs, shownHash };
    const content = data.content(settings);
    if (content.board === undefined) {
      return;
    }
    // No claim is needed: an edit that comes twice, or from two processes, does no harm.
    const outcome = await send.edit(message, content);
    if (outcome?.shownHash !== undefined) {
      await boards.change(id, outcome);
    }
  }

  return {
    note({ record, settings }, slotMs, isUpToDate) {
      if (settings.mode !== "edit" || isUpToDate) {
        owed.delete(record.id);
      } else {
        owed.set(record.id, { sinceMs: owed.get(record.id)?.sinceMs ?? slotMs, settings });
      }
    },
    wanted: () =>
      [...owed.values()].flatMap(({ sinceMs, settings }) =>
        asksOf(settings).map((ask) => ({ ask, sinceMs })),
      ),
    async pay(answered) {
      const due = [...owed].filter(([, { settings }]) => isAnswered(settings, answered));
      await Promise.all(
        due.map(async ([id, each]) => {
          owed.delete(id);
          try {
            await payOne(id);
          } catch (error) {
            if (!(error instanceof MessengerError)) {
              throw error;
            }
            log.info({ error, board: id }, "a board was not brought up to date");
            // What stays in the way is found at the next slot, which can do something about it.
            if (isPassing(error) && !owed.has(id)) {
              owed.set(id, each);
            }
          }
        }),
      );
    },
    keepOnly(boardIds) {
      for (const id of owed.keys()) {
        if (!boardIds.has(id)) {
          owed.delete(id);
        }
      }
    },
  };
}
