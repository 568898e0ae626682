// The tick of watches, put together: what is due is asked for, judged, claimed, told, and its outcome written down.
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { IncidentsTable } from "../../storage/incidents-table.ts";
import type { WatchesTable } from "../../storage/watches-table.ts";
import { createAskForBoards } from "../board-runner/ask-for-boards.ts";
import type { WatchData } from "../board-data/board-data.ts";
import { createHousekeeping } from "../sending/housekeeping.ts";
import { joinRuns } from "../sending/join-runs.ts";
import { createUnderWay, LONGEST_WORK_MS } from "../sending/under-way.ts";
import type { Stations } from "../stations/stations.ts";
import { createClaimDays } from "./claim-days.ts";
import { createDeliver } from "./deliver-incident.ts";
import { createPauseWatch } from "./pause-watch.ts";
import type { PresentIncident, PresentWatchNotice, WatchMessenger, WatchRunner } from "./run-watches.ts";
import { createSendIncident } from "./send-incident.ts";
import {
  createWatchReader,
  daysOf,
  keyOfDay,
  plannedBy,
  wantedBy,
  type ReadWatch,
  type WatchDay,
} from "./watch-days.ts";
import { nextWindowMs } from "./watch-windows.ts";

/** What the runner stands on. */
export interface WatchRunnerDependencies {
  readonly watches: WatchesTable;
  readonly incidents: IncidentsTable;
  readonly data: WatchData;
  readonly messenger: WatchMessenger;
  readonly present: PresentIncident;
  readonly notice: PresentWatchNotice;
  readonly stations: Pick<Stations, "byCrs">;
  readonly clock: Clock;
  readonly log: Log;
}

/** While work goes on, so often what has become due meanwhile is begun. */
const BEAT_MS = 10_000;
/** Told at once: ten seconds' worth of Discord's limit. */
const MOST_AT_ONCE = 500;
/** What was noted at a moment that lies further ahead was noted by a clock that was wrong. */
const SKEW_MS = 2 * 60_000;
/** Drafts wait for an hour; what has ended, and what was told on days that are over, is forgotten after a day. */
const KEEP_DRAFTS_MS = 60 * 60_000;
const KEEP_ENDED_MS = 24 * 60 * 60_000;

/** Makes the runner of one process. */
export function createWatchRunner(deps: WatchRunnerDependencies): WatchRunner {
  const { watches, incidents, data, stations, clock, log } = deps;
  const read = createWatchReader(log);
  const pause = createPauseWatch(deps);
  const claim = createClaimDays(deps);
  const deliver = createDeliver({ incidents, send: createSendIncident(deps), pause, clock });
  const askFor = createAskForBoards(data, clock);
  const underWay = createUnderWay(clock);
  const busy = new Set<string>();

  let openIds: ReadonlySet<string> = new Set();

  const keepHouse = createHousekeeping({ clock, log, of: "watches" }, async (nowMs, isAnew) => {
    if (isAnew) {
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
          log.error({ error, incident: key }, "a watch failed; it is taken up again"),
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
    await askFor([], wantedBy(runnable, nowMs));
    const { claimed, isMore } = await claim(
      runnable.filter(isFree),
      Math.max(0, MOST_AT_ONCE - underWay.size),
    );
    claimed.forEach((each) => begin(keyOfDay(each.day), () => deliver(each)));
    return isMore;
  }

  async function run(progress: () => void): Promise<void> {
    await keepHouse();
    for (let isMore = true; isMore || underWay.size > 0;) {
      if (underWay.longestMs() < LONGEST_WORK_MS) {
        progress();
      }
      isMore = await step();
      await underWay.shrinks(isMore ? MOST_AT_ONCE / 2 : 0, BEAT_MS);
    }
  }

  return { run: joinRuns(run) };
}
