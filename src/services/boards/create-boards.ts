// Boards as people manage them, over the table that the runner works through.
import { createBoardDrafts } from "./board-drafts.ts";
import { createBoardStates } from "./board-states.ts";
import type { Boards } from "./boards.ts";
import { requireBoard, type BoardsDependencies } from "./manage-boards.ts";
import { createBoardRepair } from "./repair-board.ts";
import { isKept, readSubscription } from "./read-subscription.ts";

/** Makes the service. */
export function createBoards(deps: BoardsDependencies): Boards {
  const { table, data, connection, present, timeZone } = deps;
  const states = createBoardStates(deps);
  return {
    timeZone,
    ...createBoardDrafts(deps),
    ...states,
    repair: createBoardRepair(deps, states),
    list: async (guildId) => (await table.ofGuild(guildId)).filter(isKept).map(readSubscription),
    get: async (guildId, id) => readSubscription(await requireBoard(table, guildId, id)),
    async preview(guildId, id) {
      return data.contentForPerson(readSubscription(await requireBoard(table, guildId, id)).settings);
    },
    async refresh(id, messageId) {
      const record = await table.get(id);
      if (!record || !isKept(record)) {
        return undefined;
      }
      const { settings } = readSubscription(record);
      await data.noteInterest(settings);
      const content = await data.contentForPerson(settings);
      // The board's own message will show this: the runner need not put the same there again.
      if (messageId === record.messageId) {
        await table.change(id, { shownHash: present(content, { id, slotMs: 0 }).hash });
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
