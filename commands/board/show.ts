// Shows a board to everyone in the channel. Also handles the Refresh button of all boards' messages.
import { UserError } from "../../src/core/errors.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { boardSlotArgs } from "../../src/boards/board-post-view.ts";
import {
  BOARD_NEEDS,
  type BoardContext,
  boardOption,
  guildOf,
  withBoard,
} from "../../src/boards/board-command.ts";
import type { BoardContent } from "../../src/boards/planning/board-contents.ts";
import type { Reply } from "../../src/core/reply.ts";

/** A message of this command itself (slot 0) is never updated, so it promises no new data. */
function show(
  { presentBoard }: Pick<BoardContext["services"], "presentBoard">,
  content: BoardContent,
  slot: { readonly id: string; readonly slotMs: number },
): Promise<Reply> {
  return presentBoard(slot.slotMs === 0 ? { ...content, nextDataMs: undefined } : content, slot).reply();
}

export default defineCommand({
  description: "Show everyone here a board as it looks now",
  needs: BOARD_NEEDS,
  options: { board: boardOption },
  run: ({ options, ...context }) =>
    withBoard(context, options.board, async ({ id }) => {
      const { services, where } = context;
      const content = await services.boards.show(guildOf(where), id);
      return show(services, content, { id, slotMs: 0 });
    }),
  buttons: {
    refresh: {
      args: boardSlotArgs,
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
        // With the same slot, so that the message can still be found.
        return show(services, content, { id: boardId, slotMs });
      },
    },
  },
});
