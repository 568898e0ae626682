// A watch that cannot tell: its owner hears of it once, some other way, and it is paused with the reason. They hear
// first, as for boards: whoever dies in between leaves it to another, who tells it with the same nonce.
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { WatchesTable } from "../../storage/watches-table.ts";
import { formatNonce } from "../sending/nonce.ts";
import { isPassing } from "../board-runner/slot-end.ts";
import { MessengerError } from "../../core/ports.ts";
import type { PresentWatchNotice, WatchMessenger } from "./run-watches.ts";
import type { Watch, WatchPauseReason } from "./watches.ts";

/** What pausing stands on. */
export interface PauseWatchDependencies {
  readonly watches: Pick<WatchesTable, "changeState">;
  readonly messenger: Pick<WatchMessenger, "post" | "conversation">;
  readonly notice: PresentWatchNotice;
  readonly clock: Clock;
  readonly log: Log;
}

/** Pauses a watch that has had its state since then; gives how long to wait while nobody can be told, otherwise `undefined`. */
export type PauseWatch = (
  watch: Watch,
  stateAtMs: number,
  because: WatchPauseReason,
) => Promise<{ readonly waitMs: number | undefined } | undefined>;

/** Makes what pauses watches. */
export function createPauseWatch({
  watches,
  messenger,
  notice,
  clock,
  log,
}: PauseWatchDependencies): PauseWatch {
  /** Where its owner reads of it: in a direct message, or where they asked for it if that is what is closed. */
  async function wayTo({ ownerId, askedIn }: Watch, because: WatchPauseReason): Promise<string | undefined> {
    return because === "dm-closed" ? askedIn.channelId : messenger.conversation(ownerId);
  }

  async function tell(watch: Watch, stateAtMs: number, because: WatchPauseReason): Promise<void> {
    const { id, ownerId, settings } = watch;
    try {
      const channelId = await wayTo(watch, because);
      if (channelId !== undefined) {
        await messenger.post(channelId, notice({ ...watch, state: "paused", pausedBecause: because }), {
          // Until it is resumed it keeps its state: every try to tell it has the same nonce.
          nonce: formatNonce("watch-paused", id, stateAtMs),
          silent: !settings.ping,
          ping: settings.ping ? [ownerId] : [],
        });
      }
    } catch (error) {
      if (!(error instanceof MessengerError) || isPassing(error)) {
        throw error;
      }
      log.info({ watch: id, problem: error.problem }, "nobody could be told that a watch was paused");
    }
  }

  return async (watch, stateAtMs, because) => {
    try {
      await tell(watch, stateAtMs, because);
    } catch (error) {
      if (error instanceof MessengerError) {
        return { waitMs: error.retryAfterMs };
      }
      throw error;
    }
    await watches.changeState(watch.id, ["active"], {
      state: "paused",
      pausedBecause: because,
      stateAtMs: clock.now(),
    });
    log.info({ watch: watch.id, because }, "a watch was paused");
    return undefined;
  };
}
