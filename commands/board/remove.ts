import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { boardCardView, confirmRemoveView, removedView } from "../../src/boards/board-card-view.ts";
import { type BoardContext, guildOf, onBoardPress, onNamedBoard } from "../../src/boards/board-command.ts";

async function ask({ services, where }: BoardContext, id: string): Promise<Reply> {
  return confirmRemoveView(await services.boards.get(guildOf(where), id), services.stations);
}

export default defineCommand({
  description: "Remove a board (I'll ask first)",
  ...onNamedBoard(ask),
  buttons: {
    ask: onBoardPress(ask),
    remove: onBoardPress(async ({ services, where }, id) =>
      removedView(await services.boards.remove(guildOf(where), id), services.stations),
    ),
    undo: onBoardPress(async ({ services, where }, id) => {
      const board = await services.boards.bringBack(guildOf(where), id);
      return boardCardView(board, services.stations, where, "It's back.");
    }),
  },
});
