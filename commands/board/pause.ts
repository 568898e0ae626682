import type { Reply } from "../../src/core/reply.ts";
import { defineCommand, type Context } from "../../src/discord/define.ts";
import { boardCardView } from "../../src/views/board-card-view.ts";
import { BOARD_NEEDS, boardArgs, boardOption, guildOf } from "./list.ts";

async function pause({ services, where }: Context<"boards" | "stations">, id: string): Promise<Reply> {
  const board = await services.boards.pause(guildOf(where), id);
  return boardCardView(board, services.stations, "Paused. What it shows stays as it is until you resume it.");
}

export default defineCommand({
  description: "Stop a board for a while",
  needs: BOARD_NEEDS,
  defer: "private",
  options: { board: boardOption },
  run: ({ options, ...context }) => pause(context, options.board),
  buttons: {
    pause: { args: boardArgs, run: ({ args, ...context }) => pause(context, args.b) },
  },
});
