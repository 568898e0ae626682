// Pauses, resumes, repairs, removes and restores boards. board-drafts.ts and manage-boards.ts share its checks.
import { UserError } from "../core/errors.ts";
import type { BoardChanges, BoardRecord, BoardsTable } from "./boards-table.ts";
import type { Connection, Messenger, Platform } from "../core/ports.ts";
import type { Stations } from "../rail/stations.ts";
import type { Sources } from "../sources/compose.ts";
import type { BoardData } from "./planning/board-data.ts";
import { checkBoardSettings, checkPlace } from "./board-settings.ts";
import { type PresentBoard, isShownClosed } from "./board-post-view.ts";
import { type Subscription, isSaved, readSubscription } from "./boards.ts";
import { MESSAGE_RESET, deleteKeptMessage, showClosed } from "./kept-message.ts";
import { askWhetherAllowed } from "../delivery/messenger-errors.ts";
import { addOutcome } from "./slot-history.ts";
import { nextSlot } from "../time/slots.ts";

export interface BoardsDependencies
  extends Pick<Platform, "rights" | "clock" | "log">, Pick<Sources, "plans" | "answering"> {
  readonly table: BoardsTable;
  readonly data: BoardData;
  readonly messenger: Pick<Messenger, "check" | "delete" | "edit">;
  readonly connection: Pick<Connection, "channelName">;
  readonly present: PresentBoard;
  readonly stations: Stations;
  /** How many active and paused boards a server may have. */
  readonly perGuild: number;
  /** The default time zone of schedules. */
  readonly timeZone: string;
}

/** How long a draft can be saved, and a removed board brought back. */
export const UNDO_WINDOW_MS = 60 * 60_000;

/** Returns a board of the server that fits, by default an active or paused one. Throws a UserError for any other id. */
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

export function tooManyBoards(perGuild: number): UserError {
  return new UserError(
    `This server already has ${perGuild === 1 ? "the one board it can have" : `all the ${perGuild} boards it can have`}. Remove one first with \`/board remove\`.`,
  );
}

/** Throws a UserError if, since the board was read, somebody has changed its state or a slot has replaced its message. */
export async function changeIfUnchanged(
  table: BoardsTable,
  board: Pick<BoardRecord, "id" | "state" | "messageId">,
  changes: BoardChanges,
): Promise<void> {
  if (!(await table.change(board.id, changes, board))) {
    throw new UserError("That board has just changed. Please check `/board list` and try again.");
  }
}

/** The channel to move a board to, and who chose it. */
interface NewPlace {
  readonly channelId: string;
  readonly userId: string;
}

/** All functions throw a UserError if the id does not belong to one of the server's boards. */
export function createBoardStates(deps: BoardsDependencies) {
  const { table, messenger, rights, stations, clock, perGuild } = deps;

  async function resume(guildId: string, id: string, to?: NewPlace): Promise<Subscription> {
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
    // The next slot may be days away, and until then the message would say "Paused". If the bot paused the board, the message
    // usually still shows trains, and many such boards may be resumed together, so the edit is skipped.
    if (pausedBecause === undefined || isShownClosed(resumed)) {
      await showClosed(deps, resumed);
    }
    return resumed;
  }

  /** Resumes the boards that the bot paused together with this one; returns how many. */
  async function resumeOthers(board: Subscription, to?: NewPlace): Promise<number> {
    const { guildId, pausedBecause } = board;
    const isOfChannel = pausedBecause === "channel-gone" || pausedBecause === "not-allowed";
    const alike = (await table.ofGuild(guildId)).filter(
      (each) =>
        isOfChannel &&
        each.id !== board.id &&
        each.state === "paused" &&
        each.pausedBecause === pausedBecause &&
        each.channelId === board.channelId &&
        each.createdBy === board.createdBy,
    );
    let count = 0;
    for (const { id } of alike) {
      try {
        await resume(guildId, id, to);
        count += 1;
      } catch (error) {
        if (!(error instanceof UserError)) {
          throw error;
        }
      }
    }
    return count;
  }

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

    /** Throws a UserError if the board cannot run there. */
    resume,

    /**
     * For the button on a notice. Moves the boards to `channelId` if it is given. In a DM, Discord does not check
     * permissions, so this does. Throws a UserError if the person may not do that, or if the board no longer exists.
     * `others`: how many more boards were resumed. `obstacle`: why the board cannot run and what to do; `undefined` if
     * it runs.
     */
    async repair(
      id: string,
      by: { readonly userId: string; readonly guildId: string | undefined },
      channelId?: string,
    ) {
      const record = await table.get(id);
      if (!record || !isSaved(record) || (by.guildId !== undefined && by.guildId !== record.guildId)) {
        throw new UserError("That board has been removed. To set up another, use `/board subscribe`.");
      }
      const stopped = readSubscription(record);
      const { guildId } = stopped;
      const mayRepair =
        by.guildId === guildId ||
        (await askWhetherAllowed(
          async () => (await rights.findAllowedMember(guildId, by.userId, "board")) !== undefined,
        ));
      if (!mayRepair) {
        throw new UserError(
          "Only people who can use `/board` in the board's server can do that. Use `/board list` there, or ask one of its moderators.",
        );
      }
      const to = channelId === undefined ? undefined : { channelId, userId: by.userId };
      // The others come first: if this fails midway, a second press must still find them through this board.
      const others = await resumeOthers(stopped, to);
      try {
        return { board: await resume(guildId, id, to), others, obstacle: undefined };
      } catch (error) {
        if (error instanceof UserError) {
          return { board: stopped, others, obstacle: error.message };
        }
        throw error;
      }
    },

    async remove(guildId: string, id: string): Promise<Subscription> {
      const board = await requireBoard(table, guildId, id);
      await changeIfUnchanged(table, board, {
        state: "removed",
        stateAtMs: clock.now(),
        // Its message is deleted. `nextSlotMs` stays: it says that the board was active.
        shownHash: undefined,
      });
      // Read again, because a message may have been sent while the board was being removed.
      const removed = await table.get(id);
      await deleteKeptMessage(deps, removed ? readSubscription(removed) : board);
      return { ...board, state: "removed", nextSlotMs: undefined };
    },

    /** Undoes `remove`, at most an hour later. Throws a UserError if the board can no longer run. */
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
