import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { Context } from "../../src/discord/define/context.ts";
import { boardCardView } from "../../src/boards/board-post-view.ts";
import { BOARD_NEEDS, boardOption, guildOf, onBoard, withBoard } from "../../src/boards/board-command.ts";

async function pause({ services, where }: Context<"boards" | "stations">, id: string): Promise<Reply> {
  const board = await services.boards.pause(guildOf(where), id);
  return boardCardView(
    board,
    services.stations,
    where,
    "Paused. The board won't update until you resume it.",
  );
}

export default defineCommand({
  description: "Pause a board until you resume it",
  needs: BOARD_NEEDS,
  defer: "private",
  options: { board: boardOption },
  run: ({ options, ...context }) => withBoard(context, options.board, ({ id }) => pause(context, id)),
  buttons: { pause: onBoard(pause) },
});
