// A board that cannot go on: its subscriber is notified, and it is paused with the reason. Where that is its channel's
// state, the subscriber's other boards there go with it: a person who has ten of them gets one notice.
//
// The notice comes first. A process that dies in between leaves the claim; the process that takes it over meets the same
// obstacle, and sends the notice with the same nonce, for which Discord makes no second message for some minutes. The
// other way round a notice could be lost. The claim, and the change of state, are one process's only.
import type { Reply } from "../../core/reply.ts";
import type { BoardRecord } from "../boards-table.ts";
import { type Connection, MessengerError, type PostOptions } from "../../core/ports.ts";
import type { PauseReason, Subscription } from "../boards.ts";
import { isTransient } from "../../delivery/messenger-errors.ts";
import { formatNonce } from "../../delivery/nonce.ts";
import { readSubscription } from "../board-settings.ts";
import type { BoardRunnerDeps } from "./board-runner.ts";
import type { ClaimedSlot } from "./slot-claims.ts";
import type { FinalEnd } from "./deliver-slot.ts";

/** Pauses a board; gives how to go on with its slot while Discord cannot be reached, otherwise `undefined`. */
export function createPauseBoard(
  { boards, messenger, notice, clock, log }: BoardRunnerDeps,
  channelNames: ChannelNames,
) {
  /** Tries one way; gives whether it reached anybody. Throws transient errors. */
  async function reaches(board: string, send: () => Promise<unknown>): Promise<boolean> {
    try {
      return (await send()) !== undefined;
    } catch (error) {
      if (error instanceof MessengerError && !isTransient(error)) {
        log.info({ board, problem: error.problem }, "pause notice not delivered this way");
        return false;
      }
      throw error;
    }
  }

  /** `forAll`: the notice for a channel that many read. */
  async function notify(
    { id, guildId, createdBy }: Subscription,
    own: Reply,
    forAll: Reply,
    options: PostOptions,
  ): Promise<void> {
    const isNotified =
      (createdBy !== undefined &&
        (await reaches(id, () => messenger.dm(createdBy, own, { ...options, silent: false })))) ||
      (await reaches(id, async () => {
        const channelId = await messenger.noticeChannel(guildId);
        return channelId && messenger.post(channelId, forAll, options);
      }));
    if (!isNotified) {
      log.warn({ board: id, guild: guildId }, "pause notice not delivered");
    }
  }

  /** The subscriber's boards that stop: this one, and where the channel takes none, all there. The oldest first. */
  async function boardsToPause(
    { id, guildId, channelId, createdBy }: BoardRecord,
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

  return async ({ record, isUnsent }: ClaimedSlot, because: PauseReason): Promise<FinalEnd | undefined> => {
    let stopped: readonly BoardRecord[];
    try {
      const channel = await messenger.check(record.channelId);
      // As where one is subscribed, nothing must be missing.
      const isClosed = channel === undefined || channel.locked || channel.missing.length > 0;
      stopped = await boardsToPause(record, because, isClosed);
      const [oldest] = stopped;
      if (oldest === undefined || !stopped.some(({ id }) => id === record.id)) {
        // Another board of the channel was quicker.
        return undefined;
      }
      const board = readSubscription({ ...oldest, state: "paused", pausedBecause: because });
      // It is paused last and keeps its state until then: every try to notify has the same nonce.
      const nonce = formatNonce("paused", oldest.id, oldest.stateAtMs);
      const others = stopped.length - 1;
      const place = {
        guild: await messenger.guildName(record.guildId),
        channel: channel?.name ?? channelNames.get(record.channelId),
      };
      // Not everyone in that server sees the board's channel, nor need know what it is called.
      await notify(board, notice(board, place, others), notice(board, {}, others), { nonce });
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
      log.info({ board: id, because }, "board paused");
    }
    return undefined;
  };
}

type ChannelNames = ReturnType<typeof createChannelNames>;

/** What the channels of boards are called, by id, remembered for when they are gone: a notice can name them then. */
export function createChannelNames({ channelName }: Pick<Connection, "channelName">) {
  let names: ReadonlyMap<string, string> = new Map();
  return {
    /** Takes over what these are called now, and forgets all others. One that is gone keeps the name that it had. */
    keep(channelIds: Iterable<string>): void {
      const kept = new Map<string, string>();
      for (const id of channelIds) {
        const name = channelName(id) ?? names.get(id);
        if (name !== undefined) {
          kept.set(id, name);
        }
      }
      names = kept;
    },

    /** `undefined` for one that this process never saw. */
    get: (channelId: string) => names.get(channelId),
  };
}
