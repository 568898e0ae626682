import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { boardCardView } from "../../src/boards/board-card-view.ts";
import { type BoardContext, guildOf, onBoardPress, onNamedBoard } from "../../src/boards/board-command.ts";

async function pause({ services, where }: BoardContext, id: string): Promise<Reply> {
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
  ...onNamedBoard(pause),
  buttons: { pause: onBoardPress(pause) },
});
