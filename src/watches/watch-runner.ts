// Asks the questions that are due, judges the answers, claims the incidents and delivers each in one message.
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { limitEntries } from "../core/cache-options.ts";
import { type IncidentRecord, type IncidentsTable } from "./incidents-table.ts";
import type { WatchesTable } from "./watches-table.ts";
import { createAskForBoards } from "../boards/sending/pending-boards.ts";
import type { WatchData } from "../boards/planning/board-data.ts";
import { createDeliver } from "../delivery/deliver.ts";
import { type WriteClaims, createClaims, createMaintenance, createRun } from "../delivery/runner.ts";
import { chunk } from "../core/pages.ts";
import type { Stations } from "../rail/stations.ts";
import { type ClaimedDay, createDeliverIncident, createPauseWatch } from "./deliver-incident.ts";
import { beginIncidents } from "./judge-network.ts";
import type { NetworkStatus } from "./network-status.ts";
import { UNDO_WINDOW_MS, editFirstMessage } from "./require-watch.ts";
import {
  type LoadedWatch,
  type WatchDay,
  questionOf,
  createWatchReader,
  daysOf,
  keyOfDay,
  newIncidentDays,
  nextWindowMs,
  watchedQuestions,
  currentQuestions,
} from "./watch-days.ts";
import { type Decision, claimChanges, decideIncident } from "./decide-incident.ts";
import { NOTHING_KNOWN, parseKnowledge } from "./train-knowledge.ts";
import type { Messenger, Platform } from "../core/ports.ts";
import { watchOverView } from "./watch-saved-view.ts";
import { type WatchSettings, type WatchedNetwork, isAboutTrains } from "./watches.ts";

export interface WatchRunnerDependencies extends Pick<Platform, "clock" | "log"> {
  readonly watches: WatchesTable;
  readonly incidents: IncidentsTable;
  readonly data: WatchData;
  /** `undefined` if London's lines are turned off. */
  readonly lines?: NetworkStatus | undefined;
  /** `undefined` if no source has the operators' disruptions. */
  readonly railway?: NetworkStatus | undefined;
  readonly messenger: Pick<
    Messenger,
    "check" | "post" | "edit" | "delete" | "ownMessages" | "conversation" | "guildName"
  >;
  readonly stations: Pick<Stations, "byCrs">;
}

/** A change dated further ahead than this was made while a clock was wrong. */
const SKEW_MS = 2 * 60_000;
/** Watches that have ended, and incidents of days that are over, are kept for a day. */
const KEEP_ENDED_MS = 24 * 60 * 60_000;

export function createWatchRunner(deps: WatchRunnerDependencies) {
  const { watches, incidents, data, stations, clock, log } = deps;
  const readWatches = createWatchReader(log);
  const pause = createPauseWatch(deps);
  const judge = createJudgeDays(deps);
  const claims = createClaims<ClaimedDay>({ write: writeClaims(incidents), clock, log });
  const deliver = createDeliverIncident(deps, createDeliver(deps), claims, pause);
  const askFor = createAskForBoards(data, clock);

  let openIds: ReadonlySet<string> = new Set();

  const maintain = createMaintenance({ clock, log, of: "watches" }, async (nowMs, isAfterJump) => {
    if (isAfterJump) {
      await watches.forgetAfter(nowMs + SKEW_MS);
    }
    const active = readWatches(await watches.active()).map(({ watch }) => watch);
    await data.watch(watchedQuestions(active, openIds, nowMs));
    // Nobody resumes a watch whose train has left. It would be listed and counted for ever.
    const paused = readWatches(await watches.paused()).filter((each) => daysOf(each, [], nowMs).length === 0);
    await endFinishedWatches(paused, "paused", nowMs);
    await watches.sweep(nowMs - UNDO_WINDOW_MS, nowMs - KEEP_ENDED_MS);
  });

  async function endFinishedWatches(
    idle: readonly LoadedWatch[],
    state: "active" | "paused",
    nowMs: number,
  ): Promise<void> {
    for (const { watch } of idle) {
      if (nextWindowMs(watch.settings, nowMs) === undefined) {
        const outcome = await watches.changeState(watch.id, [state], { state: "ended", stateAtMs: nowMs });
        if (outcome === "changed") {
          // No claim has this key.
          claims.begin(`${watch.id} is over`, () =>
            editFirstMessage(deps, watch, watchOverView(watch, stations)),
          );
        }
      }
    }
  }

  /** The incidents of a network watch that are under way, and those that begin now. */
  function networkDays(
    loaded: LoadedWatch,
    what: WatchedNetwork,
    rows: readonly IncidentRecord[],
    nowMs: number,
  ): readonly WatchDay[] {
    if (deps.railway === undefined) {
      // One day is enough for the runner to pause the watch, because its source is turned off.
      return newIncidentDays(loaded, [], [NOTHING_KNOWN]);
    }
    const open = daysOf(loaded, rows, nowMs);
    const known = deps.railway.known();
    try {
      const reported = open.flatMap(({ row }) => (row ? [parseKnowledge(row.knowledge)] : []));
      return [
        ...open,
        ...(known ? newIncidentDays(loaded, rows, beginIncidents(what, reported, known, nowMs)) : []),
      ];
    } catch (error) {
      log.error({ error, watch: loaded.watch.id }, "watch not judged");
      return [];
    }
  }

  /** Returns the open days of due watches. Watches without one are postponed to their next day, or ended. */
  async function openDays(nowMs: number): Promise<readonly WatchDay[]> {
    const due = readWatches(await watches.due(nowMs));
    if (due.some(({ watch }) => watch.settings.what.kind === "network")) {
      await deps.railway?.ask();
    }
    const rows = Map.groupBy(await incidents.due(nowMs), ({ watchId }) => watchId);
    const days = due.map((each) => {
      const { what } = each.watch.settings;
      const own = rows.get(each.record.id) ?? [];
      const open = what.kind === "network" ? networkDays(each, what, own, nowMs) : daysOf(each, own, nowMs);
      return { each, open };
    });
    const idle = days
      .filter(({ each, open }) => open.length === 0 && each.watch.settings.what.kind !== "network")
      .map(({ each }) => each);
    const next = new Map(idle.map(({ record, watch }) => [record.id, nextWindowMs(watch.settings, nowMs)]));
    const records = idle.map(({ record }) => record);
    await watches.defer(
      records.filter(({ id }) => next.get(id) !== undefined),
      ({ id }) => next.get(id) ?? nowMs,
    );
    await endFinishedWatches(idle, "active", nowMs);
    return days.flatMap(({ open }) => open);
  }

  function isAvailable({ watch: { settings } }: WatchDay): boolean {
    if (!isAboutTrains(settings.what)) {
      return statusFor(deps, settings.what) !== undefined;
    }
    const { station, to = station } = settings.what;
    return [station, to].every((crs) => stations.byCrs(crs) !== undefined);
  }

  function isUnclaimed(day: WatchDay): boolean {
    return day.row?.claimedUntilMs === undefined && !claims.has(keyOfDay(day)) && !claims.has(day.watch.id);
  }

  /** Begins due work; returns whether there was no room for some of it. */
  async function step(): Promise<boolean> {
    const nowMs = clock.now();
    const open = await openDays(nowMs);
    openIds = new Set(open.map(({ watch }) => watch.id));
    for (const { watch } of open.filter((day) => !isAvailable(day) && isUnclaimed(day))) {
      claims.begin(watch.id, async () => void (await pause(watch, "station-closed", true)));
    }
    const runnable = open.filter(isAvailable);
    await askFor(currentQuestions(runnable, nowMs));
    if (runnable.some(({ watch }) => watch.settings.what.kind === "line")) {
      await deps.lines?.ask();
    }
    const decided = await judge(runnable.filter(isUnclaimed));
    const room = claims.room();
    const taken = await claims.take(decided.slice(0, room));
    taken.forEach((each) => claims.begin(each, () => deliver(each)));
    return decided.length > room;
  }

  return {
    run: createRun({ claims, maintain, step }),
  };
}

/** Claims days before anything is sent for them, and records since when a message may have been sent. */
function writeClaims(incidents: IncidentsTable): WriteClaims<ClaimedDay> {
  return async (claims, forMs) => {
    const written = await incidents.write(
      claims.map(({ day, decision, atMs, revision }) => ({
        watchId: day.watch.id,
        day: day.window.day,
        seenRevision: revision,
        changes: claimChanges(decision, day.row, atMs, forMs),
      })),
    );
    const won = claims.filter(({ key }) => written.has(key));
    for (const claim of won) {
      claim.revision = (claim.revision ?? 0) + 1;
    }
    return new Set(won);
  };
}

/** How many days are judged before the bot can answer people again. */
const DAYS_AT_ONCE = 10;
/** The most days to remember as quiet, at some 300 bytes each. */
const MAX_QUIET_DAYS = 20_000;

/** `undefined` for trains, or if the source is turned off. */
function statusFor(
  { lines, railway }: Pick<WatchRunnerDependencies, "lines" | "railway">,
  { kind }: WatchSettings["what"],
): NetworkStatus | undefined {
  return kind === "line" ? lines : kind === "network" ? railway : undefined;
}

/** Records what is new about each day, and returns those that have something to deliver. */
function createJudgeDays(deps: WatchRunnerDependencies) {
  const { incidents, data, stations, clock, log } = deps;
  /** The days with nothing to send or to record, and what they were judged by. */
  const quiet = new LRUCache<string, string>(limitEntries(MAX_QUIET_DAYS));

  function decide(day: WatchDay): readonly ClaimedDay[] {
    const { watch, row } = day;
    const atMs = clock.now();
    try {
      const question = questionOf(watch.settings);
      const answer =
        question === undefined
          ? { network: statusFor(deps, watch.settings.what)?.known() }
          : { trains: data.known(question), missingSinceMs: data.failingSinceMs(question) };
      const key = keyOfDay(day);
      // Between two answers, only the minute changes.
      const inputs = [
        day.record.settings,
        row?.revision,
        row?.shownHash,
        (answer.trains ?? answer.network)?.dataMs,
        Math.floor(atMs / 60_000),
      ].join(" ");
      if (quiet.get(key) === inputs) {
        return [];
      }
      const known = row ? parseKnowledge(row.knowledge) : day.initialKnowledge;
      const decision = decideIncident(day, known, answer, stations, atMs);
      if (isQuiet(decision)) {
        quiet.set(key, inputs);
      }
      return [{ key, day, decision, atMs, revision: row?.revision, safeUntilElapsedMs: -Infinity }];
    } catch (error) {
      log.error({ error, watch: watch.id }, "watch not judged");
      return [];
    }
  }

  return async (days: readonly WatchDay[]): Promise<readonly ClaimedDay[]> => {
    const open: ClaimedDay[] = [];
    for (const some of chunk(days, DAYS_AT_ONCE)) {
      const decided = some.flatMap(decide);
      open.push(...decided.filter(({ decision }) => decision.action.kind !== "none"));
      const changed = decided.filter(({ decision }) => decision.action.kind === "none" && !isQuiet(decision));
      if (changed.length > 0) {
        await writeClaims(incidents)(changed, 0);
      }
      await setImmediate();
    }
    return open;
  };
}

function isQuiet({ action }: Decision): boolean {
  return action.kind === "none" && !action.isChanged && !action.isClosed;
}
