// A board's message: looked for, posted, edited, and what follows on a new one.
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { BoardOutcome } from "../boards-table.ts";
import type { PublishingsTable } from "../publishings-table.ts";
import { type Messenger, MessengerError, type OwnMessage, type PostedMessage } from "../../core/ports.ts";
import { findBoardMark } from "../board-mark.ts";
import type { BoardContent } from "../boards.ts";
import { formatNonce } from "../../delivery/nonce.ts";
import type { PresentBoard } from "./board-runner.ts";
import type { HeldSlot } from "./slot-claims.ts";

/** What sending stands on. */
export interface SendBoardDependencies {
  readonly messenger: Pick<Messenger, "post" | "edit" | "delete" | "publish" | "ownMessages">;
  readonly publishings: PublishingsTable;
  readonly present: PresentBoard;
  readonly clock: Clock;
  readonly log: Log;
}

/** What can be done with a board's message. Throws MessengerError as the messenger does, where nothing else is said. */
export interface SendBoard {
  /** The message that was sent for this slot before, if one was. */
  find(slot: HeldSlot): Promise<OwnMessage | undefined>;
  /** Whether the board's message shows just this. */
  isShown(slot: HeldSlot, content: BoardContent): boolean;
  /** Posts a message for this slot, unless `mayPost` says no once it is ready: then `undefined`. */
  post(
    slot: HeldSlot,
    content: BoardContent,
    mayPost: () => boolean,
  ): Promise<{ readonly posted: PostedMessage; readonly shown: BoardOutcome } | undefined>;
  /** Brings the board's message up to date; `undefined` where it is gone, an empty outcome where it was up to date. */
  edit(board: MessageOfBoard, content: BoardContent): Promise<BoardOutcome | undefined>;
  /** Takes the message away that a new one replaces; `false` where that did not succeed. */
  deleteReplaced(slot: HeldSlot, posted: PostedMessage): Promise<boolean>;
  /** Publishes to the servers that follow the channel, if it has not had its share of this hour. */
  publish(slot: HeldSlot, posted: PostedMessage): Promise<void>;
}

/** A board with a message that it keeps. */
export interface MessageOfBoard {
  readonly id: string;
  readonly channelId: string;
  readonly messageId: string;
  /** The slot for which the message was sent: an edit does not change what it is found by. */
  readonly messageSlotMs: number;
  readonly shownHash: string | undefined;
}

/** By so much Discord's clock, which is in the ids of messages, may be behind ours. */
const SKEW_MS = 60_000;
/** What Discord allows each announcement channel. */
const PUBLISHINGS_AN_HOUR = 10;
const HOUR_MS = 3_600_000;

/** Makes what sends boards. */
export function createSendBoard(deps: SendBoardDependencies): SendBoard {
  const { messenger, publishings, present, clock, log } = deps;

  const shownBy = (hash: string, { board }: BoardContent): BoardOutcome => ({
    shownHash: hash,
    shownDataMs: board?.dataAt.epochMilliseconds,
    lastSentMs: clock.now(),
  });

  return {
    async find({ record, slotMs }) {
      const messages = await messenger.ownMessages(record.channelId, slotMs - SKEW_MS);
      return messages.find(({ componentIds }) => {
        const mark = findBoardMark(componentIds);
        return mark?.boardId === record.id && mark.slotMs === slotMs;
      });
    },
    isShown: ({ record: { id, shownHash }, slotMs }, content) =>
      present(content, { id, slotMs }).hash === shownHash,
    async post({ record: { id, channelId }, slotMs }, content, mayPost) {
      const presented = present(content, { id, slotMs });
      const reply = await presented.reply();
      if (!mayPost()) {
        return undefined;
      }
      const posted = await messenger.post(channelId, reply, { nonce: formatNonce("board", id, slotMs) });
      return { posted, shown: shownBy(presented.hash, content) };
    },
    async edit({ id, channelId, messageId, messageSlotMs, shownHash }, content) {
      const presented = present(content, { id, slotMs: messageSlotMs });
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
    async deleteReplaced({ record, settings }, posted) {
      const { id, channelId, messageId } = record;
      if (settings.mode !== "replace" || messageId === undefined || messageId === posted.messageId) {
        return true;
      }
      try {
        await messenger.delete({ channelId, messageId });
        return true;
      } catch (error) {
        if (!(error instanceof MessengerError)) {
          throw error;
        }
        log.warn({ error, board: id, message: messageId }, "a board's old message is not deleted yet");
        return false;
      }
    },
    async publish({ record: { id, channelId, guildId }, settings }, posted) {
      if (!settings.publish) {
        return;
      }
      if (!(await publishings.take(channelId, guildId, HOUR_MS, PUBLISHINGS_AN_HOUR))) {
        log.info(
          { board: id },
          "a board's message is not published: its channel has had its ten of this hour",
        );
        return;
      }
      try {
        await messenger.publish(posted);
      } catch (error) {
        if (!(error instanceof MessengerError)) {
          throw error;
        }
        log.warn({ error, board: id }, "a board's message is not published");
      }
    },
  };
}
