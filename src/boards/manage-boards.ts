// The service through which people set up, look at and change boards.
import { createBoardDrafts } from "./board-drafts.ts";
import { type BoardsDependencies, createBoardStates, requireBoard } from "./board-states.ts";
import { type BoardSettings, type Subscription, isSaved, readSubscription } from "./boards.ts";
import { type SettingsChoice, chooseSettings } from "./board-settings.ts";
import type { BoardContent } from "./planning/board-contents.ts";
import { UserError } from "../core/errors.ts";
import { spentShareWords } from "../sources/source-words.ts";
import { countWeek } from "./slot-history.ts";

export type Boards = ReturnType<typeof createBoards>;

/** The caller must have checked that the person may manage boards of `guildId`. */
export function createBoards(deps: BoardsDependencies) {
  const { table, data, connection, present, timeZone, clock } = deps;
  /** The server's active and paused boards, in the order in which they were created. */
  const list = async (guildId: string): Promise<readonly Subscription[]> =>
    (await table.ofGuild(guildId)).filter(isSaved).map(readSubscription);
  /** Finds a board of any server, for buttons that anyone may press; `undefined` if there is none. */
  async function find(id: string): Promise<Subscription | undefined> {
    const record = await table.get(id);
    return record && isSaved(record) ? readSubscription(record) : undefined;
  }

  /**
   * For somebody who pressed Refresh. `undefined` if the board no longer exists. Throws a UserError, which
   * only that person sees, if they or their server have used up their share of live data.
   */
  async function refresh(id: string, messageId: string): Promise<BoardContent | undefined> {
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
    // The board's own message will show this content. The runner must not replace it with the same, nor with older data.
    if (messageId === board.messageId) {
      const changes = {
        // A note on why the data is not newer stays only until the next slot.
        shownHash: shown?.stale ? undefined : present(content, { id }).hash,
        shownDataMs: shown?.dataAt.epochMilliseconds,
        lastSentMs: clock.now(),
      };
      if (!(await table.change(id, changes, board))) {
        // While the data was being fetched, somebody paused or removed the board, or a slot replaced its message.
        return refresh(id, messageId);
      }
    }
    return content;
  }

  return {
    timeZone,
    /** As `chooseSettings` does. */
    choose: (choice: SettingsChoice, base?: BoardSettings) => chooseSettings(choice, deps, base),
    ...createBoardDrafts(deps),
    ...createBoardStates(deps),
    list,
    /** The listed boards, each with the number of its slots in the last seven days by outcome. */
    week: async (guildId: string) =>
      (await list(guildId)).map((board) => ({ board, counts: countWeek(board.history, clock.now()) })),
    get: (guildId: string, id: string) => requireBoard(table, guildId, id),
    /** If the data is older than a minute, asks for new data at the person's expense. */
    async preview(guildId: string, id: string): Promise<BoardContent> {
      return data.contentForPerson((await requireBoard(table, guildId, id)).settings);
    },
    /** Like `preview`, for everyone in a channel. Throws a UserError if the person's or the server's share is used up. */
    async show(guildId: string, id: string): Promise<BoardContent> {
      const content = await data.contentForPerson((await requireBoard(table, guildId, id)).settings);
      refuseSpentShare(
        content,
        "so everyone here would see older train times. Please try again in a while, or see the board yourself with `/board preview`.",
      );
      return content;
    },
    refresh,
    find,
    /** The names of the boards' channels that the bot can see, by id; for texts that cannot contain mentions. */
    channelNames: (boards: readonly Subscription[]): ReadonlyMap<string, string> =>
      new Map(
        boards.flatMap(({ channelId }) => {
          const name = connection.channelName(channelId);
          return name === undefined ? [] : [[channelId, name] as const];
        }),
      ),
  };
}

/** `consequence` completes the sentence. */
function refuseSpentShare({ board }: BoardContent, consequence: string): void {
  const spent = board?.stale && spentShareWords(board.stale);
  if (spent !== undefined) {
    throw new UserError(`${spent}, ${consequence}`);
  }
}
