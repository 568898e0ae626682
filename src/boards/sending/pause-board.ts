// A board that cannot go on: its subscriber is told, and it is paused with the reason. Where that is its channel's
// state, the subscriber's other boards there go with it: whoever has ten of them is told once.
//
// It is told first. A process that dies in between leaves the claim, whoever takes that over meets the same obstacle,
// and tells it with the same nonce, for which Discord makes no second message for some minutes. The other way round a
// notice could be lost. The claim, and the change of state, are one process's only.
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Reply } from "../../core/reply.ts";
import type { BoardRecord, BoardsTable } from "../boards-table.ts";
import { type ChannelCheck, type Messenger, MessengerError, type PostOptions } from "../../core/ports.ts";
import type { PauseReason, Subscription } from "../boards.ts";
import { formatNonce } from "../../delivery/nonce.ts";
import { readSubscription } from "../board-settings.ts";
import type { NoticePlace, PresentNotice } from "./board-runner.ts";
import type { ChannelNames } from "../board-channels.ts";
import type { HeldSlot } from "./slot-claims.ts";
import { type Settled, isPassing } from "./settle-slot.ts";

/** What pausing stands on. */
export interface PauseDependencies {
  readonly boards: Pick<BoardsTable, "changeState" | "ofGuild">;
  readonly messenger: Pick<Messenger, "check" | "dm" | "guildName" | "post" | "noticeChannel">;
  readonly notice: PresentNotice;
  /** What a channel was called when it was last seen, by its id. */
  readonly channelNames: Pick<ChannelNames, "get">;
  readonly clock: Clock;
  readonly log: Log;
}

/** The same notice for the subscriber alone and for a channel that many read. */
interface Notices {
  readonly own: Reply;
  readonly everyone: Reply;
}

/** Pauses a board; gives how to go on with its slot while Discord cannot be told, otherwise `undefined`. */
export type PauseBoard = (slot: HeldSlot, because: PauseReason) => Promise<Settled | undefined>;

/** Makes what pauses boards. */
export function createPauseBoard({
  boards,
  messenger,
  notice,
  channelNames,
  clock,
  log,
}: PauseDependencies): PauseBoard {
  /** Tries one way; gives whether it reached anybody. Throws what will pass. */
  async function reaches(board: string, send: () => Promise<unknown>): Promise<boolean> {
    try {
      return (await send()) !== undefined;
    } catch (error) {
      if (error instanceof MessengerError && !isPassing(error)) {
        log.info({ board, problem: error.problem }, "a notice did not reach anybody this way");
        return false;
      }
      throw error;
    }
  }

  async function tell(
    { id, guildId, createdBy }: Subscription,
    { own, everyone }: Notices,
    options: PostOptions,
  ): Promise<void> {
    const isTold =
      (createdBy !== undefined &&
        (await reaches(id, () => messenger.dm(createdBy, own, { ...options, silent: false })))) ||
      (await reaches(id, async () => {
        const channelId = await messenger.noticeChannel(guildId);
        return channelId && messenger.post(channelId, everyone, options);
      }));
    if (!isTold) {
      log.warn({ board: id, guild: guildId }, "nobody could be told that a board was paused");
    }
  }

  /** The subscriber's boards that stop: this one, and where the channel takes none, all there. The oldest first. */
  async function stopping(record: BoardRecord, isWhole: boolean): Promise<readonly BoardRecord[]> {
    const { id, guildId, channelId, createdBy } = record;
    return (await boards.ofGuild(guildId)).filter(
      (each) =>
        each.state === "active" &&
        (each.id === id || (isWhole && each.channelId === channelId && each.createdBy === createdBy)),
    );
  }

  return async ({ record, isUnsent }, because) => {
    let stopped: readonly BoardRecord[];
    try {
      const channel = await messenger.check(record.channelId);
      stopped = await stopping(record, because !== "station-closed" && isClosed(channel));
      const [oldest] = stopped;
      if (oldest === undefined || !stopped.some(({ id }) => id === record.id)) {
        // Another board of the channel was quicker.
        return undefined;
      }
      const board = readSubscription({ ...oldest, state: "paused", pausedBecause: because });
      // It is paused last and keeps its state until then: every try to tell has the same nonce.
      const nonce = formatNonce("paused", oldest.id, oldest.stateAtMs);
      const others = stopped.length - 1;
      const place: NoticePlace = {
        guild: await messenger.guildName(record.guildId),
        channel: channel?.name ?? channelNames.get(record.channelId),
      };
      const notices = {
        own: notice(board, place, others),
        // It stands in that server. Not everyone there sees the board's channel, nor need know what it is called.
        everyone: notice(board, {}, others),
      };
      await tell(board, notices, { nonce });
    } catch (error) {
      if (error instanceof MessengerError) {
        return { end: "later", isUnsent, waitMs: error.retryAfterMs };
      }
      throw error;
    }
    for (const { id } of stopped.toReversed()) {
      await boards.changeState(id, ["active"], {
        state: "paused",
        pausedBecause: because,
        stateAtMs: clock.now(),
        nextSlotMs: undefined,
        claimedSlotMs: undefined,
        claimedUntilMs: undefined,
      });
      log.info({ board: id, because }, "a board was paused");
    }
    return undefined;
  };
}

/** Whether a channel takes no board at all: as where one is subscribed, nothing must be missing. */
function isClosed(channel: ChannelCheck | undefined): boolean {
  return channel === undefined || channel.locked || channel.missing.length > 0;
}
