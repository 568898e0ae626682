// If the channel is the reason, the subscriber's other boards there are paused too, with one notice.
import type { LRUCache } from "lru-cache";
import { type BoardRecord, NO_CLAIM } from "../boards-table.ts";
import { boardNoticeView } from "../board-card-view.ts";
import { type PauseReason, readSubscription } from "../boards.ts";
import { markPaused } from "../kept-message.ts";
import { type RetryLater, retryLater, formatNonce } from "../../delivery/deliver.ts";
import { BARRED_RETRY_MS, type Pause, pauseWithNotice } from "../../delivery/pause.ts";
import type { BoardRunnerDependencies } from "./board-runner.ts";
import type { ClaimedSlot } from "./slot-claims.ts";

/** The names of boards' channels, by id. A deleted channel keeps its name, so that a notice can mention it. */
export type ChannelNames = LRUCache<string, string>;

/**
 * The function returns when to retry if Discord is unavailable, the server is gone or the bot is timed out, otherwise
 * `undefined`.
 */
export function createPauseBoard(deps: BoardRunnerDependencies, channelNames: ChannelNames) {
  const { table, messenger, stations, clock, log } = deps;

  async function pauseAll(stopped: readonly BoardRecord[], because: PauseReason): Promise<void> {
    for (const { id, guildId } of stopped.toReversed()) {
      await table.changeState(id, ["active"], {
        state: "paused",
        pausedBecause: because,
        stateAtMs: clock.now(),
        nextSlotMs: undefined,
        ...NO_CLAIM,
      });
      log.info({ board: id, guild: guildId, because }, "board paused");
    }
  }

  async function prepare(
    { board, isUnsent }: ClaimedSlot,
    because: PauseReason,
  ): Promise<Pause | RetryLater | undefined> {
    const { guildId, channelId } = board;
    const guild = await messenger.guildName(guildId);
    if (guild === undefined) {
      // If the bot is back soon, the board continues. Otherwise the gateway reports the removal, and the board is no
      // longer due.
      return retryLater(isUnsent, BARRED_RETRY_MS);
    }
    const channel = await messenger.check(channelId);
    if (because === "not-allowed" && channel?.timedOutUntilMs !== undefined) {
      // The timeout ends by itself.
      return retryLater(isUnsent, BARRED_RETRY_MS);
    }
    // The same permissions are required as when a board is subscribed.
    const isClosed = channel === undefined || channel.locked || channel.missing.length > 0;
    const pausesAll = because !== "station-closed" && isClosed;
    // Oldest first: this board and, if the bot cannot post in the channel, all boards of the same subscriber there.
    const stopped = (await table.ofGuild(guildId)).filter(
      (each) =>
        each.state === "active" &&
        each.channelId === channelId &&
        (each.id === board.id || (pausesAll && each.createdBy === board.createdBy)),
    );
    const [oldest] = stopped;
    if (oldest === undefined || !stopped.some(({ id }) => id === board.id)) {
      // Another board of the channel has already paused this one, or somebody has moved it.
      return undefined;
    }
    const paused = readSubscription({ ...oldest, state: "paused", pausedBecause: because });
    // The oldest board is paused last. Its state does not change until then, so each attempt to notify has the same nonce.
    const options = { nonce: formatNonce("paused", oldest.id, oldest.stateAtMs) };
    const others = stopped.length - 1;
    const place = { guild, channel: channel?.name ?? channelNames.get(channelId) };
    const own = boardNoticeView(paused, place, others, stations);
    // Not everyone in the server can see the board's channel, so this notice does not name it.
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
      pause: async () => {
        await pauseAll(stopped, because);
        if (because === "station-closed") {
          await markPaused(deps, board.id);
        }
      },
    };
  }

  return (slot: ClaimedSlot, because: PauseReason): Promise<RetryLater | undefined> =>
    pauseWithNotice({ log, logFields: { board: slot.board.id }, isUnsent: slot.isUnsent }, () =>
      prepare(slot, because),
    );
}
