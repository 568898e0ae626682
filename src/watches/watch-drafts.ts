// Watches on their way in: checked, kept for an hour while their maker looks, and saved once however often it is pressed.
import { isDeepStrictEqual } from "node:util";
import { UserError } from "../core/errors.ts";
import { createKeyedQueue } from "../core/runs.ts";
import type { WatchRecord } from "./watches-table.ts";
import { createShortId } from "../core/component-id.ts";
import {
  UNDO_WINDOW_MS,
  WATCH_LIMITS,
  type WatchActor,
  type WatchesDeps,
  changeIfUnchanged,
  checkTarget,
  proveWay,
  notTheirs,
} from "./require-watch.ts";
import { type Watch, checkWatchSettings, isKeptWatch, readWatch } from "./watches.ts";

export type WantedWatch = Pick<Watch, "ownerId" | "askedIn" | "target" | "settings">;

export function createWatchDrafts(deps: WatchesDeps) {
  const { table, messenger, stations, clock } = deps;
  /** For each person: a button that is pressed twice makes one watch. */
  const inTurn = createKeyedQueue();

  async function check({ settings, target, ownerId }: WantedWatch): Promise<void> {
    checkWatchSettings(settings, stations, clock.now());
    await checkTarget(messenger, target, ownerId);
  }

  async function keepDraft({ ownerId, askedIn, target, settings }: WantedWatch): Promise<WatchRecord> {
    const nowMs = clock.now();
    const record = {
      id: createShortId(),
      ownerId,
      createdAtMs: nowMs,
      askedGuildId: askedIn.guildId,
      askedChannelId: askedIn.channelId,
      guildId: target.kind === "channel" ? target.guildId : undefined,
      channelId: target.kind === "channel" ? target.channelId : undefined,
      settings: JSON.stringify(settings),
      state: "draft",
      pausedBecause: undefined,
      stateAtMs: nowMs,
    } as const;
    await table.add(record);
    return { ...record, nextAtMs: undefined };
  }

  async function findSame(wanted: WantedWatch): Promise<WatchRecord | undefined> {
    const known = (await table.ofOwner(wanted.ownerId)).filter(isKeptWatch);
    return known.find((record) => isSameWatch(readWatch(record), wanted));
  }

  /** A draft begins; where the person watches just this already, that watch goes on with what the draft says. */
  async function begin(draft: WatchRecord): Promise<Watch> {
    const same = await findSame(readWatch(draft));
    const before = same ?? draft;
    const nowMs = clock.now();
    const { settings } = draft;
    const changes = { state: "active", stateAtMs: nowMs, pausedBecause: undefined, settings } as const;
    const watch = readWatch(await changeIfUnchanged(table, before, changes, WATCH_LIMITS));
    try {
      if (before.state === "draft" || before.pausedBecause === "dm-closed") {
        await proveWay(deps, watch, nowMs);
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
    /** Checks a watch and keeps it as a draft for an hour. Throws a UserError that says why it cannot be. */
    async draft(wanted: WantedWatch): Promise<Watch> {
      await check(wanted);
      return readWatch(await keepDraft(wanted));
    },
    /**
     * Saves a draft; saving twice saves once. Where the person watches just this already, and is notified in the same
     * place, that watch takes the draft's settings. Throws a UserError where it is gone, or no direct message comes through.
     */
    save: ({ userId }: WatchActor, draftId: string): Promise<Watch> =>
      inTurn(userId, async () => {
        const record = await table.get(draftId);
        if (record?.ownerId === userId && isKeptWatch(record)) {
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
        throw notTheirs();
      }
      if (record?.state === "draft") {
        await table.remove(draftId);
      }
    },
    /** Drafts and saves at once; where the person watches just this already, gives that watch as it is. */
    add: (wanted: WantedWatch): Promise<Watch> =>
      inTurn(wanted.ownerId, async () => {
        const same = await findSame(wanted);
        if (same) {
          return readWatch(same);
        }
        await check(wanted);
        const draft = await keepDraft(wanted);
        try {
          return await begin(draft);
        } catch (error) {
          await table.remove(draft.id);
          throw error;
        }
      }),
  };
}

/** Whether two watches are about the same, and notify the same place. Their delay, lead and ping do not matter. */
function isSameWatch(one: WantedWatch, other: WantedWatch): boolean {
  return one.ownerId === other.ownerId && isDeepStrictEqual(subjectOf(one), subjectOf(other));
}

function subjectOf({ target, settings: { what } }: WantedWatch) {
  const place = target.kind === "dm" ? "dm" : target.channelId;
  switch (what.kind) {
    case "network":
      return [place, what.kind, what.operator];
    case "line":
      return [place, what.line, what.hours, what.days];
    case "commute":
      return [place, what.station, what.to, what.hours, what.days];
    case "train": {
      const { station, to, trainUid, startDate, aimedMs } = what;
      // Its times may have changed since; without a name there is nothing else to know it by.
      return [place, station, to, trainUid ?? [aimedMs, what.place], startDate];
    }
  }
}
