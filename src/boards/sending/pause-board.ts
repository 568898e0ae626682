// Pauses a board that cannot go on, and notifies its subscriber. If the channel is the reason, the subscriber's other boards
// there are paused too: a person who has ten of them gets one notice.
import type { LRUCache } from "lru-cache";
import { type BoardRecord, NO_CLAIM } from "../boards-table.ts";
import { boardNoticeView } from "../board-notice-view.ts";
import { type PauseReason, type Subscription, readSubscription } from "../boards.ts";
import { type RetryLater, retryLater } from "../../delivery/deliver.ts";
import { formatNonce } from "../../delivery/nonce.ts";
import { type Pause, pauseWithNotice } from "../../delivery/pause.ts";
import type { BoardRunnerDeps } from "./board-runner.ts";
import type { ClaimedSlot } from "./slot-claims.ts";

/** What the channels of boards are called, by id. One that is gone keeps its name: a notice can name it. */
export type ChannelNames = LRUCache<string, string>;

/** How soon a board is tried again after its server removed the bot. */
const LEFT_RETRY_MS = 60_000;

/** Pauses a board; gives how to go on with its slot while Discord cannot be reached, otherwise `undefined`. */
export function createPauseBoard(
  { boards, messenger, stations, clock, log }: BoardRunnerDeps,
  channelNames: ChannelNames,
) {
  /** The subscriber's boards that stop: this one, and where the channel takes none, all there. The oldest first. */
  async function boardsToPause(
    { id, guildId, channelId, createdBy }: Subscription,
    because: PauseReason,
    isClosed: boolean,
  ): Promise<readonly BoardRecord[]> {
    const isWhole = because !== "station-closed" && isClosed;
    return (await boards.ofGuild(guildId)).filter(
      (each) =>
        each.state === "active" &&
        (each.id === id || (isWhole && each.channelId === channelId && each.createdBy === createdBy)),
    );
  }

  async function pauseAll(stopped: readonly BoardRecord[], because: PauseReason): Promise<void> {
    for (const { id } of stopped.toReversed()) {
      await boards.changeState(id, ["active"], {
        state: "paused",
        pausedBecause: because,
        stateAtMs: clock.now(),
        nextSlotMs: undefined,
        ...NO_CLAIM,
      });
      log.info({ board: id, because }, "board paused");
    }
  }

  async function prepare(
    { board, isUnsent }: ClaimedSlot,
    because: PauseReason,
  ): Promise<Pause | RetryLater | undefined> {
    const { guildId, channelId } = board;
    const guild = await messenger.guildName(guildId);
    if (guild === undefined) {
      // If the bot comes back, the board carries on. Otherwise the gateway soon reports the removal, and the board rests.
      return retryLater(isUnsent, LEFT_RETRY_MS);
    }
    const channel = await messenger.check(channelId);
    // The same permissions are required as when a board is subscribed.
    const isClosed = channel === undefined || channel.locked || channel.missing.length > 0;
    const stopped = await boardsToPause(board, because, isClosed);
    const [oldest] = stopped;
    if (oldest === undefined || !stopped.some(({ id }) => id === board.id)) {
      // Another board of the channel was quicker.
      return undefined;
    }
    const paused = readSubscription({ ...oldest, state: "paused", pausedBecause: because });
    // It is paused last and keeps its state until then: every try to notify has the same nonce.
    const options = { nonce: formatNonce("paused", oldest.id, oldest.stateAtMs) };
    const others = stopped.length - 1;
    const place = { guild, channel: channel?.name ?? channelNames.get(channelId) };
    const own = boardNoticeView(paused, place, others, stations);
    // Not everyone in that server sees the board's channel, nor need know what it is called.
    const forAll = boardNoticeView(paused, {}, others, stations);
    const { createdBy } = paused;
    return {
      ways: [
        async () => createdBy && messenger.dm(createdBy, own, { ...options, silent: false }),
        async () => {
          const noticeId = await messenger.noticeChannel(guildId);
          return noticeId && messenger.post(noticeId, forAll, options);
        },
      ],
      pause: () => pauseAll(stopped, because),
    };
  }

  return (slot: ClaimedSlot, because: PauseReason): Promise<RetryLater | undefined> =>
    pauseWithNotice({ log, logFields: { board: slot.board.id }, isUnsent: slot.isUnsent }, () =>
      prepare(slot, because),
    );
}
