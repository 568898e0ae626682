// Watches: what people ask to be told, and what tells them.
import type { Platform } from "../core/ports.ts";
import type { Job } from "../jobs/scheduler.ts";
import type { WatchData } from "../boards/planning/board-data.ts";
import type { Stations } from "../rail/stations.ts";
import type { Sources } from "../sources/compose.ts";
import type { IncidentsTable } from "./incidents-table.ts";
import type { WatchesTable } from "./watches-table.ts";
import { createWatchRunner } from "./watch-runner.ts";
import { createWatches } from "./watches.ts";
import { createFindTrain } from "./find-train.ts";
import { createIncidentPresenter } from "./watch-incident-view.ts";
import { watchNoticeView } from "./watch-list-view.ts";
import { watchWelcomeView } from "./watch-saved-view.ts";

/** A little after boards, whose answers serve watches as well. */
const WATCHES_PATTERN = "5,15,25,35,45,55 * * * * *";

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
