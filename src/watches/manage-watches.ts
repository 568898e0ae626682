import { UserError } from "../core/errors.ts";
import { askWhetherAllowed } from "../delivery/messenger-errors.ts";
import {
  UNDO_WINDOW_MS,
  WATCH_LIMITS,
  type WatchActor,
  type WatchesDependencies,
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
 * A watch belongs to its owner. One that notifies a channel can also be managed by people who manage the
 * server, and only they can make or resume it. Throws a UserError if the person may not do it.
 */
export function createWatches(deps: WatchesDependencies) {
  const { table, messenger, stations, clock, log } = deps;

  async function get(by: WatchActor, id: string): Promise<Watch> {
    return readWatch(await requireWatch(deps, by, id));
  }

  return {
    ...createWatchDrafts(deps),
    get,
    /** Oldest first: their own, and if they manage this server, those that notify its channels. */
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
    /** Absent ones stay unchanged. */
    async change(by: WatchActor, id: string, change: Partial<Omit<WatchSettings, "what">>): Promise<Watch> {
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
    /** Throws a UserError if the watch cannot notify any more. */
    async resume(by: WatchActor, id: string): Promise<Watch> {
      const record = await requireWatch(deps, by, id);
      const watch = readWatch(record);
      if (watch.state === "active") {
        return watch;
      }
      const nowMs = clock.now();
      checkWatchSettings(watch.settings, stations, nowMs);
      await checkTarget(messenger, watch, by.userId);
      if (watch.pausedBecause === "dm-closed") {
        await sendWelcomeMessage(deps, watch, nowMs);
      }
      const changes = { state: "active", stateAtMs: nowMs, pausedBecause: undefined } as const;
      return readWatch(await changeIfUnchanged(table, record, changes));
    },
    /** `undefined` if it was already over. */
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
      await editFirstMessage(deps, watch, watchStoppedView(watch, stations));
      return watch;
    },
    /**
     * The function that it returns is called after the erasure and never rejects: it edits their direct
     * messages, which promise alerts and have buttons. Discord takes many seconds to edit a few old ones.
     */
    async beforeErasing(userId: string): Promise<() => Promise<void>> {
      const records = (await table.ofOwner(userId)).filter(({ state }) => state !== "draft");
      return async () => {
        for (const { watch } of createWatchReader(log)(records)) {
          await editFirstMessage(deps, watch, watchErasedView()).catch((error: unknown) =>
            log.warn({ error, watch: watch.id }, "message of an erased watch not edited"),
          );
        }
      };
    },
    /** Throws a UserError after an hour, or if the watch can no longer run. */
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
      checkWatchSettings(readWatch(record).settings, stations, nowMs);
      await checkTarget(messenger, record, by.userId);
      const changes = { state: "active", stateAtMs: nowMs, pausedBecause: undefined } as const;
      const watch = readWatch(await changeIfUnchanged(table, record, changes, WATCH_LIMITS));
      await editFirstMessage(deps, watch, watchWelcomeView(watch, stations));
      return watch;
    },
  };
}
