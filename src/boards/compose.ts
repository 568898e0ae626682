// Boards: what people subscribe channels to, and what keeps them up to date.
import type { Platform } from "../core/platform.ts";
import type { Job } from "../jobs/scheduler.ts";
import type { Pictures } from "../render/drawing.ts";
import { createBoardData } from "../services/board-data/create-board-data.ts";
import { createBoardRunner } from "../services/board-runner/create-board-runner.ts";
import { createBoardChannels } from "../services/boards/board-channels.ts";
import { createBoards } from "../services/boards/create-boards.ts";
import { createNoteDeletion } from "../services/boards/note-deletion.ts";
import type { BudgetTerms } from "../services/budget/budget.ts";
import type { Stations } from "../services/stations/stations.ts";
import type { Sources } from "../sources/compose.ts";
import type { BoardQuestionsTable } from "../storage/board-questions-table.ts";
import type { BoardsTable } from "../storage/boards-table.ts";
import type { PublishingsTable } from "../storage/publishings-table.ts";
import { boardNoticeView } from "../views/board-notice-view.ts";
import { createBoardPresenter } from "../views/board-post-view.ts";

/** Ticks between whole minutes take up what was left over, e.g. by a process that died. */
const BOARDS_PATTERN = "*/10 * * * * *";

/** What boards stand on. */
export interface ComposeBoardsOptions extends Platform {
  readonly sources: Sources;
  /** What the transport service's plan allows. */
  readonly terms: BudgetTerms;
  readonly stations: Stations;
  readonly pictures: Pictures;
  readonly database: {
    readonly boards: BoardsTable;
    readonly boardQuestions: BoardQuestionsTable;
    readonly publishings: PublishingsTable;
  };
}

/** Sends nothing: services do so when they are asked, and jobs when they run. */
export function composeBoards({
  sources,
  terms,
  stations,
  pictures,
  database,
  config,
  connection,
  messenger,
  rights,
  clock,
  log,
}: ComposeBoardsOptions) {
  const { answers, person, board } = sources;
  const questions = database.boardQuestions;
  const data = createBoardData({ answers, person, board, questions, terms, stations, clock, log });
  const present = createBoardPresenter({ pictures, stations });
  const runner = createBoardRunner({
    boards: database.boards,
    publishings: database.publishings,
    data,
    connection,
    messenger,
    present,
    notice: (record, place, others) => boardNoticeView(record, place, others, stations),
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
