// Shows a board to everyone in the channel. The Refresh button of every board's message, kept or shown, ends here.
import { UserError } from "../../src/core/errors.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { boardMark } from "../../src/boards/board-mark.ts";
import { BOARD_NEEDS, boardOption, guildOf, withBoard } from "../../src/boards/board-command.ts";

export default defineCommand({
  description: "Show everyone here a board as it looks now",
  needs: BOARD_NEEDS,
  options: { board: boardOption },
  run: ({ options, ...context }) =>
    withBoard(context, options.board, async ({ id }) => {
      const { services, where } = context;
      const content = await services.boards.preview(guildOf(where), id);
      return services.presentBoard({ ...content, nextDataMs: undefined }, { id, slotMs: 0 }).reply();
    }),
  buttons: {
    refresh: {
      args: boardMark,
      anyone: true,
      async run({ args: { boardId, slotMs }, services, where, message }) {
        const board = await services.boards.find(boardId);
        const isHere = board !== undefined && board.guildId === where.guildId;
        const content = isHere ? await services.boards.refresh(boardId, message.id) : undefined;
        if (content === undefined) {
          throw new UserError(
            "This board is no longer updated. To see trains from any station, use `/departures`.",
          );
        }
        // One that was posted by this command (slot 0) is never updated. The mark stays, by which a slot's message is found.
        const shown = slotMs === 0 ? { ...content, nextDataMs: undefined } : content;
        return services.presentBoard(shown, { id: boardId, slotMs }).reply();
      },
    },
  },
});
