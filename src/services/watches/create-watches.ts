// Watches as people manage them, over the table that the runner works through.
import { checkTarget, mayManage } from "./check-target.ts";
import { changedMeanwhile, requireWatch, type WatchesDependencies } from "./manage-watches.ts";
import { proveWay } from "./prove-way.ts";
import { isKeptWatch, readWatch } from "./read-watch.ts";
import { createWatchDrafts } from "./watch-drafts.ts";
import { checkWatchSettings, serialiseWatchSettings } from "./watch-settings.ts";
import type { Watch, WatchActor, Watches } from "./watches.ts";

/** Makes the service. */
export function createWatches(deps: WatchesDependencies): Watches {
  const { table, messenger, stations, find, clock } = deps;

  async function get(by: WatchActor, id: string): Promise<Watch> {
    return readWatch(await requireWatch(deps, by, id));
  }

  return {
    find,
    ...createWatchDrafts(deps),
    get,
    async list({ userId, guildId }) {
      const own = (await table.ofOwner(userId)).filter(isKeptWatch).map((record) => readWatch(record));
      if (guildId === undefined) {
        return { own, ofServer: [] };
      }
      const others = (await table.ofGuild(guildId)).filter(
        (record) => isKeptWatch(record) && record.ownerId !== userId,
      );
      const isTheirs = others.length > 0 && (await mayManage(messenger, guildId, userId));
      return { own, ofServer: isTheirs ? others.map((record) => readWatch(record)) : [] };
    },
    async change(by, id, change) {
      const record = await requireWatch(deps, by, id);
      const settings = { ...readWatch(record).settings, ...change };
      checkWatchSettings(settings, stations, clock.now());
      const changes = { settings: serialiseWatchSettings(settings) };
      if ((await table.changeState(id, [record.state], changes)) !== "changed") {
        throw changedMeanwhile();
      }
      return readWatch({ ...record, ...changes });
    },
    async pause(by, id) {
      await requireWatch(deps, by, id);
      const changes = { state: "paused", stateAtMs: clock.now(), pausedBecause: undefined } as const;
      await table.changeState(id, ["active"], changes);
      return get(by, id);
    },
    async resume(by, id) {
      const record = await requireWatch(deps, by, id);
      const watch = readWatch(record);
      if (watch.state === "active") {
        return watch;
      }
      const nowMs = clock.now();
      checkWatchSettings(watch.settings, stations, nowMs);
      await checkTarget(messenger, watch.target, by.userId);
      if (watch.pausedBecause === "dm-closed") {
        await proveWay(deps, watch, nowMs);
      }
      const changes = { state: "active", stateAtMs: nowMs, pausedBecause: undefined } as const;
      if ((await table.changeState(id, ["paused"], changes)) !== "changed") {
        throw changedMeanwhile();
      }
      return readWatch({ ...record, ...changes });
    },
    async remove(by, id) {
      const record = await table.get(id);
      if (!record || !isKeptWatch(record)) {
        return undefined;
      }
      await requireWatch(deps, by, id);
      await table.remove(id);
      return readWatch(record);
    },
  };
}
