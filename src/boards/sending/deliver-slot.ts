// No new message is sent for a slot that is older than two minutes, because Discord may have forgotten its
// nonce by then. An interval edit may be sent until the next slot.
import type { BoardChanges } from "../boards-table.ts";
import type { PostedMessage } from "../../core/ports.ts";
import {
  type RenderedMessage,
  type RetryLater,
  createDeliver,
  retryLater,
  formatNonce,
} from "../../delivery/deliver.ts";
import { isTransient, catchMessengerError } from "../../delivery/messenger-errors.ts";
import { findBoardSlot } from "../board-post-view.ts";
import { PUBLISHED_PER_HOUR, type PauseReason, type Subscription } from "../boards.ts";
import { keptMessage, markPaused } from "../kept-message.ts";
import type { BoardRunnerDependencies } from "./board-runner.ts";
import type { ClaimedSlot } from "./slot-claims.ts";
import { HOUR_MS } from "../../time/wall-clock.ts";

const LATEST_MS = 2 * 60_000;
/** How long a new message waits for data; one or two ticks remain before the slot is too old. */
const DATA_PATIENCE_MS = 100_000;
/** How long a message stays unchanged if this process has only older data; after that, all of its trains have left. */
const DATA_LASTS_MS = 2 * 3_600_000;
/** Ten minutes of ticks. After that, an undelivered slot is missed, and a replaced message that could not be deleted stays. */
const MAX_ATTEMPTS = 60;

export type SlotEnd =
  /** The channel shows the board. `posted`: the message, if it is new in the channel. */
  | { readonly end: "done"; readonly outcome: BoardChanges; readonly posted?: PostedMessage | undefined }
  /** The slot was not sent and never will be. */
  | { readonly end: "missed"; readonly because: "away" | "discord" | "late" }
  /** `delayedBy`: "late" if the slot waits for train times; absent if Discord is the reason. */
  | (RetryLater & { readonly delayedBy?: "late" })
  /** The board cannot continue until somebody fixes the problem. */
  | { readonly end: "stopped"; readonly because: PauseReason };

/** `dataMs`: milliseconds since the epoch; `undefined` if no trains are known. */
interface Shown {
  readonly presented: RenderedMessage;
  readonly dataMs: number | undefined;
}

export type DeliverSlot = ReturnType<typeof createDeliverSlot>;

/** All functions throw only the database's errors, apart from bugs. */
export function createDeliverSlot(deps: BoardRunnerDependencies, isSafe: (slot: ClaimedSlot) => boolean) {
  const { table, data, messenger, publishings, present, stations, clock, log } = deps;
  const deliver = createDeliver(deps);
  const ageMs = (slot: ClaimedSlot): number => clock.now() - slot.slotMs;

  const isOvertaken = ({ nextSlotMs = Infinity }: ClaimedSlot): boolean => nextSlotMs <= clock.now();

  /** Whether a slot is too old for a new message, or its successor has come. */
  const isOver = (slot: ClaimedSlot): boolean => ageMs(slot) > LATEST_MS || isOvertaken(slot);

  /** `slotMs`: the slot for which the message was first sent. An edit keeps it, so that the message can still be found. */
  function show({ id, settings }: Subscription, slotMs: number): Shown {
    const content = data.content(settings);
    return { presented: present(content, { id, slotMs }), dataMs: content.board?.dataAt.epochMilliseconds };
  }

  /** Another process or a refresh may have edited the message. */
  function showsNewer({ shownDataMs = -Infinity }: Subscription, { dataMs = -Infinity }: Shown): boolean {
    return dataMs < shownDataMs && Math.abs(clock.now() - shownDataMs) < DATA_LASTS_MS;
  }

  /** Returns `false` if that failed. */
  async function deleteReplaced({ board }: ClaimedSlot, posted: PostedMessage): Promise<boolean> {
    const replaced = board.settings.mode === "replace" ? keptMessage(board) : undefined;
    if (replaced === undefined || replaced.messageId === posted.messageId) {
      return true;
    }
    const error = await catchMessengerError(() => messenger.delete(replaced));
    if (error !== undefined) {
      log.warn({ error, board: board.id, message: replaced.messageId }, "replaced message not deleted yet");
    }
    return error === undefined;
  }

  /** Publishes a message to the servers that follow the channel, unless the channel has reached its hourly limit. */
  async function publish({ board }: ClaimedSlot, posted: PostedMessage): Promise<void> {
    const { id, channelId, guildId, settings } = board;
    if (!settings.publish) {
      return;
    }
    if (!(await publishings.take(channelId, guildId, HOUR_MS, PUBLISHED_PER_HOUR))) {
      log.info({ board: id }, "board message not published: hourly limit reached");
      return;
    }
    const error = await catchMessengerError(() => messenger.publish(posted));
    if (error !== undefined) {
      log.warn({ error, board: id }, "board message not published");
    }
  }

  /** Comes before the outcome is recorded: if the process dies in between, the next one finds the message and repeats this. */
  async function complete(slot: ClaimedSlot, posted: PostedMessage, shown: BoardChanges): Promise<SlotEnd> {
    if (!(await deleteReplaced(slot, posted)) && slot.tries < MAX_ATTEMPTS) {
      return retryLater(false);
    }
    if (!isOver(slot)) {
      await publish(slot, posted);
    }
    const { messageId } = posted;
    return { end: "done", outcome: { ...shown, messageId, messageSlotMs: slot.slotMs }, posted };
  }

  /** Returns the message to show for a slot, or how the slot ends without one. */
  function choose(slot: ClaimedSlot, shown: Shown, how: "post" | "edit"): RenderedMessage | SlotEnd {
    const { board, isUnsent } = slot;
    const { station, callingAt, mode, schedule } = board.settings;
    const hasMessage = board.messageId !== undefined;
    // Edits at regular intervals come last if more boards are due than Discord accepts.
    const mayBeLate = how === "edit" && "every" in schedule.timing;
    if (mayBeLate ? isOvertaken(slot) : isOver(slot)) {
      return { end: "missed", because: slot.delayedBy ?? "away" };
    }
    if (![station, ...callingAt].every((crs) => stations.byCrs(crs) !== undefined)) {
      return { end: "stopped", because: "station-closed" };
    }
    if (mode !== "post" && hasMessage && showsNewer(board, shown)) {
      return { end: "done", outcome: {} };
    }
    if (shown.dataMs === undefined && mode !== "edit" && ageMs(slot) < DATA_PATIENCE_MS) {
      return { ...retryLater(isUnsent), delayedBy: "late" };
    }
    return mode === "replace" && hasMessage && shown.presented.hash === board.shownHash
      ? { end: "done", outcome: {} }
      : shown.presented;
  }

  return {
    async slot(slot: ClaimedSlot): Promise<SlotEnd> {
      const { board, slotMs } = slot;
      const { id, channelId, shownHash } = board;
      let shown: Shown | undefined;
      let foundSlotMs = slotMs;
      const end = await deliver<SlotEnd>({
        logFields: { board: id },
        place: { channelId },
        nonce: formatNonce("board", id, slotMs),
        shownHash,
        // After a restored backup, the message may belong to a later slot than the row says.
        isThisMessage(componentIds) {
          const found = findBoardSlot(componentIds);
          const isIts = found?.boardId === id && found.slotMs >= slotMs;
          foundSlotMs = isIts ? found.slotMs : foundSlotMs;
          return isIts;
        },
        message: board.settings.mode === "edit" ? keptMessage(board) : undefined,
        sinceMs: slot.isUnsent ? undefined : slotMs,
        render(how) {
          shown = show(board, how === "edit" ? (board.messageSlotMs ?? slotMs) : slotMs);
          return choose(slot, shown, how);
        },
        isSafe: () => isSafe(slot),
        mayPost: () => !isOver(slot),
        repostIfDeleted: true,
      });
      switch (end.end) {
        case "sent": {
          const outcome = { shownHash: end.hash, shownDataMs: shown?.dataMs, lastSentMs: end.atMs };
          if (end.how === "edited") {
            return { end: "done", outcome };
          }
          const done = await complete(slot, end.message, outcome);
          // Without `posted`, the runner does not delete the message: another process may have just sent it for a later slot.
          return done.end === "done" && foundSlotMs !== slotMs ? { ...done, posted: undefined } : done;
        }
        case "unchanged":
          return { end: "done", outcome: {} };
        case "later":
          return slot.tries >= MAX_ATTEMPTS ? { end: "missed", because: "discord" } : end;
        case "gone":
          return { end: "missed", because: "discord" };
        case "stopped":
          return end.because === "dm-closed"
            ? { end: "missed", because: "discord" }
            : { end: "stopped", because: end.because };
        case "done":
        case "missed":
          return end;
      }
    },

    /**
     * Shows new data between two slots. Returns whether to retry because Discord is unavailable. Needs no
     * claim: it does no harm if an edit is sent twice or by two processes.
     */
    async update(board: Subscription): Promise<boolean> {
      const message = keptMessage(board);
      const shown = show(board, board.messageSlotMs ?? 0);
      const { hash: shownHash, reply } = shown.presented;
      const isKnown = shown.dataMs !== undefined;
      if (message === undefined || !isKnown || showsNewer(board, shown) || shownHash === board.shownHash) {
        return false;
      }
      const renewed = await reply();
      const error = await catchMessengerError(() => messenger.edit(message, renewed));
      if (error !== undefined) {
        // The next slot handles all other problems.
        return isTransient(error);
      }
      const changes = { shownHash, shownDataMs: shown.dataMs, lastSentMs: clock.now() };
      if ((await table.changeState(board.id, ["active"], changes)) !== "changed") {
        await markPaused(deps, board.id);
      }
      return false;
    },
  };
}
