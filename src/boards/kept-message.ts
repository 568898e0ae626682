// Changes to the message that a board keeps, apart from the updates at its slots; and what happens if somebody deletes it.
import type { Log } from "../core/log.ts";
import type { Messenger, Platform, PostedMessage, Deletion } from "../core/ports.ts";
import { isTransient, catchMessengerError } from "../delivery/messenger-errors.ts";
import type { PresentBoard } from "./board-post-view.ts";
import { closedWords } from "./board-settings-words.ts";
import { type BoardsTable, NO_CLAIM, NO_MESSAGE } from "./boards-table.ts";
import { type Subscription, isSaved, readSubscription, createBoardReader } from "./boards.ts";
import { isRunning } from "../time/slots.ts";
import { MINUTE_MS } from "../time/wall-clock.ts";

interface MessageDependencies extends Pick<Platform, "clock" | "log"> {
  readonly table: Pick<BoardsTable, "get" | "changeState">;
  readonly messenger: Pick<Messenger, "edit">;
  readonly present: PresentBoard;
}

/** Makes a board start a new message. If a process is sending one right now, that message will not be recorded. */
export const MESSAGE_RESET = { ...NO_CLAIM, ...NO_MESSAGE } as const;

/** `undefined` if there is none yet, or if the board posts a new message each time. */
export function keptMessage({ channelId, messageId, settings }: Subscription): PostedMessage | undefined {
  return messageId === undefined || settings.mode === "post" ? undefined : { channelId, messageId };
}

export async function deleteKeptMessage(
  { messenger, log }: { readonly messenger: Pick<Messenger, "delete">; readonly log: Log },
  board: Subscription,
): Promise<void> {
  const message = keptMessage(board);
  if (message === undefined) {
    return;
  }
  const error = await catchMessengerError(() => messenger.delete(message));
  if (error !== undefined) {
    log.warn({ board: board.id, problem: error.problem }, "board message not deleted");
  }
}

/**
 * Edits the message to say that the board is paused or when it will be back. If Discord refuses, the row
 * still says that this is shown: the next slot gets the same refusal and handles it. While Discord is unavailable, a
 * paused board's message stays as it is.
 */
export async function showClosed(deps: MessageDependencies, board: Subscription): Promise<void> {
  const { table, messenger, present, clock, log } = deps;
  const { id, messageSlotMs = 0, settings, state, nextSlotMs = Infinity } = board;
  const message = keptMessage(board);
  if (message === undefined) {
    return;
  }
  const content = { settings, board: undefined, closed: closedWords(board), nextDataMs: undefined };
  const { hash, reply } = present(content, { id, slotMs: messageSlotMs });
  const closed = await reply();
  // If many requests are queued, the board's next slot may be sent first, perhaps by another process.
  const isStillClosed = () => clock.now() < nextSlotMs;
  const error = await catchMessengerError(() => messenger.edit(message, closed, isStillClosed));
  if (error !== undefined) {
    // While Discord is unavailable, this happens to thousands of boards each minute.
    const level = isTransient(error) ? "debug" : "warn";
    log[level]({ board: id, problem: error.problem }, "closed board not marked");
    if (isTransient(error)) {
      return;
    }
  }
  const shown = { shownHash: hash, shownDataMs: undefined };
  if ((await table.changeState(id, [state], shown)) !== "changed") {
    // Somebody has paused or resumed the board in the meantime.
    const record = await table.get(id);
    if (record && isSaved(record)) {
      await showClosed(deps, readSubscription(record));
    }
  }
}

/** Makes the message say that the board is paused if somebody paused it while the message was being sent or edited. */
export async function markPaused(deps: MessageDependencies, id: string): Promise<void> {
  const record = await deps.table.get(id);
  if (record?.state === "paused") {
    await showClosed(deps, readSubscription(record));
  }
}

// A board notices immediately that its message is gone, and soon posts another during its hours.

/** Never throws: if it fails, the board notices the deletion at its next change. */
export function createDeletionHandler(
  deps: Pick<Platform, "clock" | "log"> & {
    readonly table: Pick<BoardsTable, "activeChannels" | "inChannel" | "forgetMessage">;
  },
) {
  const { table, clock, log } = deps;
  const read = createBoardReader(log);
  let known: { readonly ids: Promise<ReadonlySet<string>>; readonly readAtMs: number } | undefined;

  /**
   * As of at most a minute ago: busy servers delete messages all the time, rarely in channels with boards,
   * and that must not cost a query each. A board that is newer than the list notices a deletion at its next
   * change.
   */
  async function hasBoards(channelId: string): Promise<boolean> {
    const nowMs = clock.now();
    if (known === undefined || Math.abs(nowMs - known.readAtMs) >= MINUTE_MS) {
      known = { ids: table.activeChannels().then((ids) => new Set(ids)), readAtMs: nowMs };
    }
    try {
      return (await known.ids).has(channelId);
    } catch (error) {
      known = undefined;
      throw error;
    }
  }

  return async ({ guildId, channelId, messageIds }: Deletion): Promise<void> => {
    const isChannel = messageIds === "all";
    const nowMs = clock.now();
    // The next whole minute, since slots are whole minutes: no message can have been sent for that slot yet.
    const soonMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
    try {
      if (!isChannel && !(await hasBoards(channelId))) {
        return;
      }
      for (const board of read(await table.inChannel(guildId, channelId))) {
        if (isChannel || (messageIds.includes(board.messageId ?? "") && mustRepost(board))) {
          const isSoon = isChannel || isRunning(board.settings.schedule, nowMs);
          await table.forgetMessage(board, isSoon ? soonMs : undefined);
        }
      }
    } catch (error) {
      log.warn({ error, guild: guildId }, "deletion not recorded");
    }
  };
}

/** A board that posts each time does not. Nor does one that deleted the old message itself, to replace it. */
function mustRepost({ claimedSlotMs, settings: { mode } }: Subscription): boolean {
  return mode === "edit" || (mode === "replace" && claimedSlotMs === undefined);
}
