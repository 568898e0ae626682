// Watches: what people ask to be told, and what tells them.
import type { Platform } from "../core/platform.ts";
import type { Job } from "../jobs/scheduler.ts";
import type { WatchData } from "../services/board-data/board-data.ts";
import type { Stations } from "../services/stations/stations.ts";
import type { Sources } from "../sources/compose.ts";
import type { IncidentsTable } from "../storage/incidents-table.ts";
import type { WatchesTable } from "../storage/watches-table.ts";
import { createWatchRunner } from "../services/watches/create-watch-runner.ts";
import { createWatches } from "../services/watches/create-watches.ts";
import { createFindTrain } from "../services/watches/find-train.ts";
import { createIncidentPresenter } from "../views/watch-incident-view.ts";
import { watchNoticeView } from "../views/watch-notice-view.ts";
import { watchWelcomeView } from "../views/watch-saved-view.ts";

/** A little after boards, whose answers serve watches as well. */
const WATCHES_PATTERN = "5,15,25,35,45,55 * * * * *";

/** What watches stand on. */
export interface ComposeWatchesOptions extends Pick<Platform, "messenger" | "clock" | "log"> {
  readonly sources: Sources;
  /** What boards have asked: watches need not ask it again. */
  readonly data: WatchData;
  readonly stations: Stations;
  readonly database: { readonly watches: WatchesTable; readonly incidents: IncidentsTable };
}

/** Sends nothing: services do so when they are asked, and jobs when they run. */
export function composeWatches({
  sources,
  data,
  stations,
  database,
  messenger,
  clock,
  log,
}: ComposeWatchesOptions) {
  const runner = createWatchRunner({
    watches: database.watches,
    incidents: database.incidents,
    data,
    messenger,
    present: createIncidentPresenter(stations),
    notice: (watch) => watchNoticeView(watch, stations),
    stations,
    clock,
    log,
  });
  const job: Job = {
    name: "watches",
    pattern: WATCHES_PATTERN,
    run: (_nowMs, progress) => runner.run(progress),
  };
  const watches = createWatches({
    table: database.watches,
    messenger,
    stations,
    find: createFindTrain({ transport: sources.person, answers: sources.answers, clock }),
    welcome: (watch) => watchWelcomeView(watch, stations),
    clock,
    log,
  });
  return { services: { watches }, jobs: [job] };
}
