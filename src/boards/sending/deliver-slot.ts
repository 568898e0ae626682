// Delivers a claimed slot: it is sent or missed, is tried again, or its board is paused. delivery/deliver.ts sends each slot
// once. No new message is sent for a slot that is older than two minutes, because Discord may have forgotten its nonce by
// then. An edit at an interval may come until the next slot.
import type { BoardChanges } from "../boards-table.ts";
import type { PostedMessage } from "../../core/ports.ts";
import { type Deliver, type RetryLater, type RenderedMessage, retryLater } from "../../delivery/deliver.ts";
import { isTransient, catchMessengerError } from "../../delivery/messenger-errors.ts";
import { formatNonce } from "../../delivery/nonce.ts";
import { findBoardSlot } from "../board-button-args.ts";
import { PUBLISHED_PER_HOUR, type PauseReason, type Subscription } from "../boards.ts";
import { markPaused } from "../kept-message.ts";
import type { BoardRunnerDeps } from "./board-runner.ts";
import type { ClaimedSlot } from "./slot-claims.ts";

/** An older slot is not sent any more. */
const LATEST_MS = 2 * 60_000;
/** A new message waits this long for data: a tick or two are left after it, even late ones. */
const DATA_PATIENCE_MS = 100_000;
/** Without newer data, a message stays as it is for this long: after that, all of its trains have gone. */
const DATA_LASTS_MS = 2 * 3_600_000;
/** Ten minutes of ticks. A slot waits no longer for Discord to say whether it was sent, or to delete what it replaced. */
const MOST_TRIES = 60;
const HOUR_MS = 3_600_000;

export type SlotEnd =
  /** The channel shows what it should. `posted`: the message that is new in the channel. */
  | { readonly end: "done"; readonly outcome: BoardChanges; readonly posted?: PostedMessage | undefined }
  /** It was not sent and never will be. */
  | { readonly end: "missed"; readonly because: "away" | "discord" | "late" }
  /** `delayedBy`: absent where Discord is in the way. */
  | (RetryLater & { readonly delayedBy?: "late" })
  /** The board cannot go on until somebody repairs it. */
  | { readonly end: "stopped"; readonly because: PauseReason };

/** What a board shows for a slot, or for none. */
interface Shown {
  readonly presented: RenderedMessage;
  readonly dataMs: number | undefined;
}

function messageOf({ channelId, messageId }: Subscription): PostedMessage | undefined {
  return messageId === undefined ? undefined : { channelId, messageId };
}

/** A message that is edited at an interval: where there are more boards than Discord takes, others come first. */
function mayBeLate({ board: { settings } }: ClaimedSlot, how: "post" | "edit"): boolean {
  return how === "edit" && "every" in settings.schedule.timing;
}

export type DeliverSlot = ReturnType<typeof createDeliverSlot>;

/** Delivers boards. All of it throws bugs and the database's errors. */
export function createDeliverSlot(
  { boards, data, messenger, publishings, present, stations, clock, log }: BoardRunnerDeps,
  deliver: Deliver,
  isSafe: (slot: ClaimedSlot) => boolean,
) {
  const ageMs = (slot: ClaimedSlot): number => clock.now() - slot.slotMs;

  const isOvertaken = ({ nextSlotMs = Infinity }: ClaimedSlot): boolean => nextSlotMs <= clock.now();

  /** Too old, or overtaken by the next one. */
  const isOver = (slot: ClaimedSlot): boolean => ageMs(slot) > LATEST_MS || isOvertaken(slot);

  /** `slotMs`: the slot for which its message was sent, since an edit does not change what it is found by. */
  function show({ id, settings }: Subscription, slotMs: number): Shown {
    const content = data.content(settings);
    return { presented: present(content, { id, slotMs }), dataMs: content.board?.dataAt.epochMilliseconds };
  }

  /** Whether its message shows newer data than this process has: another one did that. */
  function showsNewer({ shownDataMs = -Infinity }: Subscription, { dataMs = -Infinity }: Shown): boolean {
    return dataMs < shownDataMs && Math.abs(clock.now() - shownDataMs) < DATA_LASTS_MS;
  }

  /** Deletes the message that a new one replaces; `false` where that did not succeed. */
  async function deleteReplaced({ board }: ClaimedSlot, posted: PostedMessage): Promise<boolean> {
    const replaced = messageOf(board);
    if (
      board.settings.mode !== "replace" ||
      replaced === undefined ||
      replaced.messageId === posted.messageId
    ) {
      return true;
    }
    const error = await catchMessengerError(() => messenger.delete(replaced));
    if (error !== undefined) {
      log.warn({ error, board: board.id, message: replaced.messageId }, "replaced message not deleted yet");
    }
    return error === undefined;
  }

  /** Publishes to the servers that follow the channel, if it has not had its share of this hour. */
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

  /**
   * Deletes the message that the new one replaces, and publishes the new one, before the outcome is recorded. If the
   * process dies in between, the next one finds the new message in the channel and does both again.
   */
  async function complete(slot: ClaimedSlot, posted: PostedMessage, shown: BoardChanges): Promise<SlotEnd> {
    if (!(await deleteReplaced(slot, posted)) && slot.tries < MOST_TRIES) {
      return retryLater(false);
    }
    if (!isOver(slot)) {
      await publish(slot, posted);
    }
    const { messageId } = posted;
    return { end: "done", outcome: { ...shown, messageId, messageSlotMs: slot.slotMs }, posted };
  }

  /** What to show for a slot, or how the slot ends without a message. */
  function choose(slot: ClaimedSlot, shown: Shown, how: "post" | "edit"): RenderedMessage | SlotEnd {
    const { board, isUnsent } = slot;
    const { station, callingAt, mode } = board.settings;
    const hasMessage = board.messageId !== undefined;
    if (mayBeLate(slot, how) ? isOvertaken(slot) : isOver(slot)) {
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
    /** Returns how the work on a slot ended. */
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
        // After a backup was restored, the message may be for a later slot than the row says.
        isThisMessage(componentIds) {
          const found = findBoardSlot(componentIds);
          const isIts = found?.boardId === id && found.slotMs >= slotMs;
          foundSlotMs = isIts ? found.slotMs : foundSlotMs;
          return isIts;
        },
        message: board.settings.mode === "edit" ? messageOf(board) : undefined,
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
          // A message of a later slot is not deleted: another process may have just sent it.
          return done.end === "done" && foundSlotMs !== slotMs ? { ...done, posted: undefined } : done;
        }
        case "unchanged":
          return { end: "done", outcome: {} };
        case "later":
          return slot.tries >= MOST_TRIES ? { end: "missed", because: "discord" } : end;
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
     * Brings a message up to date between two slots, and records that; returns whether to try again because Discord cannot
     * be reached. No claim is needed: an edit that comes twice, or from two processes, does no harm.
     */
    async update(board: Subscription): Promise<boolean> {
      const message = messageOf(board);
      const shown = show(board, board.messageSlotMs ?? 0);
      const { hash: shownHash, reply } = shown.presented;
      const isKnown = shown.dataMs !== undefined;
      if (message === undefined || !isKnown || showsNewer(board, shown) || shownHash === board.shownHash) {
        return false;
      }
      const renewed = await reply();
      const error = await catchMessengerError(() => messenger.edit(message, renewed));
      if (error !== undefined) {
        // Any other obstacle is dealt with at the next slot.
        return isTransient(error);
      }
      const changes = { shownHash, shownDataMs: shown.dataMs, lastSentMs: clock.now() };
      if ((await boards.changeState(board.id, ["active"], changes)) !== "changed") {
        await markPaused({ table: boards, messenger, present, clock, log }, board.id);
      }
      return false;
    },
  };
}
