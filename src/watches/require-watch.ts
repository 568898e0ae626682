// Who may manage a watch, where it may notify, and its welcome message.
import { UserError } from "../core/errors.ts";
import type { Messenger, Platform } from "../core/ports.ts";
import type { Reply } from "../core/reply.ts";
import { checkChannel } from "../delivery/check-channel.ts";
import { askWhetherAllowed, catchMessengerError } from "../delivery/messenger-errors.ts";
import { formatNonce } from "../delivery/deliver.ts";
import type { Stations } from "../rail/stations.ts";
import { isOfWatch } from "./watch-args.ts";
import { watchWelcomeView } from "./watch-saved-view.ts";
import { type Watch, isSavedWatch } from "./watches.ts";
import type { WatchRecord, WatchesTable } from "./watches-table.ts";

export interface WatchesDependencies extends Pick<Platform, "clock" | "log"> {
  readonly table: WatchesTable;
  readonly messenger: Pick<Messenger, "check" | "dm" | "mayManage" | "conversation" | "ownMessages" | "edit">;
  readonly stations: Pick<Stations, "byCrs">;
}

/** How long a draft can be saved, and a stopped watch can be brought back. */
export const UNDO_WINDOW_MS = 60 * 60_000;

/** The most active and paused watches of a person, and of the channels of a server. */
export const WATCH_LIMITS = { perOwner: 20, perGuild: 50 } as const;

/** Whether they may do it has not been checked. */
export interface WatchActor {
  readonly userId: string;
  /** `undefined` in a DM. */
  readonly guildId: string | undefined;
}

/** Active or paused. Throws a UserError if the person may not manage such a watch. */
export async function requireWatch(
  { table, messenger }: WatchesDependencies,
  by: WatchActor,
  id: string,
): Promise<WatchRecord> {
  const record = await table.get(id);
  if (!record || !isSavedWatch(record)) {
    throw new UserError(
      "That watch is over, or was stopped. `/watch list` shows the ones you have.",
      "outdated",
    );
  }
  await requireAccess(messenger, by, record);
  return record;
}

/** Throws a UserError if the person may not manage the watch. */
export async function requireAccess(
  messenger: Pick<Messenger, "mayManage">,
  { userId, guildId }: WatchActor,
  record: WatchRecord,
): Promise<void> {
  const mayManage =
    record.ownerId === userId ||
    (guildId !== undefined &&
      guildId === record.guildId &&
      (await askWhetherAllowed(() => messenger.mayManage(guildId, userId))));
  if (!mayManage) {
    throw notYourWatchError();
  }
}

/** Throws a UserError that says how to fix it. Only sending a DM shows whether it arrives. */
export async function checkTarget(
  messenger: Pick<Messenger, "check" | "mayManage">,
  { guildId, channelId }: Pick<Watch, "guildId" | "channelId">,
  userId: string,
): Promise<void> {
  if (guildId === undefined || channelId === undefined) {
    return;
  }
  if (!(await askWhetherAllowed(() => messenger.mayManage(guildId, userId)))) {
    throw new UserError(
      "Only people who manage the server can have alerts posted in a channel. Leave out `where` and I'll DM you instead.",
    );
  }
  const words = { act: "write", otherwise: "use another channel" };
  await checkChannel(messenger, { guildId, channelId, userId }, words);
}

/**
 * Edits the first message of a watch by DM, and any other that has the watch's buttons and belongs to no incident. Their
 * ids are not stored, so the bot finds them by their buttons. A message whose edit fails stays unchanged.
 */
export async function editFirstMessage(
  {
    messenger,
    log,
  }: Pick<WatchesDependencies, "log"> & {
    readonly messenger: Pick<Messenger, "conversation" | "ownMessages" | "edit">;
  },
  { id, ownerId, channelId, createdAtMs }: Watch,
  reply: Reply,
): Promise<void> {
  if (channelId !== undefined) {
    return;
  }
  const error = await catchMessengerError(async () => {
    const messages = await messenger.ownMessages(await messenger.conversation(ownerId), createdAtMs);
    const own = messages.filter(({ componentIds }) => componentIds.some((each) => isOfWatch(each, id)));
    for (const message of own) {
      await messenger.edit(message, reply);
    }
  });
  if (error !== undefined) {
    log.warn({ error, watch: id }, "first message not changed");
  }
}

export function notYourWatchError(): UserError {
  return new UserError("That watch is somebody else's. To set up your own, type `/watch`.", "permission");
}

/** Throws a UserError if the state is no longer as it was read, or `limits` would be exceeded. */
export async function changeIfUnchanged<C extends Parameters<WatchesTable["changeState"]>[2]>(
  table: WatchesTable,
  record: WatchRecord,
  changes: C,
  limits?: typeof WATCH_LIMITS,
): Promise<WatchRecord & C> {
  const outcome = await table.changeState(record.id, [record.state], changes, limits);
  if (outcome === "no-room") {
    throw new UserError(
      record.guildId === undefined
        ? `You have ${WATCH_LIMITS.perOwner} watches, the most I can keep for you. Stop one first with \`/watch list\`.`
        : `This server's channels have ${WATCH_LIMITS.perGuild} watches, the most I can keep for them. Stop one first with \`/watch list\`.`,
    );
  }
  if (outcome !== "changed") {
    throw new UserError("That watch has just changed. Please check `/watch list` and try again.");
  }
  return { ...record, ...changes };
}

/**
 * Shows whether later DMs will arrive. `sinceMs`, when the watch became active, goes into the nonce, so that two
 * attempts do not send two messages. Throws a UserError if the person accepts no DMs. Any other failure says nothing
 * about the next message and is only logged.
 */
export async function sendWelcomeMessage(
  { messenger, stations, log }: WatchesDependencies,
  watch: Watch,
  sinceMs: number,
): Promise<void> {
  if (watch.channelId !== undefined) {
    return;
  }
  const nonce = formatNonce("watch", watch.id, sinceMs);
  const error = await catchMessengerError(() =>
    messenger.dm(watch.ownerId, watchWelcomeView(watch, stations), { nonce }),
  );
  if (error?.problem === "dm-closed") {
    throw new UserError(
      "I can't send you a direct message, so my alerts wouldn't reach you. Allow direct messages in this server's privacy settings, or add me to your apps, and try again.",
    );
  }
  if (error !== undefined) {
    log.warn({ error, watch: watch.id }, "welcome message not delivered");
  }
}
