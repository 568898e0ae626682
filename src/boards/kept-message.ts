// The message that a board keeps, as far as it changes beside the board's slots: it is deleted, or it says that nobody
// keeps its trains up to date for now.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Messenger } from "../core/ports.ts";
import { isTransient, messengerErrorOf } from "../delivery/messenger-errors.ts";
import type { PresentBoard } from "./board-post-view.ts";
import { closedWords } from "./board-settings-words.ts";
import { type BoardsTable, NO_CLAIM, NO_MESSAGE } from "./boards-table.ts";
import { type Subscription, isKept, readSubscription } from "./boards.ts";

interface MessageDeps {
  readonly table: Pick<BoardsTable, "get" | "changeState">;
  readonly messenger: Pick<Messenger, "edit">;
  readonly present: PresentBoard;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/** A board that begins another message. What a process is sending for it right now is not recorded any more. */
export const BEGINS_ANEW = { ...NO_CLAIM, ...NO_MESSAGE } as const;

/** Deletes the message that a board keeps; what was posted once and for all stays. */
export async function deleteKeptMessage(
  { messenger, log }: { readonly messenger: Pick<Messenger, "delete">; readonly log: Log },
  { id, channelId, messageId, settings }: Subscription,
): Promise<void> {
  if (messageId === undefined || settings.mode === "post") {
    return;
  }
  const error = await messengerErrorOf(() => messenger.delete({ channelId, messageId }));
  if (error !== undefined) {
    log.warn({ board: id, problem: error.problem }, "board message not deleted");
  }
}

/**
 * Lets the message that a board keeps say that the board is paused, or when it is back. Where Discord refuses that, the row
 * says so all the same: the next slot meets the same refusal, and deals with it.
 */
export async function showClosed(deps: MessageDeps, board: Subscription): Promise<void> {
  const { table, messenger, present, clock, log } = deps;
  const { id, channelId, messageId, messageSlotMs = 0, settings, state, nextSlotMs = Infinity } = board;
  if (messageId === undefined || settings.mode === "post") {
    return;
  }
  const content = { settings, board: undefined, closed: closedWords(board), nextDataMs: undefined };
  const { hash, reply } = present(content, { id, slotMs: messageSlotMs });
  const closed = await reply();
  // Where many requests wait, its next slot may come first, perhaps in another process.
  const isStillClosed = () => clock.now() < nextSlotMs;
  const error = await messengerErrorOf(() => messenger.edit({ channelId, messageId }, closed, isStillClosed));
  if (error !== undefined) {
    const isPassing = isTransient(error);
    // While Discord is away, this happens to thousands each minute.
    log[isPassing ? "debug" : "warn"]({ board: id, problem: error.problem }, "closed board not marked");
    if (isPassing) {
      return;
    }
  }
  const shown = { shownHash: hash, shownDataMs: undefined };
  if ((await table.changeState(id, [state], shown)) !== "changed") {
    // Somebody has paused or resumed it in the meantime.
    const record = await table.get(id);
    if (record && isKept(record)) {
      await showClosed(deps, readSubscription(record));
    }
  }
}

/** Somebody may have paused the board while its message was being changed: then the message says so. */
export async function markPaused(deps: MessageDeps, id: string): Promise<void> {
  const record = await deps.table.get(id);
  if (record?.state === "paused") {
    await showClosed(deps, readSubscription(record));
  }
}
