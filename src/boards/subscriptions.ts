// Boards as people manage them, over the table that the runner works through.
import { createBoardDrafts } from "./board-drafts.ts";
import { type BoardStates, type BoardsDeps, createBoardStates, requireBoard } from "./manage-boards.ts";
import { type Subscription, isKept, readSubscription } from "./boards.ts";
import type { BoardContent } from "./planning/board-data.ts";
import { UserError } from "../core/errors.ts";
import { spentShareWords } from "../sources/source-words.ts";
import { weekOf } from "./slot-history.ts";
import { askWhetherAllowed } from "../delivery/messenger-errors.ts";

export type Boards = ReturnType<typeof createBoards>;

/** What people may do. The caller has checked that the person may manage boards of `guildId`. */
export function createBoards(deps: BoardsDeps) {
  const { table, data, connection, present, timeZone, clock } = deps;
  const states = createBoardStates(deps);
  /** In the order in which they were made. */
  const list = async (guildId: string): Promise<readonly Subscription[]> =>
    (await table.ofGuild(guildId)).filter(isKept).map(readSubscription);
  /** A board by its id alone, for what anyone may press; `undefined` where there is none. */
  async function find(id: string): Promise<Subscription | undefined> {
    const record = await table.get(id);
    return record && isKept(record) ? readSubscription(record) : undefined;
  }

  return {
    /** The zone of schedules where nobody names another. */
    timeZone,
    ...createBoardDrafts(deps),
    ...states,
    repair: createBoardRepair(deps, states, find),
    list,
    /** The same boards with how many of their slots in the last seven days ended in each way. */
    week: async (guildId: string) =>
      (await list(guildId)).map((board) => ({ board, counts: weekOf(board.history, clock.now()) })),
    get: (guildId: string, id: string) => requireBoard(table, guildId, id),
    /** What it would show now; asks as a person does where the data is older than a minute. */
    async preview(guildId: string, id: string): Promise<BoardContent> {
      return data.contentForPerson((await requireBoard(table, guildId, id)).settings);
    },
    /** As `preview`, for everyone in a channel to read. Throws a UserError as `refresh` does. */
    async show(guildId: string, id: string): Promise<BoardContent> {
      const content = await data.contentForPerson((await requireBoard(table, guildId, id)).settings);
      refuseSpentShare(
        content,
        "so everyone here would see older train times. Please try again in a while, or see the board yourself with `/board preview`.",
      );
      return content;
    },
    /**
     * As `preview`, for somebody who pressed Refresh on this message of the board. `undefined` for a board that is no longer
     * there. Throws a UserError if they, or their server, have used up their share of live data: only they should read that.
     */
    async refresh(id: string, messageId: string): Promise<BoardContent | undefined> {
      const board = await find(id);
      if (board === undefined) {
        return undefined;
      }
      const content = {
        ...(await data.contentForPerson(board.settings)),
        ...(board.state === "paused" && {
          nextDataMs: undefined,
          isPaused: board.pausedBecause === undefined,
        }),
      };
      refuseSpentShare(content, "so the board stays as it is. Please try again in a while.");
      const { board: shown } = content;
      // The board's own message will show this: the runner need not put the same there again, nor older data.
      if (messageId === board.messageId) {
        await table.change(id, {
          // Why the data is no newer is said until the next slot only.
          shownHash: shown?.stale ? undefined : present(content, { id }).hash,
          shownDataMs: shown?.dataAt.epochMilliseconds,
          lastSentMs: clock.now(),
        });
      }
      return content;
    },
    find,
    /** The names of those of the boards' channels that the bot sees, by id, for where a mention does not show. */
    channelNames: (boards: readonly Subscription[]): ReadonlyMap<string, string> =>
      new Map(
        boards.flatMap(({ channelId }) => {
          const name = connection.channelName(channelId);
          return name === undefined ? [] : [[channelId, name] as const];
        }),
      ),
  };
}

/** `consequence` ends the sentence, after a comma. */
function refuseSpentShare({ board }: BoardContent, consequence: string): void {
  const spent = board?.stale && spentShareWords(board.stale);
  if (spent !== undefined) {
    throw new UserError(`${spent}, ${consequence}`);
  }
}

function createBoardRepair(
  { table, rights }: BoardsDeps,
  states: BoardStates,
  find: (id: string) => Promise<Subscription | undefined>,
) {
  /** Resumes those that stopped with this one, as far as they can; gives how many. */
  async function resumeOthers(
    board: Subscription,
    to: Parameters<BoardStates["resume"]>[2],
  ): Promise<number> {
    const { guildId, pausedBecause } = board;
    const isOfChannel = pausedBecause === "channel-gone" || pausedBecause === "not-allowed";
    const alike = (await table.ofGuild(guildId)).filter(
      (each) =>
        isOfChannel &&
        each.id !== board.id &&
        each.state === "paused" &&
        each.pausedBecause === pausedBecause &&
        each.channelId === board.channelId &&
        each.createdBy === board.createdBy,
    );
    let count = 0;
    for (const { id } of alike) {
      try {
        await states.resume(guildId, id, to);
        count += 1;
      } catch (error) {
        if (!(error instanceof UserError)) {
          throw error;
        }
      }
    }
    return count;
  }

  /**
   * Somebody pressed the repair of a notice, perhaps in a direct message, where nobody has checked yet whether they may:
   * resumes the board and those of its subscriber that had stopped with it, in `channelId` where that is given. Throws a
   * UserError where it is not theirs to repair, or not there. `others`: how many more run again. `obstacle`: why it still
   * cannot run, in a sentence that says what to do; `undefined` where it runs.
   */
  return async (
    id: string,
    by: { readonly userId: string; readonly guildId: string | undefined },
    channelId?: string,
  ) => {
    const stopped = await find(id);
    if (stopped === undefined || (by.guildId !== undefined && by.guildId !== stopped.guildId)) {
      throw new UserError("That board has been removed. To set up another, use `/board subscribe`.");
    }
    const { guildId } = stopped;
    const mayRepair =
      by.guildId === guildId ||
      (await askWhetherAllowed(
        async () => (await rights.findAllowedMember(guildId, by.userId, "board")) !== undefined,
      ));
    if (!mayRepair) {
      throw new UserError(
        "Only people who can use `/board` in the board's server can do that. Use `/board list` there, or ask one of its moderators.",
      );
    }
    const to = channelId === undefined ? undefined : { channelId, userId: by.userId };
    // The others first: if this fails midway, a second press must still find them through this one.
    const others = await resumeOthers(stopped, to);
    try {
      return { board: await states.resume(guildId, id, to), others, obstacle: undefined };
    } catch (error) {
      if (error instanceof UserError) {
        return { board: stopped, others, obstacle: error.message };
      }
      throw error;
    }
  };
}
