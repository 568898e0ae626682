import type { Platform } from "../core/ports.ts";
import type { Job } from "../jobs/scheduler.ts";
import { drawBoardPicture } from "../render/board-picture.ts";
import { createBoardData } from "./planning/board-data.ts";
import { createBoardRunner } from "./sending/board-runner.ts";
import { createBoards } from "./manage-boards.ts";
import { createDeletionHandler } from "./kept-message.ts";
import type { Stations } from "../rail/stations.ts";
import type { Sources } from "../sources/compose.ts";
import type { BoardQuestionsTable } from "./board-questions-table.ts";
import type { BoardsTable } from "./boards-table.ts";
import type { PublishingsTable } from "./publishings-table.ts";
import { createBoardPresenter } from "./board-post-view.ts";

/** Slots are whole minutes. The ticks in between retry, and continue the work of processes that died. */
const BOARDS_PATTERN = "*/10 * * * * *";

/** `data` is also for watches, whose questions are planned together with those of boards. */
export function composeBoards(
  options: Platform & {
    readonly sources: Sources;
    readonly stations: Stations;
    readonly database: {
      readonly boards: BoardsTable;
      readonly boardQuestions: BoardQuestionsTable;
      readonly publishings: PublishingsTable;
    };
  },
) {
  const { sources, database, config, connection } = options;
  const { boards: table, boardQuestions: questions, publishings } = database;
  const data = createBoardData({ ...options, ...sources, questions });
  const present = createBoardPresenter({ ...options, pictures: { board: drawBoardPicture } });
  const deps = { ...options, table, data, present };
  const runner = createBoardRunner({ ...deps, publishings });
  const handleDeletion = createDeletionHandler(deps);
  connection.onDeleted((deletion) => void handleDeletion(deletion));
  const job: Job = {
    name: "boards",
    pattern: BOARDS_PATTERN,
    run: (_nowMs, progress) => runner.run(progress),
  };
  const boards = createBoards({
    ...deps,
    ...sources,
    perGuild: config.boardsPerGuild,
    timeZone: config.timeZone,
  });
  return { services: { boards, presentBoard: present }, jobs: [job], data };
}
