// The buttons that save or discard a draft, below the previews of /board subscribe and /board edit.
import { textReply } from "../../src/core/reply.ts";
import { defineComponents } from "../../src/discord/define.ts";
import { BOARD_NEEDS, guildOf, onBoardPress } from "../../src/boards/board-command.ts";
import { boardSavedView } from "../../src/boards/board-preview-view.ts";

export default defineComponents({
  needs: BOARD_NEEDS,
  buttons: {
    save: onBoardPress(async ({ services, where }, id) => {
      const board = await services.boards.save(guildOf(where), id);
      return boardSavedView(board, board.id === id, services.stations);
    }),
    discard: onBoardPress(async ({ services, where }, id) => {
      await services.boards.discard(guildOf(where), id);
      return textReply("Discarded. Nothing was saved.", "private");
    }),
  },
});
