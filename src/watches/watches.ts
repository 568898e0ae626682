// Watches: a person, or a channel, is notified when a train, a commute, a line or the network goes wrong. This file says what a watch is and
// what people may do with one; the running of it is watch-runner.ts.
import { UserError } from "../core/errors.ts";
import type { BoardRow } from "../rail/departures.ts";
import type { Hours, Weekday } from "../time/schedule.ts";
import type { Station } from "../rail/stations.ts";
import { checkTarget, checkWatchSettings, isKeptWatch, readWatch } from "./watch-settings.ts";
import {
  changedMeanwhile,
  editFirstMessage,
  proveWay,
  requireTheirs,
  requireWatch,
  tooManyWatches,
  UNDO_WINDOW_MS,
  WATCH_LIMITS,
  type WatchesDeps,
} from "./manage-watches.ts";
import type { Disruption, LineKnowledge } from "./train-knowledge.ts";
import { askWhetherAllowed } from "../delivery/messenger-errors.ts";
import { createWatchDrafts } from "./watch-drafts.ts";

/** One train, by what stays the same when its times and its rows change. */
export interface WatchedTrain {
  readonly kind: "train";
  /** Code of the station at which it is caught. */
  readonly station: string;
  /** Code of the station where the person gets off, where they said so; it is asked for as "calling at". */
  readonly to?: string | undefined;
  /** Names the train among those of one day, where the service says so. */
  readonly trainUid?: string | undefined;
  /** The day on which it starts its journey, "YYYY-MM-DD"; not always the day on which it is caught. */
  readonly startDate?: string | undefined;
  /** `bus` where it is a replacement bus that is watched; a train where it is absent. */
  readonly mode?: BoardRow["mode"] | undefined;
  /** Milliseconds since the epoch, as it was when the watch was made. */
  readonly aimedMs: number;
  /** Where it goes, as the board says. */
  readonly place: string;
  readonly operator?: string | undefined;
}

/** All trains from one station to another within some hours of some days. */
export interface WatchedCommute {
  readonly kind: "commute";
  readonly station: string;
  readonly to: string;
  /** In UK time, by aimed departure. */
  readonly hours: Hours;
  readonly days: readonly Weekday[];
}

/** One of London's lines, within some hours of some days. */
export interface WatchedLine {
  readonly kind: "line";
  /** Transport for London's id, e.g. `victoria`. */
  readonly line: string;
  /** In UK time; all day where it is absent. */
  readonly hours?: Hours | undefined;
  readonly days: readonly Weekday[];
}

/** The railway's disruptions, each in a message of its own. */
export interface WatchedNetwork {
  readonly kind: "network";
  /** Only those of this operator, by its name. */
  readonly operator?: string | undefined;
}

/** What is watched, and how loudly. Kept as JSON. */
export interface WatchSettings {
  readonly what: WatchedTrain | WatchedCommute | WatchedLine | WatchedNetwork;
  /** A train this many minutes late, or more, is worth a message. Used for trains and commutes only. */
  readonly delayMinutes: number;
  /** The watch begins this many minutes before departure. Used for trains and commutes only. */
  readonly leadMinutes: number;
  /** Whether the message of an incident pings its owner, once. */
  readonly ping: boolean;
}

/** Where the messages go. */
export type WatchTarget =
  | { readonly kind: "dm" }
  | { readonly kind: "channel"; readonly guildId: string; readonly channelId: string };

export type WatchPauseReason = "dm-closed" | "channel-gone" | "not-allowed" | "station-closed";

export interface Watch {
  /** Eight letters and digits. */
  readonly id: string;
  readonly ownerId: string;
  /** The channel where it was asked for: notified once where a direct message does not come through. */
  readonly askedIn: { readonly guildId: string | undefined; readonly channelId: string | undefined };
  readonly target: WatchTarget;
  readonly settings: WatchSettings;
  /** `draft`: shown to its maker, not yet saved. `paused`: by a person or, with a reason, by the bot. `ended`: its train has left. */
  readonly state: "draft" | "active" | "paused" | "ended";
  readonly pausedBecause: WatchPauseReason | undefined;
}

/** How one watched train stands. */
export type Trouble =
  | { readonly kind: "late"; readonly minutes: number }
  /** Late, and nobody knows by how much. */
  | { readonly kind: "delayed" }
  | { readonly kind: "cancelled" }
  /** The timetable itself has another time for it than the one that was known. */
  | { readonly kind: "retimed" }
  | { readonly kind: "platform"; readonly from: string; readonly to: string }
  /** A bus comes in its place. */
  | { readonly kind: "bus" }
  /** It was on the board and is not any more, before its time. */
  | { readonly kind: "vanished" };

export interface TroubledTrain {
  readonly key: string;
  /** When it was to leave, by what was first known of it. */
  readonly plannedAt: Temporal.Instant;
  /** As last seen, or as the watch says where it never was. */
  readonly row: BoardRow;
  /** Everything that is wrong with it now, gravest first; empty once it has recovered. */
  readonly troubles: readonly Trouble[];
  /** The bus that comes in its place; `row` itself where the service lists only the bus. */
  readonly bus: BoardRow | undefined;
  /** For one that does not come: the next that calls at the destination and runs. */
  readonly next: BoardRow | undefined;
  /** It has left. */
  readonly gone: boolean;
}

/** What an incident's message shows: one message for a train, a commute or a line, and its day, or for disruptions. */
export interface Incident {
  readonly watch: Watch;
  /** UK day, "YYYY-MM-DD": on which a train starts its journey, or the hours of a commute begin; of disruptions a number. */
  readonly day: string;
  /** Those that are in trouble or were, in the order of their times. */
  readonly trains: readonly TroubledTrain[];
  /** How a watched line stands. */
  readonly line?: LineKnowledge | undefined;
  /** Disruptions that began together. */
  readonly disruptions?: readonly Disruption[] | undefined;
  /** When the service made what this is based on; of disruptions the last answer that had something new. */
  readonly dataMs: number;
  /** The credit of its source, as Markdown; `undefined` if nothing is known now. */
  readonly credit: string | undefined;
  /** It was not possible to ask again for some minutes. */
  readonly isOld: boolean;
  /** All is over: the trains have left, the hours of a line have passed, or the disruptions have ended. */
  readonly closed: boolean;
}

/** Who wants something done with a watch, and where; nobody has checked yet whether they may. */
export interface WatchActor {
  readonly userId: string;
  /** `undefined` in a direct message. */
  readonly guildId: string | undefined;
}

/** A watch that somebody wants. */
export type WantedWatch = Pick<Watch, "ownerId" | "askedIn" | "target" | "settings">;

/** A train that somebody looks for, to watch it. */
export interface TrainQuestion {
  readonly station: Station;
  /** Only trains that call there later. */
  readonly to: Station | undefined;
  /** When it is to leave. */
  readonly at: Temporal.Instant;
  /** They named no other time than this one: what leaves soon will do. */
  readonly isNow: boolean;
}

/** Watches that a person may see where they ask. */
export interface WatchList {
  /** The person's own, wherever they notify, in the order in which they were made. */
  readonly own: readonly Watch[];
  /** Those of other people that notify channels of this server; empty for a person who does not manage it. */
  readonly ofServer: readonly Watch[];
}

/**
 * What people may do. The service itself checks who may: a watch is its owner's; one that notifies a channel is also for
 * those who manage the server, and only they make or resume one. Throws a UserError where it is not theirs.
 */
export interface Watches {
  /** Trains that may be meant, in the order of their aimed times. Throws as `Departures` does. */
  find(question: TrainQuestion): Promise<readonly BoardRow[]>;
  /** Checks a watch and keeps it as a draft for an hour. Throws a UserError that says why it cannot be. */
  draft(wanted: WantedWatch): Promise<Watch>;
  /**
   * Saves a draft; saving twice saves once. Where the person watches just this already, and is notified in the same place,
   * that watch takes the draft's settings. Throws a UserError where it is gone, or no direct message comes through.
   */
  save(by: WatchActor, draftId: string): Promise<Watch>;
  discard(by: WatchActor, draftId: string): Promise<void>;
  /** Drafts and saves at once; where the person watches just this already, gives that watch as it is. */
  add(wanted: WantedWatch): Promise<Watch>;
  /** All but drafts and ended ones. */
  list(by: WatchActor): Promise<WatchList>;
  get(by: WatchActor, id: string): Promise<Watch>;
  /** What is absent stays. */
  change(
    by: WatchActor,
    id: string,
    change: Partial<Pick<WatchSettings, "delayMinutes" | "leadMinutes" | "ping">>,
  ): Promise<Watch>;
  pause(by: WatchActor, id: string): Promise<Watch>;
  /** Proves again that it can notify: throws a UserError where it cannot. */
  resume(by: WatchActor, id: string): Promise<Watch>;
  /** One that is gone already counts as removed, and is `undefined`. */
  remove(by: WatchActor, id: string): Promise<Watch | undefined>;
  /** Undoes `remove`, for an hour. Throws a UserError after it, and where it can no longer run. */
  bringBack(by: WatchActor, id: string): Promise<Watch>;
}

/** Watches as people manage them, over the table that the runner works through. */
export function createWatches(deps: WatchesDeps): Watches {
  const { table, messenger, stations, find, welcome, stopped, clock } = deps;

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
      const isTheirs =
        others.length > 0 && (await askWhetherAllowed(() => messenger.mayManage(guildId, userId)));
      return { own, ofServer: isTheirs ? others.map((record) => readWatch(record)) : [] };
    },
    async change(by, id, change) {
      const record = await requireWatch(deps, by, id);
      const settings = { ...readWatch(record).settings, ...change };
      checkWatchSettings(settings, stations, clock.now());
      const changes = { settings: JSON.stringify(settings) };
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
      if (!record) {
        return undefined;
      }
      await requireTheirs(messenger, by, record);
      if (!isKeptWatch(record)) {
        return undefined;
      }
      const changes = { state: "ended", stateAtMs: clock.now(), pausedBecause: undefined } as const;
      await table.changeState(id, ["active", "paused"], changes);
      const watch = readWatch({ ...record, ...changes });
      await editFirstMessage(deps, watch, record.createdAtMs, stopped(watch));
      return watch;
    },
    async bringBack(by, id) {
      const record = await table.get(id);
      if (record && isKeptWatch(record)) {
        return get(by, id);
      }
      const nowMs = clock.now();
      if (record?.state !== "ended" || record.stateAtMs < nowMs - UNDO_WINDOW_MS) {
        throw new UserError("That watch ended more than an hour ago. Please set it up again.");
      }
      await requireTheirs(messenger, by, record);
      const { settings, target } = readWatch(record);
      checkWatchSettings(settings, stations, nowMs);
      await checkTarget(messenger, target, by.userId);
      const changes = { state: "active", stateAtMs: nowMs, pausedBecause: undefined } as const;
      const outcome = await table.changeState(id, ["ended"], changes, WATCH_LIMITS);
      if (outcome !== "changed") {
        throw outcome === "no-room" ? tooManyWatches(record) : changedMeanwhile();
      }
      const watch = readWatch({ ...record, ...changes });
      await editFirstMessage(deps, watch, record.createdAtMs, welcome(watch));
      return watch;
    },
  };
}
