// Drafts are kept for an hour and saved only once, however often **Save** is pressed.
import { isDeepStrictEqual } from "node:util";
import { UserError } from "../core/errors.ts";
import { createKeyedQueue } from "../core/runs.ts";
import type { WatchRecord } from "./watches-table.ts";
import { createShortId } from "../core/component-id.ts";
import {
  UNDO_WINDOW_MS,
  WATCH_LIMITS,
  type WatchActor,
  type WatchesDependencies,
  changeIfUnchanged,
  checkTarget,
  sendWelcomeMessage,
  notYourWatchError,
} from "./require-watch.ts";
import { type Watch, checkWatchSettings, isSavedWatch, readWatch } from "./watches.ts";

export type NewWatch = Pick<
  Watch,
  "ownerId" | "askedGuildId" | "askedChannelId" | "guildId" | "channelId" | "settings"
>;

export function createWatchDrafts(deps: WatchesDependencies) {
  const { table, messenger, stations, clock } = deps;
  /** Handles one request at a time for each person, so that a button pressed twice makes one watch. */
  const inTurn = createKeyedQueue();

  async function check(watch: NewWatch): Promise<void> {
    checkWatchSettings(watch.settings, stations, clock.now());
    await checkTarget(messenger, watch, watch.ownerId);
  }

  async function storeDraft(watch: NewWatch): Promise<WatchRecord> {
    const nowMs = clock.now();
    const record = {
      ...watch,
      id: createShortId(),
      createdAtMs: nowMs,
      settings: JSON.stringify(watch.settings),
      state: "draft",
      pausedBecause: undefined,
      stateAtMs: nowMs,
    } as const;
    await table.add(record);
    return { ...record, nextAtMs: undefined };
  }

  async function findSame(watch: NewWatch): Promise<WatchRecord | undefined> {
    const known = (await table.ofOwner(watch.ownerId)).filter(isSavedWatch);
    return known.find((record) => isDeepStrictEqual(subjectOf(readWatch(record)), subjectOf(watch)));
  }

  /** If the person already has the same watch, that one takes the draft's settings instead. */
  async function begin(draft: WatchRecord): Promise<Watch> {
    const same = await findSame(readWatch(draft));
    const before = same ?? draft;
    const nowMs = clock.now();
    const { settings } = draft;
    const changes = { state: "active", stateAtMs: nowMs, pausedBecause: undefined, settings } as const;
    const watch = readWatch(await changeIfUnchanged(table, before, changes, WATCH_LIMITS));
    try {
      if (before.state === "draft" || before.pausedBecause === "dm-closed") {
        await sendWelcomeMessage(deps, watch, nowMs);
      }
    } catch (error) {
      const { state, stateAtMs, pausedBecause, settings: old } = before;
      await table.changeState(before.id, ["active"], { state, stateAtMs, pausedBecause, settings: old });
      throw error;
    }
    if (same) {
      await table.remove(draft.id);
    }
    return watch;
  }

  return {
    isWatched: async (watch: NewWatch): Promise<boolean> => (await findSame(watch)) !== undefined,
    /** Throws a UserError that says why if the watch is not possible. */
    async draft(watch: NewWatch): Promise<Watch> {
      await check(watch);
      return readWatch(await storeDraft(watch));
    },
    /**
     * Saving again changes nothing. The same watch, if it exists, takes the draft's settings. Throws a
     * UserError if the draft is gone or DMs are closed.
     */
    save: ({ userId }: WatchActor, draftId: string): Promise<Watch> =>
      inTurn(userId, async () => {
        const record = await table.get(draftId);
        if (record?.ownerId === userId && isSavedWatch(record)) {
          return readWatch(record);
        }
        if (
          record?.ownerId !== userId ||
          record.state !== "draft" ||
          record.stateAtMs < clock.now() - UNDO_WINDOW_MS
        ) {
          throw new UserError(
            "That preview is gone: it was saved, or it expired after an hour. `/watch list` shows your watches.",
          );
        }
        await check(readWatch(record));
        return begin(record);
      }),
    async discard({ userId }: WatchActor, draftId: string): Promise<void> {
      const record = await table.get(draftId);
      if (record && record.ownerId !== userId) {
        throw notYourWatchError();
      }
      await table.discard(draftId);
    },
    /** If the person already has the same watch, returns that one unchanged. */
    add: (watch: NewWatch): Promise<Watch> =>
      inTurn(watch.ownerId, async () => {
        const same = await findSame(watch);
        if (same) {
          return readWatch(same);
        }
        await check(watch);
        const draft = await storeDraft(watch);
        try {
          return await begin(draft);
        } catch (error) {
          await table.remove(draft.id);
          throw error;
        }
      }),
  };
}

/** Two watches of a person are the same if their subject and target are; delay, lead and ping do not matter. */
function subjectOf({ channelId: place, settings: { what } }: NewWatch) {
  switch (what.kind) {
    case "network":
      return [place, what.kind, what.operator];
    case "line":
      return [place, what.line, what.hours, what.days];
    case "commute":
      return [place, what.station, what.to, what.hours, what.days];
    case "train": {
      const { station, to, trainUid, startDate, aimedMs } = what;
      // The aimed time may have changed since, so it identifies the train only if there is no id.
      return [place, station, to, trainUid ?? [aimedMs, what.place], startDate];
    }
  }
}
