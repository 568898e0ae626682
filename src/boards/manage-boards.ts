// Starting and stopping boards, and what several parts of the boards' management do.
import { UserError } from "../core/errors.ts";
import type { BoardChanges, BoardRecord, BoardsTable } from "./boards-table.ts";
import type { Connection, Messenger, Platform } from "../core/ports.ts";
import type { Stations } from "../rail/stations.ts";
import type { Sources } from "../sources/compose.ts";
import type { BoardData } from "./planning/ask-boards.ts";
import { checkBoardSettings, checkPlace } from "./board-settings.ts";
import { type PresentBoard, isShownClosed } from "./board-post-view.ts";
import { type Subscription, isSaved, readSubscription } from "./boards.ts";
import { MESSAGE_RESET, deleteKeptMessage, showClosed } from "./kept-message.ts";
import { addOutcome } from "./slot-history.ts";
import { nextSlot } from "../time/slots.ts";

export interface BoardsDeps
  extends Pick<Platform, "rights" | "clock" | "log">, Pick<Sources, "plans" | "answering"> {
  readonly table: BoardsTable;
  readonly data: BoardData;
  readonly messenger: Pick<Messenger, "check" | "delete" | "edit">;
  readonly connection: Pick<Connection, "channelName">;
  readonly present: PresentBoard;
  readonly stations: Stations;
  /** The most active and paused boards that a server may have. */
  readonly perGuild: number;
  /** The zone of schedules where nobody names another. */
  readonly timeZone: string;
}

/** How long a draft waits to be saved, and a removed board to be brought back. */
export const UNDO_WINDOW_MS = 60 * 60_000;

/** Gives a server's own board, active or paused unless `fits` says otherwise. Throws a UserError for any other id. */
export async function requireBoard(
  table: BoardsTable,
  guildId: string,
  id: string,
  fits: (board: Subscription) => boolean = isSaved,
): Promise<Subscription> {
  const record = await table.get(id);
  const board = record?.guildId === guildId ? readSubscription(record) : undefined;
  if (board === undefined || !fits(board)) {
    throw boardNotFound();
  }
  return board;
}

export function boardNotFound(): UserError {
  return new UserError(
    "I can't find that board here; it may have been removed. `/board list` shows this server's boards.",
  );
}

/** The same, or a draft that waits to be saved. */
export function requireEditable(table: BoardsTable, guildId: string, id: string): Promise<Subscription> {
  return requireBoard(table, guildId, id, (board) => isSaved(board) || board.state === "draft");
}

export function tooManyBoards(perGuild: number): UserError {
  return new UserError(
    `This server already has ${perGuild === 1 ? "the one board it can have" : `all the ${perGuild} boards it can have`}. Remove one first with \`/board remove\`.`,
  );
}

/** Changes a board whose state is still as it was read; otherwise throws a UserError. */
export async function changeIfUnchanged(
  table: BoardsTable,
  { id, state }: Pick<BoardRecord, "id" | "state">,
  changes: BoardChanges,
): Promise<void> {
  if ((await table.changeState(id, [state], changes)) !== "changed") {
    throw new UserError("That board has just changed. Please check `/board list` and try again.");
  }
}

export type BoardStates = ReturnType<typeof createBoardStates>;

/** Throws a UserError for an id that is not one of the server's boards. */
export function createBoardStates(deps: BoardsDeps) {
  const { table, messenger, stations, clock, perGuild } = deps;

  return {
    async pause(guildId: string, id: string): Promise<Subscription> {
      await requireBoard(table, guildId, id);
      const changes = { state: "paused", stateAtMs: clock.now(), nextSlotMs: undefined } as const;
      const outcome = await table.changeState(id, ["active"], { ...changes, pausedBecause: undefined });
      if (outcome === "changed") {
        await showClosed(deps, await requireBoard(table, guildId, id));
      }
      return requireBoard(table, guildId, id);
    },

    /** Checks again that it can run: throws a UserError where it cannot. `to`: moves it there, and who chose that. */
    async resume(
      guildId: string,
      id: string,
      to?: { readonly channelId: string; readonly userId: string },
    ): Promise<Subscription> {
      const board = await requireBoard(table, guildId, id);
      const { settings, state, stateAtMs, pausedBecause, history } = board;
      const channelId = to?.channelId;
      const isMoved = channelId !== undefined && channelId !== board.channelId;
      if (state === "active" && !isMoved) {
        return board;
      }
      const nowMs = clock.now();
      checkBoardSettings(settings, stations, nowMs);
      await checkPlace(messenger, { guildId, channelId: board.channelId, ...to }, settings);
      await changeIfUnchanged(table, board, {
        ...(state === "paused" && {
          state: "active",
          stateAtMs: nowMs,
          pausedBecause: undefined,
          nextSlotMs: nextSlot(settings.schedule, nowMs),
          history: addOutcome(history, pausedBecause ?? "paused", stateAtMs, nowMs),
        }),
        ...(isMoved && { channelId, ...MESSAGE_RESET }),
      });
      if (isMoved) {
        await deleteKeptMessage(deps, board);
      }
      const resumed = await requireBoard(table, guildId, id);
      // Its next slot may be days away: until then its message would say what is no longer true. Where the bot paused it, the
      // message mostly shows trains, and many such boards may be resumed together.
      if (pausedBecause === undefined || isShownClosed(resumed)) {
        await showClosed(deps, resumed);
      }
      return resumed;
    },

    /** Takes its message away where it keeps one. */
    async remove(guildId: string, id: string): Promise<Subscription> {
      const board = await requireBoard(table, guildId, id);
      await changeIfUnchanged(table, board, {
        state: "removed",
        stateAtMs: clock.now(),
        // Its message goes: brought back, it must not be taken for shown. `nextSlotMs` stays, and says that it ran.
        shownHash: undefined,
      });
      // Read again: its message may have been sent while it was being removed.
      const removed = await table.get(id);
      await deleteKeptMessage(deps, removed ? readSubscription(removed) : board);
      return { ...board, state: "removed", nextSlotMs: undefined };
    },

    /** Undoes `remove`, for an hour. */
    async bringBack(guildId: string, id: string): Promise<Subscription> {
      const record = await table.get(id);
      const board = record?.guildId === guildId ? readSubscription(record) : undefined;
      if (board !== undefined && isSaved(board)) {
        return board;
      }
      const nowMs = clock.now();
      const isThere = board?.state === "removed" && board.changes === undefined;
      if (!isThere || board.stateAtMs < nowMs - UNDO_WINDOW_MS) {
        throw new UserError(
          "That board was removed more than an hour ago, so I can't bring it back. Set it up again with `/board subscribe`.",
        );
      }
      const { settings } = board;
      const ran = board.nextSlotMs !== undefined;
      if (ran) {
        checkBoardSettings(settings, stations, nowMs);
        await checkPlace(messenger, board, settings);
      }
      const changes = ran
        ? ({ state: "active", stateAtMs: nowMs, nextSlotMs: nextSlot(settings.schedule, nowMs) } as const)
        : ({ state: "paused", stateAtMs: nowMs } as const);
      if ((await table.changeState(id, ["removed"], changes, perGuild)) === "no-room") {
        throw tooManyBoards(perGuild);
      }
      return requireBoard(table, guildId, id);
    },
  };
}
