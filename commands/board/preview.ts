import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { Context } from "../../src/discord/define/context.ts";
import { BOARD_NEEDS, boardOption, guildOf, onBoard, withBoard } from "../../src/boards/board-command.ts";

async function preview({ services, where }: Context<"boards" | "presentBoard">, id: string): Promise<Reply> {
  const content = await services.boards.preview(guildOf(where), id);
  return { ...(await services.presentBoard(content, { id }).reply()), visibility: "private" };
}

export default defineCommand({
  description: "See a board as it looks now (only you will see it)",
  needs: BOARD_NEEDS,
  defer: "private",
  options: { board: boardOption },
  run: ({ options, ...context }) => withBoard(context, options.board, ({ id }) => preview(context, id)),
  buttons: { preview: { ...onBoard(preview), answers: "reply" } },
});
