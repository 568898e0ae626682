import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { type BoardContext, guildOf, onBoardPress, onNamedBoard } from "../../src/boards/board-command.ts";

async function preview({ services, where }: BoardContext, id: string): Promise<Reply> {
  const content = await services.boards.preview(guildOf(where), id);
  return { ...(await services.presentBoard(content, { id }).reply()), visibility: "private" };
}

export default defineCommand({
  description: "See a board as it looks now (only you will see it)",
  ...onNamedBoard(preview),
  buttons: { preview: { ...onBoardPress(preview), answers: "private" } },
});
