// What the parts of the boards' management stand on, and what several of them do.
import type { Clock } from "../../core/clock.ts";
import { UserError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { BoardRecord, BoardsTable } from "../../storage/boards-table.ts";
import type { BudgetTerms } from "../budget/budget.ts";
import { MessengerError, type CommandRights, type Connection, type Messenger } from "../../core/ports.ts";
import type { Stations } from "../stations/stations.ts";
import type { BoardData } from "../board-data/board-data.ts";
import { isKept, readSubscription } from "./read-subscription.ts";
import type { PresentBoard } from "../board-runner/run-boards.ts";

/** What the management of boards stands on. */
export interface BoardsDependencies {
  readonly table: BoardsTable;
  readonly data: BoardData;
  readonly messenger: Pick<Messenger, "check" | "delete">;
  readonly rights: CommandRights;
  readonly connection: Pick<Connection, "channelName">;
  readonly present: PresentBoard;
  readonly stations: Stations;
  readonly clock: Clock;
  readonly log: Log;
  /** The most active and paused boards that a server may have. */
  readonly perGuild: number;
  /** The zone of schedules where nobody names another. */
  readonly timeZone: string;
  /** What the transport service's plan allows. */
  readonly terms: BudgetTerms;
}

/** How long a draft waits to be saved, and a removed board to be brought back. */
export const SECOND_THOUGHTS_MS = 60 * 60_000;

/** Gives a server's own board, active or paused. Throws a UserError for any other id. */
export async function requireBoard(table: BoardsTable, guildId: string, id: string): Promise<BoardRecord> {
  const record = await table.get(id);
  if (record?.guildId !== guildId || !isKept(record)) {
    throw new UserError(
      "I cannot find that board here; it may have been removed. `/board list` shows the boards of this server.",
    );
  }
  return record;
}

/** Thrown where a server has as many boards as it may. */
export function tooManyBoards(perGuild: number): UserError {
  return new UserError(
    `This server has ${perGuild === 1 ? "its one board" : `all the ${perGuild} boards it may have`}. Remove one with \`/board remove\` first.`,
  );
}

/** Thrown where two people change a board at once. */
export function changedMeanwhile(): UserError {
  return new UserError(
    "Somebody else has just changed that board. Please look at `/board list` and try again.",
  );
}

/** What a record must forget when its board goes to another channel. */
export function moveTo(channelId: string) {
  return {
    channelId,
    // Whoever is sending it to the old channel right now has nothing to write down any more.
    claimedSlotMs: undefined,
    claimedUntilMs: undefined,
    messageId: undefined,
    messageSlotMs: undefined,
    shownHash: undefined,
    shownDataMs: undefined,
  } as const;
}

/** Deletes the message that a board keeps; what was posted once and for all stays. */
export async function takeMessageAway(
  { messenger, log }: Pick<BoardsDependencies, "messenger" | "log">,
  record: BoardRecord,
): Promise<void> {
  const { id, channelId, messageId } = record;
  if (messageId === undefined || readSubscription(record).settings.mode === "post") {
    return;
  }
  try {
    await messenger.delete({ channelId, messageId });
  } catch (error) {
    if (!(error instanceof MessengerError)) {
      throw error;
    }
    log.warn({ board: id, problem: error.problem }, "a board's message could not be taken away");
  }
}
