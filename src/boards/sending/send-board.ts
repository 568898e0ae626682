// A board's message: looked for, posted, edited, and what follows on a new one.
import type { BoardOutcome, BoardRecord } from "../boards-table.ts";
import { MessengerError, type OwnMessage, type PostedMessage } from "../../core/ports.ts";
import { findBoardMark } from "../board-mark.ts";
import type { BoardContent } from "../boards.ts";
import { messengerErrorOf } from "../../delivery/messenger-errors.ts";
import { formatNonce } from "../../delivery/nonce.ts";
import type { BoardRunnerDeps } from "./board-runner.ts";
import type { ClaimedSlot } from "./slot-claims.ts";

/** By so much Discord's clock, which is in the ids of messages, may be behind ours. */
const SKEW_MS = 60_000;
/** What Discord allows each announcement channel. */
const PUBLISHINGS_AN_HOUR = 10;
const HOUR_MS = 3_600_000;

export type SendBoard = ReturnType<typeof createSendBoard>;

/** What can be done with a board's message. Throws MessengerError as the messenger does, where nothing else is said. */
export function createSendBoard({ messenger, publishings, present, clock, log }: BoardRunnerDeps) {
  const shownBy = (hash: string, { board }: BoardContent): BoardOutcome => ({
    shownHash: hash,
    shownDataMs: board?.dataAt.epochMilliseconds,
    lastSentMs: clock.now(),
  });

  return {
    /** The message that was sent for this slot before, if one was. */
    async find({ record, slotMs }: ClaimedSlot): Promise<OwnMessage | undefined> {
      const messages = await messenger.ownMessages(record.channelId, slotMs - SKEW_MS);
      return messages.find(({ componentIds }) => {
        const mark = findBoardMark(componentIds);
        return mark?.boardId === record.id && mark.slotMs === slotMs;
      });
    },

    /** Whether the board's message shows just this. */
    isShown: ({ record: { id, shownHash }, slotMs }: ClaimedSlot, content: BoardContent) =>
      present(content, { id, slotMs }).hash === shownHash,

    /** Posts a message for this slot, unless `mayPost` says no once it is ready: then `undefined`. */
    async post(
      { record: { id, channelId }, slotMs }: ClaimedSlot,
      content: BoardContent,
      mayPost: () => boolean,
    ): Promise<{ readonly posted: PostedMessage; readonly shown: BoardOutcome } | undefined> {
      const presented = present(content, { id, slotMs });
      const reply = await presented.reply();
      if (!mayPost()) {
        return undefined;
      }
      const posted = await messenger.post(channelId, reply, { nonce: formatNonce("board", id, slotMs) });
      return { posted, shown: shownBy(presented.hash, content) };
    },

    /**
     * Brings the board's message up to date; `undefined` where it is gone, an empty outcome where it was up to date.
     * `slotMs`: the slot for which it was sent, since an edit does not change what it is found by.
     */
    async edit(
      { id, channelId, shownHash }: BoardRecord,
      messageId: string,
      slotMs: number,
      content: BoardContent,
    ): Promise<BoardOutcome | undefined> {
      const presented = present(content, { id, slotMs });
      if (presented.hash === shownHash) {
        return {};
      }
      const reply = await presented.reply();
      try {
        await messenger.edit({ channelId, messageId }, reply);
      } catch (error) {
        if (error instanceof MessengerError && error.problem === "message-gone") {
          return undefined;
        }
        throw error;
      }
      return shownBy(presented.hash, content);
    },

    /** Deletes the message that a new one replaces; `false` where that did not succeed. */
    async deleteReplaced({ record, settings }: ClaimedSlot, posted: PostedMessage): Promise<boolean> {
      const { id, channelId, messageId } = record;
      if (settings.mode !== "replace" || messageId === undefined || messageId === posted.messageId) {
        return true;
      }
      const error = await messengerErrorOf(() => messenger.delete({ channelId, messageId }));
      if (error !== undefined) {
        log.warn({ error, board: id, message: messageId }, "replaced message not deleted yet");
      }
      return error === undefined;
    },

    /** Publishes to the servers that follow the channel, if it has not had its share of this hour. */
    async publish(
      { record: { id, channelId, guildId }, settings }: ClaimedSlot,
      posted: PostedMessage,
    ): Promise<void> {
      if (!settings.publish) {
        return;
      }
      if (!(await publishings.take(channelId, guildId, HOUR_MS, PUBLISHINGS_AN_HOUR))) {
        log.info({ board: id }, "board message not published: hourly limit reached");
        return;
      }
      const error = await messengerErrorOf(() => messenger.publish(posted));
      if (error !== undefined) {
        log.warn({ error, board: id }, "board message not published");
      }
    },
  };
}
