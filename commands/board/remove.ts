import type { Reply } from "../../src/core/reply.ts";
import { defineCommand, type Context } from "../../src/discord/define.ts";
import { boardCardView, removeQuestionView, removedView } from "../../src/views/board-card-view.ts";
import { BOARD_NEEDS, boardArgs, boardOption, guildOf } from "./list.ts";

async function ask({ services, where }: Context<"boards" | "stations">, id: string): Promise<Reply> {
  return removeQuestionView(await services.boards.get(guildOf(where), id), services.stations);
}

export default defineCommand({
  description: "Remove a board",
  needs: BOARD_NEEDS,
  defer: "private",
  options: { board: boardOption },
  run: ({ options, ...context }) => ask(context, options.board),
  buttons: {
    ask: { args: boardArgs, run: ({ args, ...context }) => ask(context, args.b) },
    remove: {
      args: boardArgs,
      run: async ({ args, services, where }) =>
        removedView(await services.boards.remove(guildOf(where), args.b), services.stations),
    },
    undo: {
      args: boardArgs,
      async run({ args, services, where }) {
        const board = await services.boards.bringBack(guildOf(where), args.b);
        return boardCardView(board, services.stations, "It is back.");
      },
    },
  },
});
