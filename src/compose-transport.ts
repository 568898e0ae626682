// Everything that asks the transport service: what people ask for, and the boards that ask by themselves.
import { createTransportClient, type TransportClient } from "./clients/transport/client.ts";
import { composeWatches } from "./compose-watches.ts";
import type { ComposeOptions, Composed } from "./compose.ts";
import type { TransportConfig } from "./core/config.ts";
import type { Job } from "./jobs/scheduler.ts";
import { FRESH_MS, type WatchData } from "./services/board-data/board-data.ts";
import { createBoardData } from "./services/board-data/create-board-data.ts";
import { createBoardRunner } from "./services/board-runner/create-board-runner.ts";
import { createBoardChannels } from "./services/boards/board-channels.ts";
import { createBoards } from "./services/boards/create-boards.ts";
import { createNoteDeletion } from "./services/boards/note-deletion.ts";
import type { Budget, Purpose } from "./services/budget/budget.ts";
import { createBuses } from "./services/buses/create-buses.ts";
import { type Answers, createAnswers } from "./services/cache/answers.ts";
import { createDepartures } from "./services/departures/create-departures.ts";
import { createJourneys } from "./services/journeys/create-journeys.ts";
import { createNetwork } from "./services/network/create-network.ts";
import { keptBoards } from "./services/network/kept-boards.ts";
import { createPlaces } from "./services/places/create-places.ts";
import type { Pictures } from "./render/drawing.ts";
import type { Stations } from "./services/stations/stations.ts";
import { createTimetables } from "./services/timetable/create-timetables.ts";
import { createTrains } from "./services/trains/create-trains.ts";
import { boardNoticeView } from "./views/board-notice-view.ts";
import { createBoardPresenter } from "./views/board-post-view.ts";

/** Boards look two hours ahead: after one, half of an old board is still to come. */
const STALE_MS = 60 * 60_000;
/** Stations and stops hardly ever move, and the terms let answers be kept as long as one likes. */
const PLACES_FRESH_MS = 12 * 60 * 60_000;
const PLACES_STALE_MS = 30 * 24 * 60 * 60_000;

/** What the transport services stand on. */
export interface ComposeTransportOptions extends ComposeOptions {
  readonly settings: TransportConfig;
  readonly budget: Budget;
  readonly pictures: Pictures;
  readonly stations: Stations;
}

/** Sends nothing: services do so when they are asked, and jobs when they run. */
export function composeTransport(options: ComposeTransportOptions): Composed {
  const { settings, budget, stations, clock, log, http } = options;
  const clientFor = (purpose: Purpose): TransportClient =>
    createTransportClient({
      ...settings,
      http,
      clock,
      log,
      spend: (weight) => budget.take(purpose, weight),
      usedUp: (retryAfterMs) => budget.closeFor(retryAfterMs),
    });
  const transport = clientFor("person");
  const answers = createAnswers({ clock, freshMs: FRESH_MS, staleMs: STALE_MS });
  const placeAnswers = createAnswers({ clock, freshMs: PLACES_FRESH_MS, staleMs: PLACES_STALE_MS });
  const places = createPlaces({ transport, answers: placeAnswers, stations });
  const boards = composeBoards(options, { answers, person: transport, board: clientFor("board") });
  const watches = composeWatches(options, { answers, person: transport, data: boards.data });
  return {
    services: {
      departures: createDepartures({ transport, answers, clock }),
      places,
      journeys: createJourneys({ transport, answers, places, stations, clock }),
      timetables: createTimetables({ transport, answers, clock }),
      trains: createTrains({ transport, answers, clock }),
      buses: createBuses({ transport, answers, places, clock }),
      network: createNetwork({
        transport,
        answers,
        stations,
        clock,
        keptBoards: () => keptBoards(answers),
      }),
      ...boards.services,
      ...watches.services,
    },
    jobs: [...boards.jobs, ...watches.jobs],
  };
}

/** Ticks between whole minutes take up what was left over, e.g. by a process that died. */
const BOARDS_PATTERN = "*/10 * * * * *";

/** Boards share the answers of departures: what one asks, the other need not. */
function composeBoards(
  {
    settings,
    config,
    database,
    connection,
    messenger,
    rights,
    pictures,
    stations,
    clock,
    log,
  }: ComposeTransportOptions,
  asking: { readonly answers: Answers; readonly person: TransportClient; readonly board: TransportClient },
): Composed & { readonly data: WatchData } {
  const terms = settings.budget;
  const data = createBoardData({
    ...asking,
    questions: database.boardQuestions,
    terms,
    stations,
    clock,
    log,
  });
  const present = createBoardPresenter({ pictures, stations });
  const runner = createBoardRunner({
    boards: database.boards,
    publishings: database.publishings,
    data,
    connection,
    messenger,
    present,
    notice: (board, place, others) => boardNoticeView(board, place, others, stations),
    stations,
    clock,
    log,
  });
  const channels = createBoardChannels(database.boards, clock);
  const noteDeletion = createNoteDeletion({ table: database.boards, channels, clock, log });
  connection.onDeleted((deletion) => void noteDeletion(deletion));
  const job: Job = {
    name: "boards",
    pattern: BOARDS_PATTERN,
    run: (_nowMs, progress) => runner.run(progress),
  };
  const boards = createBoards({
    table: channels.table,
    data,
    connection,
    messenger,
    rights,
    present,
    stations,
    clock,
    log,
    perGuild: config.boardsPerGuild,
    timeZone: config.timeZone,
    terms,
  });
  return { services: { boards, presentBoard: present }, jobs: [job], data };
}
