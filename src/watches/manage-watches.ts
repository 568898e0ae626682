// What several parts of the watches' management do.
import type { Clock } from "../core/clock.ts";
import { UserError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { WatchRecord, WatchesTable } from "./watches-table.ts";
import type { Messenger } from "../core/ports.ts";
import type { Stations } from "../rail/stations.ts";
import { DEFAULT_DELAY_MINUTES, DEFAULT_LEAD_MINUTES, isKeptWatch } from "./watch-settings.ts";
import type {
  WantedWatch,
  Watch,
  WatchActor,
  WatchPauseReason,
  WatchSettings,
  WatchTarget,
  Watches,
} from "./watches.ts";
import { formatNonce } from "../delivery/nonce.ts";
import type { Later } from "../delivery/deliver.ts";
import { pauseWithNotice } from "../delivery/pause.ts";
import { askWhetherAllowed, messengerErrorOf } from "../delivery/messenger-errors.ts";
import type { Reply } from "../core/reply.ts";
import { isOfWatch } from "./watch-args.ts";
import type { WatchRunnerDeps } from "./watch-runner.ts";

export interface WatchesDeps {
  readonly table: WatchesTable;
  readonly messenger: Pick<Messenger, "check" | "dm" | "mayManage" | "conversation" | "ownMessages" | "edit">;
  readonly stations: Pick<Stations, "byCrs">;
  readonly find: Watches["find"];
  /** Makes the first direct message of a watch: it proves the way, and carries Pause and Stop. */
  readonly welcome: (watch: Watch) => Reply;
  /** Takes its place once the watch was stopped. */
  readonly stopped: (watch: Watch) => Reply;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a watch that was stopped can be brought back. */
export const UNDO_WINDOW_MS = 60 * 60_000;

/** The most active and paused watches of a person, and of the channels of a server. */
export const WATCH_LIMITS = { perOwner: 20, perGuild: 50 } as const;

/** Gives an active or paused watch that is the person's to manage. Throws a UserError for any other. */
export async function requireWatch(
  { table, messenger }: Pick<WatchesDeps, "table" | "messenger">,
  { userId, guildId }: WatchActor,
  id: string,
): Promise<WatchRecord> {
  const record = await table.get(id);
  if (!record || !isKeptWatch(record)) {
    throw new UserError("That watch is over, or was stopped. `/watch list` shows the ones you have.");
  }
  await requireTheirs(messenger, { userId, guildId }, record);
  return record;
}

/** Throws a UserError for a watch that is not the person's to manage. */
export async function requireTheirs(
  messenger: Pick<Messenger, "mayManage">,
  { userId, guildId }: WatchActor,
  record: WatchRecord,
): Promise<void> {
  const isTheirs =
    record.ownerId === userId ||
    (guildId !== undefined &&
      guildId === record.guildId &&
      (await askWhetherAllowed(() => messenger.mayManage(guildId, userId))));
  if (!isTheirs) {
    throw notTheirs();
  }
}

/**
 * Changes the first direct message of a watch, and what else stands there with its buttons but belongs to no day. Nobody
 * keeps the ids: they are found by the buttons. A failure leaves them as they are.
 */
export async function editFirstMessage(
  {
    messenger,
    log,
  }: Pick<WatchesDeps, "log"> & { messenger: Pick<Messenger, "conversation" | "ownMessages" | "edit"> },
  { id, ownerId, target }: Watch,
  sinceMs: number,
  reply: Reply,
): Promise<void> {
  if (target.kind !== "dm") {
    return;
  }
  const error = await messengerErrorOf(async () => {
    const messages = await messenger.ownMessages(await messenger.conversation(ownerId), sinceMs);
    const own = messages.filter(({ componentIds }) => componentIds.some((each) => isOfWatch(each, id)));
    for (const message of own) {
      await messenger.edit(message, reply);
    }
  });
  if (error !== undefined) {
    log.warn({ error, watch: id }, "first message not changed");
  }
}

/** Thrown where a watch is another person's. */
export function notTheirs(): UserError {
  return new UserError("That watch is somebody else's. To set up your own, type `/watch`.");
}

/** Thrown where a person, or a server, has as many watches as it may. */
export function tooManyWatches({ guildId }: Pick<WatchRecord, "guildId">): UserError {
  return new UserError(
    guildId === undefined
      ? `You have ${WATCH_LIMITS.perOwner} watches, the most I can keep for you. Stop one first with \`/watch list\`.`
      : `This server's channels have ${WATCH_LIMITS.perGuild} watches, the most I can keep for them. Stop one first with \`/watch list\`.`,
  );
}

/** Thrown where two people change a watch at once. */
export function changedMeanwhile(): UserError {
  return new UserError("That watch has just changed. Please check `/watch list` and try again.");
}

/**
 * Writes to the owner of a watch that notifies in direct messages: that proves that the next message will come through.
 * `sinceMs`, when it became active, keeps two tries from becoming two messages. Throws a UserError that says what to do
 * where the person takes none. Another failure says nothing about the next time, and is only logged.
 */
export async function proveWay(
  { messenger, welcome, log }: WatchesDeps,
  watch: Watch,
  sinceMs: number,
): Promise<void> {
  if (watch.target.kind !== "dm") {
    return;
  }
  const nonce = formatNonce("watch", watch.id, sinceMs);
  const error = await messengerErrorOf(() => messenger.dm(watch.ownerId, welcome(watch), { nonce }));
  if (error?.problem === "dm-closed") {
    throw new UserError(
      "I can't send you a direct message, so my alerts wouldn't reach you. Allow direct messages in this server's privacy settings, or add me to your apps, and try again.",
    );
  }
  if (error !== undefined) {
    log.warn({ error, watch: watch.id }, "welcome message not delivered");
  }
}

export type PauseWatch = ReturnType<typeof createPauseWatch>;

/**
 * A watch that can notify nobody: its owner gets one notice, some other way, and it is paused with the reason. Gives how to
 * go on while Discord cannot be reached.
 */
export function createPauseWatch({ watches, messenger, notice, clock, log }: WatchRunnerDeps) {
  /** `stateAtMs`: since when it has had its state, so that every try to notify has the same nonce. */
  return (
    watch: Watch,
    stateAtMs: number,
    because: WatchPauseReason,
    isUnsent: boolean,
  ): Promise<Later | undefined> => {
    const { id, ownerId, askedIn, settings } = watch;
    const options = {
      nonce: formatNonce("watch-paused", id, stateAtMs),
      silent: !settings.ping,
      ping: settings.ping ? [ownerId] : [],
    };
    return pauseWithNotice({ log, of: { watch: id }, isUnsent }, async () => ({
      ways: [
        async () => {
          // In a direct message, or where they asked for it if that is what is closed.
          const channelId =
            because === "dm-closed" ? askedIn.channelId : await messenger.conversation(ownerId);
          const paused = notice({ ...watch, state: "paused", pausedBecause: because });
          return channelId && messenger.post(channelId, paused, options);
        },
      ],
      async pause() {
        const stopped = { state: "paused", pausedBecause: because, stateAtMs: clock.now() } as const;
        await watches.changeState(id, ["active"], stopped);
        log.info({ watch: id, because }, "watch paused");
      },
    }));
  };
}

/** When and where somebody wants to be notified; what is absent is as usual. */
export interface NotifyChoice {
  readonly delay?: number | undefined;
  readonly lead?: number | undefined;
  readonly ping?: boolean | undefined;
  readonly where?: "here" | "dm" | undefined;
}

/** The watch that a person wants, from what they chose. */
export function chooseWatch(
  { caller, where }: { readonly caller: { readonly id: string }; readonly where: Watch["askedIn"] },
  what: WatchSettings["what"],
  choice: NotifyChoice,
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
function targetOf({ guildId, channelId }: Watch["askedIn"], where: NotifyChoice["where"]): WatchTarget {
  return where === "here" && guildId !== undefined && channelId !== undefined
    ? { kind: "channel", guildId, channelId }
    : { kind: "dm" };
}
