// Boards as people manage them, over the table that the runner works through.
import { createBoardDrafts } from "./board-drafts.ts";
import { type BoardsDeps, createBoardStates, requireSubscription } from "./manage-boards.ts";
import type { Boards, NewPlace } from "./boards.ts";
import { isKept, readSubscription } from "./board-settings.ts";
import { UserError } from "../core/errors.ts";
import { weekOf } from "./slot-history.ts";
import type { BoardRecord } from "./boards-table.ts";
import { askWhetherAllowed } from "../delivery/messenger-errors.ts";

export function createBoards(deps: BoardsDeps): Boards {
  const { table, data, connection, present, timeZone, clock } = deps;
  const states = createBoardStates(deps);
  const list: Boards["list"] = async (guildId) =>
    (await table.ofGuild(guildId)).filter(isKept).map(readSubscription);
  return {
    timeZone,
    ...createBoardDrafts(deps),
    ...states,
    repair: createBoardRepair(deps, states),
    list,
    week: async (guildId) =>
      (await list(guildId)).map((board) => ({ board, counts: weekOf(board.history, clock.now()) })),
    get: (guildId, id) => requireSubscription(table, guildId, id),
    async preview(guildId, id) {
      return data.contentForPerson((await requireSubscription(table, guildId, id)).settings);
    },
    async refresh(id, messageId) {
      const record = await table.get(id);
      if (!record || !isKept(record)) {
        return undefined;
      }
      const { settings } = readSubscription(record);
      await data.noteInterest(settings);
      const content = {
        ...(await data.contentForPerson(settings)),
        ...(record.state === "paused" && { nextDataMs: undefined }),
      };
      // The board's own message will show this: the runner need not put the same there again.
      if (messageId === record.messageId) {
        await table.change(id, {
          shownHash: present(content, { id, slotMs: 0 }).hash,
          lastSentMs: clock.now(),
        });
      }
      return content;
    },
    async find(id) {
      const record = await table.get(id);
      return record && isKept(record) ? readSubscription(record) : undefined;
    },
    channelNames: (boards) =>
      new Map(
        boards.flatMap(({ channelId }) => {
          const name = connection.channelName(channelId);
          return name === undefined ? [] : [[channelId, name] as const];
        }),
      ),
  };
}

/**
 * The repair of a board that the bot paused, pressed on a notice: in the server, or in a direct message, where nobody has
 * checked yet who may.
 */
function createBoardRepair(
  { table, rights }: Pick<BoardsDeps, "table" | "rights">,
  { resume }: Pick<Boards, "resume">,
): Boards["repair"] {
  /** Resumes those that stopped with this one, as far as they can; gives how many. */
  async function resumeOthers(record: BoardRecord, to: NewPlace | undefined): Promise<number> {
    const alike = (await table.ofGuild(record.guildId)).filter(
      (each) =>
        each.id !== record.id &&
        each.state === "paused" &&
        (each.pausedBecause === "channel-gone" || each.pausedBecause === "not-allowed") &&
        each.pausedBecause === record.pausedBecause &&
        each.channelId === record.channelId &&
        each.createdBy === record.createdBy,
    );
    let count = 0;
    for (const { id } of alike) {
      try {
        await resume(record.guildId, id, to);
        count += 1;
      } catch (error) {
        if (!(error instanceof UserError)) {
          throw error;
        }
      }
    }
    return count;
  }

  return async (id, by, channelId) => {
    const record = await table.get(id);
    const isElsewhere = by.guildId !== undefined && by.guildId !== record?.guildId;
    if (!record || !isKept(record) || isElsewhere) {
      throw new UserError("That board has been removed. To set up another, use `/board subscribe`.");
    }
    const { guildId } = record;
    const mayRepair =
      by.guildId === guildId ||
      (await askWhetherAllowed(
        async () => (await rights.memberWhoMay(guildId, by.userId, "board")) !== undefined,
      ));
    if (!mayRepair) {
      throw new UserError(
        "Only people who can use `/board` in the board's server can do that. Use `/board list` there, or ask one of its moderators.",
      );
    }
    const to = channelId === undefined ? undefined : { channelId, userId: by.userId };
    try {
      const board = await resume(guildId, id, to);
      return { board, others: await resumeOthers(record, to), obstacle: undefined };
    } catch (error) {
      if (error instanceof UserError) {
        return { board: readSubscription(record), others: 0, obstacle: error.message };
      }
      throw error;
    }
  };
}
