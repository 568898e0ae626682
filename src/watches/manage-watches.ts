// Watches as people manage them, over the table that the runner works through.
import { UserError } from "../core/errors.ts";
import { askWhetherAllowed } from "../delivery/messenger-errors.ts";
import type { createFindEmptyDay } from "./find-empty-day.ts";
import type { createFindTrain } from "./find-train.ts";
import {
  UNDO_WINDOW_MS,
  WATCH_LIMITS,
  type WatchActor,
  type WatchesDeps,
  changeIfUnchanged,
  checkTarget,
  editFirstMessage,
  sendWelcomeMessage,
  requireAccess,
  requireWatch,
} from "./require-watch.ts";
import { createWatchReader } from "./watch-days.ts";
import { createWatchDrafts } from "./watch-drafts.ts";
import { watchErasedView, watchStoppedView, watchWelcomeView } from "./watch-saved-view.ts";
import { type Watch, type WatchSettings, checkWatchSettings, isSavedWatch, readWatch } from "./watches.ts";

export interface WatchList {
  readonly own: readonly Watch[];
  readonly ofServer: readonly Watch[];
}

/**
 * What people may do. The service itself checks who may: a watch is its owner's; one that notifies a channel is also for
 * those who manage the server, and only they make or resume one. Throws a UserError where it is not theirs.
 */
export function createWatches(
  deps: WatchesDeps & {
    readonly find: ReturnType<typeof createFindTrain>;
    readonly findEmptyDay: ReturnType<typeof createFindEmptyDay>;
  },
) {
  const { table, messenger, stations, find, findEmptyDay, clock, log } = deps;

  async function get(by: WatchActor, id: string): Promise<Watch> {
    return readWatch(await requireWatch(deps, by, id));
  }

  return {
    find,
    findEmptyDay,
    ...createWatchDrafts(deps),
    get,
    /**
     * All but drafts and ended ones, in the order in which they were made: the person's own, wherever they notify, and those
     * of others that notify channels of this server, for a person who manages it.
     */
    async list({ userId, guildId }: WatchActor): Promise<WatchList> {
      const own = (await table.ofOwner(userId)).filter(isSavedWatch).map((record) => readWatch(record));
      if (guildId === undefined) {
        return { own, ofServer: [] };
      }
      const others = (await table.ofGuild(guildId)).filter(
        (record) => isSavedWatch(record) && record.ownerId !== userId,
      );
      const mayManage =
        others.length > 0 && (await askWhetherAllowed(() => messenger.mayManage(guildId, userId)));
      return { own, ofServer: mayManage ? others.map((record) => readWatch(record)) : [] };
    },
    /** What is absent stays. */
    async change(
      by: WatchActor,
      id: string,
      change: Partial<Pick<WatchSettings, "delayMinutes" | "leadMinutes" | "ping">>,
    ): Promise<Watch> {
      const record = await requireWatch(deps, by, id);
      const settings = { ...readWatch(record).settings, ...change };
      checkWatchSettings(settings, stations, clock.now());
      return readWatch(await changeIfUnchanged(table, record, { settings: JSON.stringify(settings) }));
    },
    async pause(by: WatchActor, id: string): Promise<Watch> {
      await requireWatch(deps, by, id);
      const changes = { state: "paused", stateAtMs: clock.now(), pausedBecause: undefined } as const;
      await table.changeState(id, ["active"], changes);
      return get(by, id);
    },
    /** Proves again that it can notify: throws a UserError where it cannot. */
    async resume(by: WatchActor, id: string): Promise<Watch> {
      const record = await requireWatch(deps, by, id);
      const watch = readWatch(record);
      if (watch.state === "active") {
        return watch;
      }
      const nowMs = clock.now();
      checkWatchSettings(watch.settings, stations, nowMs);
      await checkTarget(messenger, watch.target, by.userId);
      if (watch.pausedBecause === "dm-closed") {
        await sendWelcomeMessage(deps, watch, nowMs);
      }
      const changes = { state: "active", stateAtMs: nowMs, pausedBecause: undefined } as const;
      return readWatch(await changeIfUnchanged(table, record, changes));
    },
    /** One that is gone already counts as removed, and is `undefined`. */
    async remove(by: WatchActor, id: string): Promise<Watch | undefined> {
      const record = await table.get(id);
      if (!record) {
        return undefined;
      }
      await requireAccess(messenger, by, record);
      if (!isSavedWatch(record)) {
        return undefined;
      }
      const changes = { state: "ended", stateAtMs: clock.now(), pausedBecause: undefined } as const;
      await table.changeState(id, ["active", "paused"], changes);
      const watch = readWatch({ ...record, ...changes });
      await editFirstMessage(deps, watch, record.createdAtMs, watchStoppedView(watch, stations));
      return watch;
    },
    /**
     * Reads a person's watches before they are erased. What it returns is called afterwards, and never rejects: it changes
     * their direct messages, which promise alerts and have buttons. Discord takes many seconds for a few old ones.
     */
    async beforeErasing(userId: string): Promise<() => Promise<void>> {
      const records = (await table.ofOwner(userId)).filter(({ state }) => state !== "draft");
      return async () => {
        for (const { record, watch } of createWatchReader(log)(records)) {
          await editFirstMessage(deps, watch, record.createdAtMs, watchErasedView()).catch((error: unknown) =>
            log.warn({ error, watch: record.id }, "message of an erased watch not edited"),
          );
        }
      };
    },
    /** Undoes `remove`, for an hour. Throws a UserError after it, and where it can no longer run. */
    async bringBack(by: WatchActor, id: string): Promise<Watch> {
      const record = await table.get(id);
      if (record && isSavedWatch(record)) {
        return get(by, id);
      }
      const nowMs = clock.now();
      if (record?.state !== "ended" || record.stateAtMs < nowMs - UNDO_WINDOW_MS) {
        throw new UserError("That watch ended more than an hour ago. Please set it up again.");
      }
      await requireAccess(messenger, by, record);
      const { settings, target } = readWatch(record);
      checkWatchSettings(settings, stations, nowMs);
      await checkTarget(messenger, target, by.userId);
      const changes = { state: "active", stateAtMs: nowMs, pausedBecause: undefined } as const;
      const watch = readWatch(await changeIfUnchanged(table, record, changes, WATCH_LIMITS));
      await editFirstMessage(deps, watch, record.createdAtMs, watchWelcomeView(watch, stations));
      return watch;
    },
  };
}
