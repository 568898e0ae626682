import type { Config } from "../core/config.ts";
import type { Platform } from "../core/ports.ts";
import type { Job } from "../jobs/scheduler.ts";
import type { BoardsTable } from "../boards/boards-table.ts";
import type { WatchData } from "../boards/planning/board-data.ts";
import type { Stations } from "../rail/stations.ts";
import type { Sources } from "../sources/compose.ts";
import type { SourceName } from "../sources/transport-data.ts";
import type { IncidentsTable } from "./incidents-table.ts";
import type { WatchesTable } from "./watches-table.ts";
import { createWatchRunner } from "./watch-runner.ts";
import { createWatches } from "./manage-watches.ts";
import { createNetworkStatus } from "./network-status.ts";
import { createEstimateGap, createFindEmptyDay } from "./watch-warnings.ts";
import { createFindTrain } from "./find-train.ts";

/** Every ten seconds, a little after boards, whose answers watches use too. */
const WATCHES_PATTERN = "5,15,25,35,45,55 * * * * *";

/** The transport service's plan is divided by this: disruptions may use a twentieth of its calls. */
const PLAN_DIVISOR = 20;
/** The longest useful pause between requests: a disruption that is reported later is no longer news. */
const LONGEST_PAUSE_MS = 30 * 60_000;

/** The services send when they are called, and the job when it runs. */
export function composeWatches(
  options: Pick<Platform, "messenger" | "clock" | "log"> & {
    readonly sources: Sources;
    readonly config: Pick<Config, "transport">;
    /** The answers to boards' questions, which watches need not ask again. */
    readonly data: WatchData;
    readonly stations: Stations;
    readonly database: {
      readonly watches: WatchesTable;
      readonly incidents: IncidentsTable;
      readonly boards: BoardsTable;
    };
  },
) {
  const { sources, config, database, clock } = options;
  const statusOf = (source: SourceName, everyMs = 0) => {
    const client = sources.networks[source]?.board;
    return client && createNetworkStatus({ ...options, source, client, everyMs, answers: sources.answers });
  };
  const lines = statusOf("tfl");
  const { terms } = sources.plans.get("transport") ?? {};
  // The service's public dialect knows only disruptions of buses.
  const everyMs =
    terms && config.transport?.dialect === "specification"
      ? (PLAN_DIVISOR * terms.windowMs) / terms.calls
      : Infinity;
  const railway =
    statusOf("rail-data") ?? (everyMs <= LONGEST_PAUSE_MS ? statusOf("transport", everyMs) : undefined);
  const runner = createWatchRunner({
    ...options,
    lines,
    railway,
    watches: database.watches,
    incidents: database.incidents,
  });
  const job: Job = {
    name: "watches",
    pattern: WATCHES_PATTERN,
    run: (_nowMs, progress) => runner.run(progress),
  };
  const asking = { transport: sources.person, answers: sources.answers, clock };
  return {
    services: {
      watches: {
        ...createWatches({ ...options, table: database.watches }),
        find: createFindTrain(asking),
        findEmptyDay: createFindEmptyDay(asking),
        estimateGap: createEstimateGap({ ...options, ...sources, ...database }),
      },
      ...(lines && { lineStatus: lines }),
      ...(railway && { railwayStatus: railway }),
    },
    jobs: [job],
  };
}
