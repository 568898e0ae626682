import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import {
  type BoardContext,
  BOARD_NEEDS,
  boardsOf,
  guildOf,
  onBoardPress,
} from "../../src/boards/board-command.ts";
import { boardCardView, boardWeekView, repairView } from "../../src/boards/board-card-view.ts";
import { boardListView } from "../../src/boards/board-list-view.ts";
import { pageArgs } from "../../src/core/pages.ts";

async function showPage(context: BoardContext, page: number): Promise<Reply> {
  const { boards, naming } = await boardsOf(context);
  return boardListView(boards, page, naming);
}

async function showCard({ services, where }: BoardContext, id: string): Promise<Reply> {
  return boardCardView(await services.boards.get(guildOf(where), id), services.stations, where);
}

/** In a DM, the service checks the person's rights; in a server, the dispatcher has. `channelId`: where to move it. */
async function repairBoard(
  { services, caller, where }: BoardContext,
  id: string,
  channelId?: string,
): Promise<Reply> {
  const by = { userId: caller.id, guildId: channelId === undefined ? where.guildId : guildOf(where) };
  const repair = await services.boards.repair(id, by, channelId);
  const offersHere = where.guildId !== undefined && where.channelId !== repair.board.channelId;
  return repairView(repair, offersHere, services.stations);
}

export default defineCommand({
  description: "See the boards of this server, with buttons to change them",
  needs: BOARD_NEEDS,
  defer: "private",
  run: (context) => showPage(context, 0),
  selects: {
    open: { run: ({ chosen, ...context }) => showCard(context, chosen[0] ?? "") },
  },
  buttons: {
    page: {
      args: pageArgs,
      run: ({ args, ...context }) => showPage(context, args.page),
    },
    week: {
      async run({ services, where }) {
        return boardWeekView(await services.boards.week(guildOf(where)), services.stations);
      },
    },
    card: onBoardPress(showCard),
    repair: onBoardPress(repairBoard),
    here: onBoardPress((context, id) => repairBoard(context, id, context.where.channelId)),
  },
});
