// What the parts of the watches' management stand on, and what several of them do.
import type { Clock } from "../core/clock.ts";
import { UserError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { WatchRecord, WatchesTable } from "./watches-table.ts";
import { type Messenger, MessengerError } from "../core/ports.ts";
import type { Stations } from "../rail/stations.ts";
import { DEFAULT_DELAY_MINUTES, DEFAULT_LEAD_MINUTES, mayManage } from "./watch-settings.ts";
import { isKeptWatch } from "./read-watch.ts";
import type {
  PresentWelcome,
  WantedWatch,
  Watch,
  WatchActor,
  WatchPauseReason,
  WatchSettings,
  WatchTarget,
  Watches,
} from "./watches.ts";
import { formatNonce } from "../delivery/nonce.ts";
import { isTransient } from "../delivery/messenger-errors.ts";
import type { PresentWatchNotice, WatchMessenger } from "./watch-runner.ts";

/** What the management of watches stands on. */
export interface WatchesDependencies {
  readonly table: WatchesTable;
  readonly messenger: Pick<Messenger, "check" | "dm" | "mayManage">;
  readonly stations: Pick<Stations, "byCrs">;
  readonly find: Watches["find"];
  readonly welcome: PresentWelcome;
  readonly clock: Clock;
  readonly log: Log;
}

/** The most active and paused watches of a person, and of the channels of a server. */
export const WATCH_LIMITS = { perOwner: 20, perGuild: 50 } as const;

/** Gives an active or paused watch that is the person's to manage. Throws a UserError for any other. */
export async function requireWatch(
  { table, messenger }: Pick<WatchesDependencies, "table" | "messenger">,
  { userId, guildId }: WatchActor,
  id: string,
): Promise<WatchRecord> {
  const record = await table.get(id);
  if (!record || !isKeptWatch(record)) {
    throw new UserError("That watch is over, or was stopped. `/watch list` shows those you have.");
  }
  const isHere = record.guildId !== undefined && record.guildId === guildId;
  if (record.ownerId !== userId && !(isHere && (await mayManage(messenger, record.guildId, userId)))) {
    throw new UserError(
      "That watch is somebody else's. You can make one of your own with `/watch train` or `/watch commute`.",
    );
  }
  return record;
}

/** Thrown where a person, or a server, has as many watches as it may. */
export function tooManyWatches({ guildId }: Pick<WatchRecord, "guildId">): UserError {
  return new UserError(
    guildId === undefined
      ? `You have ${WATCH_LIMITS.perOwner} watches, which is as many as I can keep for you. Stop one with \`/watch list\` first.`
      : `The channels of this server have ${WATCH_LIMITS.perGuild} watches, which is as many as I can keep for them. Stop one with \`/watch list\` first.`,
  );
}

/** Thrown where two people change a watch at once. */
export function changedMeanwhile(): UserError {
  return new UserError("That watch has just changed. Please look at `/watch list` and try again.");
}

// A watch that cannot tell: its owner hears of it once, some other way, and it is paused with the reason. They hear
// first, as for boards: whoever dies in between leaves it to another, who tells it with the same nonce.

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
      if (!(error instanceof MessengerError) || isTransient(error)) {
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

// Puts what a person chose together with what is usual.

/** When and where somebody wants to be told; what is absent is as usual. */
export interface TellChoice {
  readonly delay?: number | undefined;
  readonly lead?: number | undefined;
  readonly ping?: boolean | undefined;
  readonly where?: "here" | "dm" | undefined;
}

/** Who asks, and where. */
export interface WatchAsker {
  readonly caller: { readonly id: string };
  readonly where: Watch["askedIn"];
}

/** What a person wants to be watched. */
export function chooseWatch(
  { caller, where }: WatchAsker,
  what: WatchSettings["what"],
  choice: TellChoice,
): WantedWatch {
  return {
    ownerId: caller.id,
    askedIn: where,
    target: targetOf(where, choice.where),
    settings: {
      what,
      delayMinutes: choice.delay ?? DEFAULT_DELAY_MINUTES,
      leadMinutes: choice.lead ?? DEFAULT_LEAD_MINUTES,
      ping: choice.ping ?? false,
    },
  };
}

/** "Here", outside of a server, is the conversation with the person. */
function targetOf({ guildId, channelId }: Watch["askedIn"], where: TellChoice["where"]): WatchTarget {
  return where === "here" && guildId !== undefined && channelId !== undefined
    ? { kind: "channel", guildId, channelId }
    : { kind: "dm" };
}
