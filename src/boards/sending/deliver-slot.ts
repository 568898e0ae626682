// What becomes of a claimed slot: sent, missed, tried again, or its board is stopped. Each slot is sent once.
//
// Two things ensure that together. A message that may have been sent before, by a process that died or with an answer
// that was lost, is looked for in the channel by its mark, and kept as it is where it is found. And what is sent carries the
// slot's nonce, for which Discord makes no second message for some minutes: that covers a request that is still on its
// way while the channel is read. Nothing is sent for a slot that is older than two minutes, so a nonce need not last
// longer; and after that only what the channel says counts.
import type { BoardOutcome } from "../boards-table.ts";
import { MessengerError, type OwnMessage, type PostedMessage } from "../../core/ports.ts";
import type { BoardRunnerDeps } from "./board-runner.ts";
import type { SendBoard } from "./send-board.ts";
import type { ClaimedSlot, SlotClaims } from "./slot-claims.ts";
import type { PauseReason } from "../boards.ts";

/** An older slot is not sent any more. */
const LATEST_MS = 2 * 60_000;
/** A new message waits so long for data: a tick or two are left after it, even late ones. */
const DATA_PATIENCE_MS = 100_000;
/** Without newer data, a message goes on showing what it shows for so long: then all of its trains have gone. */
const DATA_LASTS_MS = 2 * 3_600_000;
/** Ten minutes of ticks. A slot waits no longer for Discord to say whether it was sent, or to delete what it replaced. */
const MOST_TRIES = 60;

/** Says how the work on a slot ended. Throws bugs and the database's errors. */
export function createDeliverSlot(
  { data, stations, clock, log }: BoardRunnerDeps,
  send: SendBoard,
  claims: SlotClaims,
): (slot: ClaimedSlot) => Promise<SlotEnd> {
  const ageMs = (slot: ClaimedSlot): number => clock.now() - slot.slotMs;

  /** Too old to be sent, or overtaken by the next one. */
  const isOver = (slot: ClaimedSlot): boolean =>
    ageMs(slot) > LATEST_MS || (slot.nextSlotMs !== undefined && slot.nextSlotMs <= clock.now());

  /**
   * What follows on a new message comes before the outcome is recorded. So the record names the old message until
   * that is gone; and where this is cut short, the new one is found again and it is all done once more.
   */
  async function complete(slot: ClaimedSlot, posted: PostedMessage, shown: BoardOutcome): Promise<SlotEnd> {
    if (!(await send.deleteReplaced(slot, posted)) && slot.tries < MOST_TRIES) {
      return { end: "later", isUnsent: false };
    }
    if (!isOver(slot)) {
      await send.publish(slot, posted);
    }
    const { messageId } = posted;
    return { end: "done", outcome: { ...shown, messageId, messageSlotMs: slot.slotMs }, posted };
  }

  /** What the message shows is not known. */
  function adopt(slot: ClaimedSlot, { channelId, messageId, sentAtMs }: OwnMessage): Promise<SlotEnd> {
    log.info({ board: slot.record.id, message: messageId }, "board message recovered");
    const shown = { shownHash: undefined, shownDataMs: undefined, lastSentMs: sentAtMs };
    return complete(slot, { channelId, messageId }, shown);
  }

  async function sendNow(slot: ClaimedSlot): Promise<SlotEnd> {
    const { record, settings, slotMs, isUnsent } = slot;
    const { messageId, messageSlotMs = slotMs, shownDataMs = -Infinity } = record;
    const content = data.content(settings);
    const dataMs = content.board?.dataAt.epochMilliseconds ?? -Infinity;
    // Another process may have shown newer data than this one has.
    if (
      dataMs < shownDataMs &&
      settings.mode !== "post" &&
      messageId !== undefined &&
      Math.abs(clock.now() - shownDataMs) < DATA_LASTS_MS
    ) {
      return { end: "done", outcome: {} };
    }
    if (content.board === undefined && settings.mode !== "edit" && ageMs(slot) < DATA_PATIENCE_MS) {
      return { end: "later", isUnsent };
    }
    if (settings.mode === "edit" && messageId !== undefined) {
      const outcome = await send.edit(record, messageId, messageSlotMs, content);
      if (outcome !== undefined) {
        return { end: "done", outcome };
      }
    }
    if (settings.mode === "replace" && messageId !== undefined && send.isShown(slot, content)) {
      return { end: "done", outcome: {} };
    }
    const sent = await send.post(slot, content, () => !isOver(slot) && claims.isSafe(slot));
    return sent === undefined ? { end: "later", isUnsent } : complete(slot, sent.posted, sent.shown);
  }

  async function deliver(slot: ClaimedSlot): Promise<SlotEnd> {
    const sent = slot.isUnsent ? undefined : await send.find(slot);
    if (sent !== undefined) {
      return adopt(slot, sent);
    }
    if (isOver(slot)) {
      return { end: "missed" };
    }
    const { station, callingAt } = slot.settings;
    return [station, ...callingAt].every((crs) => stations.byCrs(crs) !== undefined)
      ? sendNow(slot)
      : { end: "stopped", because: "station-closed" };
  }

  return async (slot) => {
    try {
      return await deliver(slot);
    } catch (error) {
      const end = endOf(error, slot.isUnsent);
      // While Discord is away, thousands are tried again at each tick.
      const level = end.end === "later" ? "debug" : "warn";
      log[level]({ error, board: slot.record.id, end: end.end }, "board delivery failed");
      return end.end === "later" && slot.tries >= MOST_TRIES ? { end: "missed" } : end;
    }
  };
}

type SlotEnd =
  /** The channel shows what it should. `posted`: the message that is new in the channel. */
  | { readonly end: "done"; readonly outcome: BoardOutcome; readonly posted?: PostedMessage }
  /** It was not sent and never will be. */
  | { readonly end: "missed" }
  /** To be tried again. `isUnsent`: surely nothing has gone out. */
  | { readonly end: "later"; readonly isUnsent: boolean; readonly waitMs?: number | undefined }
  /** The board cannot go on until somebody repairs it. */
  | { readonly end: "stopped"; readonly because: PauseReason };

/** An end whose outcome can be recorded. */
export type FinalEnd = Exclude<SlotEnd, { readonly end: "stopped" }>;

/** What an error of the messenger means for a slot. `isUnsent`: surely nothing had gone out before. Throws any other error. */
function endOf(error: unknown, isUnsent: boolean): SlotEnd {
  if (!(error instanceof MessengerError)) {
    throw error;
  }
  switch (error.problem) {
    case "channel-gone":
    case "not-allowed":
      return { end: "stopped", because: error.problem };
    case "outcome-unknown":
      return { end: "later", isUnsent: false };
    case "slow-down":
    case "unavailable":
      return { end: "later", isUnsent, waitMs: error.retryAfterMs };
    case "message-gone":
    case "dm-closed":
    case "refused":
      // The same message would be refused again and again.
      return { end: "missed" };
  }
}
