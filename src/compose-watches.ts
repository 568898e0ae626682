// Watches: what people ask to be told, and what tells them.
import type { TransportClient } from "./clients/transport/client.ts";
import type { ComposeTransportOptions } from "./compose-transport.ts";
import type { Composed } from "./compose.ts";
import type { Job } from "./jobs/scheduler.ts";
import type { WatchData } from "./services/board-data/board-data.ts";
import type { Answers } from "./services/cache/answers.ts";
import { createWatchRunner } from "./services/watches/create-watch-runner.ts";
import { createWatches } from "./services/watches/create-watches.ts";
import { createFindTrain } from "./services/watches/find-train.ts";
import { createIncidentPresenter } from "./views/watch-incident-view.ts";
import { watchNoticeView } from "./views/watch-notice-view.ts";
import { watchWelcomeView } from "./views/watch-saved-view.ts";

/** A little after boards, whose answers serve watches as well. */
const WATCHES_PATTERN = "5,15,25,35,45,55 * * * * *";

/** Watches share the answers of departures and boards: what one asks, the others need not. */
export function composeWatches(
  { database, messenger, stations, clock, log }: ComposeTransportOptions,
  {
    answers,
    person,
    data,
  }: { readonly answers: Answers; readonly person: TransportClient; readonly data: WatchData },
): Composed {
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
    find: createFindTrain({ transport: person, answers, clock }),
    welcome: (watch) => watchWelcomeView(watch, stations),
    clock,
    log,
  });
  return { services: { watches }, jobs: [job] };
}
