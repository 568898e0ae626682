// The tick of watches: what is due is asked for, judged, claimed and delivered, each incident in one message, and its
// outcome is recorded.
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type IncidentRecord, type IncidentsTable, incidentKey } from "./incidents-table.ts";
import type { WatchesTable } from "./watches-table.ts";
import { createAskForBoards } from "../boards/sending/pending-boards.ts";
import type { WatchData } from "../boards/planning/board-data.ts";
import { createMaintenance } from "../delivery/maintenance.ts";
import { LONGEST_WORK_MS, chunk, createUnderWay, joinRuns } from "../delivery/under-way.ts";
import type { Stations } from "../rail/stations.ts";
import { type ClaimedDay, createDeliverIncident } from "./deliver-incident.ts";
import { createPauseWatch } from "./manage-watches.ts";
import {
  type ReadWatch,
  type WatchDay,
  askOf,
  createWatchReader,
  daysOf,
  keyOfDay,
  nextWindowMs,
  plannedBy,
  wantedBy,
} from "./watch-days.ts";
import { type Decision, claimChanges, decideIncident } from "./decide-incident.ts";
import { type IncidentKnowledge, parseKnowledge } from "./train-knowledge.ts";
import type { Reply } from "../core/reply.ts";
import type { Messenger } from "../core/ports.ts";
import type { PresentIncident } from "./watch-incident-view.ts";
import type { Watch } from "./watches.ts";

export interface WatchRunnerDeps {
  readonly watches: WatchesTable;
  readonly incidents: IncidentsTable;
  readonly data: WatchData;
  readonly messenger: Pick<Messenger, "post" | "edit" | "ownMessages" | "conversation">;
  readonly present: PresentIncident;
  /** Makes the notice that a watch was paused. Others may read it: it does not say what is watched. */
  readonly notice: (watch: Watch) => Reply;
  readonly stations: Pick<Stations, "byCrs">;
  readonly clock: Clock;
  readonly log: Log;
}

/** While work goes on, so often what has become due meanwhile is begun. */
const BEAT_MS = 10_000;
/** Delivered at once: ten seconds' worth of Discord's limit. */
const MOST_AT_ONCE = 500;
/** What was changed at a moment that lies further ahead was changed by a clock that was wrong. */
const SKEW_MS = 2 * 60_000;
/** Drafts wait for an hour; watches that have ended, and incidents of days that are over, are kept for a day. */
const KEEP_DRAFTS_MS = 60 * 60_000;
const KEEP_ENDED_MS = 24 * 60 * 60_000;

/** The runner of one process. */
export function createWatchRunner(deps: WatchRunnerDeps) {
  const { watches, incidents, data, stations, clock, log } = deps;
  const read = createWatchReader(log);
  const pause = createPauseWatch(deps);
  const claim = createClaimDays(deps);
  const deliver = createDeliverIncident(deps, pause);
  const askFor = createAskForBoards(data, clock);
  const underWay = createUnderWay(clock);
  const busy = new Set<string>();

  let openIds: ReadonlySet<string> = new Set();

  const maintain = createMaintenance({ clock, log, of: "watches" }, async (nowMs, isAfterJump) => {
    if (isAfterJump) {
      await watches.forgetAfter(nowMs + SKEW_MS);
    }
    const active = read(await watches.active()).map(({ watch }) => watch);
    data.watch(plannedBy(active, openIds, nowMs));
    // Nobody resumes what has left: it would be listed, and count, for ever.
    const paused = read(await watches.paused()).filter((each) => daysOf(each, [], nowMs).length === 0);
    await endTheLast(paused, "paused", nowMs);
    await watches.sweep(nowMs - KEEP_DRAFTS_MS, nowMs - KEEP_ENDED_MS);
  });

  /** Ends those for which no other day will come. */
  async function endTheLast(
    idle: readonly ReadWatch[],
    state: "active" | "paused",
    nowMs: number,
  ): Promise<void> {
    for (const { record, watch } of idle) {
      if (nextWindowMs(watch.settings, nowMs) === undefined) {
        await watches.changeState(record.id, [state], { state: "ended", stateAtMs: nowMs });
      }
    }
  }

  /** Goes on beside everything else, one at a time for each key. */
  function begin(key: string, act: () => Promise<unknown>): void {
    busy.add(key);
    underWay.add(
      act()
        .catch((error: unknown) =>
          log.error({ error, incident: key }, "watch failed; it will be claimed again"),
        )
        .then(() => void busy.delete(key)),
    );
  }

  /** The days that are under way; watches without any wait for their next one, or have ended. */
  async function openDays(nowMs: number): Promise<readonly WatchDay[]> {
    const due = read(await watches.due(nowMs));
    const rows = Map.groupBy(await incidents.due(nowMs), ({ watchId }) => watchId);
    const days = due.map((each) => ({ each, open: daysOf(each, rows.get(each.record.id) ?? [], nowMs) }));
    const idle = days.filter(({ open }) => open.length === 0).map(({ each }) => each);
    const next = new Map(idle.map(({ record, watch }) => [record.id, nextWindowMs(watch.settings, nowMs)]));
    const records = idle.map(({ record }) => record);
    await watches.defer(
      records.filter(({ id }) => next.get(id) !== undefined),
      ({ id }) => next.get(id) ?? nowMs,
    );
    await endTheLast(idle, "active", nowMs);
    return days.flatMap(({ open }) => open);
  }

  function hasStations({ watch: { settings } }: WatchDay): boolean {
    const { station, to = station } = settings.what;
    return [station, to].every((crs) => stations.byCrs(crs) !== undefined);
  }

  function isFree(day: WatchDay): boolean {
    return day.row?.claimedUntilMs === undefined && !busy.has(keyOfDay(day)) && !busy.has(day.watch.id);
  }

  /** Begins what is due; gives whether some of it was left for want of room. */
  async function step(): Promise<boolean> {
    const nowMs = clock.now();
    const open = await openDays(nowMs);
    openIds = new Set(open.map(({ watch }) => watch.id));
    for (const { watch, record } of open.filter((day) => !hasStations(day) && isFree(day))) {
      begin(watch.id, () => pause(watch, record.stateAtMs, "station-closed"));
    }
    const runnable = open.filter(hasStations);
    await askFor(wantedBy(runnable, nowMs));
    const { claimed, isMore } = await claim(
      runnable.filter(isFree),
      Math.max(0, MOST_AT_ONCE - underWay.size),
    );
    claimed.forEach((each) => begin(keyOfDay(each.day), () => deliver(each)));
    return isMore;
  }

  async function run(progress: () => void): Promise<void> {
    await maintain();
    for (let isMore = true; isMore || underWay.size > 0;) {
      if (underWay.longestMs() < LONGEST_WORK_MS) {
        progress();
      }
      isMore = await step();
      await underWay.shrinks(isMore ? MOST_AT_ONCE / 2 : 0, BEAT_MS);
    }
  }

  return {
    /**
     * Does what is due at this moment; settles when all of it is done. Calls that overlap are not for one process: the
     * second one joins the first. `progress` is called as the work goes on, and no more where a piece of it never ends.
     */
    run: joinRuns(run),
  };
}

/** So long a process that died keeps others from its incidents; what takes longer is safe by its nonce. */
const CLAIM_MS = 60_000;
/** Judged in one go: between them the bot answers other people. */
const DAYS_AT_ONCE = 25;
/** Of days that are under way at one time. */
const MOST_KEPT = 5_000;

/** Judges the days that are under way, records what is new of each, and claims those that have something to deliver. */
function createClaimDays({ incidents, data, present, clock, log }: WatchRunnerDeps) {
  const read = new LRUCache<string, IncidentKnowledge>({ max: MOST_KEPT });
  /** Days of which there was nothing to say or to record, and what they were judged by. */
  const quiet = new LRUCache<string, string>({ max: MOST_KEPT });

  function knowledgeOf(row: IncidentRecord): IncidentKnowledge {
    const key = `${incidentKey(row)} ${row.revision}`;
    const known = read.get(key) ?? parseKnowledge(row.knowledge);
    read.set(key, known);
    return known;
  }

  function decide(day: WatchDay): readonly { readonly day: WatchDay; readonly decision: Decision }[] {
    const { watch, row } = day;
    try {
      const nowMs = clock.now();
      const answer = data.known(askOf(watch.settings));
      // Between two answers nothing but the minute changes.
      const given = [
        day.record.settings,
        row?.revision,
        row?.shownHash,
        answer?.dataMs,
        Math.floor(nowMs / 60_000),
      ].join(" ");
      if (quiet.get(keyOfDay(day)) === given) {
        return [];
      }
      const decision = decideIncident(day, row && knowledgeOf(row), answer, present, nowMs);
      if (isQuiet(decision)) {
        quiet.set(keyOfDay(day), given);
      }
      return [{ day, decision }];
    } catch (error) {
      log.error({ error, watch: watch.id }, "watch not judged");
      return [];
    }
  }

  /** Up to `most`, of those that no other process was quicker to claim; `isMore` where some were left for want of room. */
  return async (
    days: readonly WatchDay[],
    most: number,
  ): Promise<{ readonly claimed: readonly ClaimedDay[]; readonly isMore: boolean }> => {
    const claimed: ClaimedDay[] = [];
    let isMore = false;
    for (const some of chunk(days, DAYS_AT_ONCE)) {
      const nowMs = clock.now();
      const safeUntilElapsedMs = clock.elapsed() + CLAIM_MS;
      const decided = some.flatMap(decide);
      const open = decided.filter(({ decision: { act } }) => act.kind !== "none");
      const notifying = open.slice(0, Math.max(0, most - claimed.length));
      const changed = decided.filter(({ decision }) => decision.act.kind === "none" && !isQuiet(decision));
      const writes = [...notifying, ...changed].map(({ day, decision }) => ({
        watchId: day.watch.id,
        day: day.window.day,
        seenRevision: day.row?.revision,
        changes: claimChanges(decision, day.row, nowMs, CLAIM_MS),
      }));
      const written = writes.length === 0 ? new Set<string>() : await incidents.write(writes);
      const won = notifying.filter(({ day }) => written.has(keyOfDay(day)));
      claimed.push(
        ...won.map((each) => ({ ...each, revision: (each.day.row?.revision ?? 0) + 1, safeUntilElapsedMs })),
      );
      isMore ||= notifying.length < open.length;
      await setImmediate();
    }
    return { claimed, isMore };
  };
}

function isQuiet({ act }: Decision): boolean {
  return act.kind === "none" && !act.isChanged && !act.isClosed;
}
