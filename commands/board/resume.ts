import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { boardCardView } from "../../src/boards/board-card-view.ts";
import { slotSentence } from "../../src/boards/board-settings-words.ts";
import {
  BOARD_NEEDS,
  type BoardContext,
  boardOption,
  guildOf,
  onBoardPress,
  settingsOptions,
  withBoard,
} from "../../src/boards/board-command.ts";

/** `channelId`: the channel to move the board to. */
async function resume(
  { services, where, caller }: BoardContext,
  id: string,
  channelId?: string,
): Promise<Reply> {
  const to = channelId === undefined ? undefined : { channelId, userId: caller.id };
  const board = await services.boards.resume(guildOf(where), id, to);
  const next = board.nextSlotMs === undefined ? "" : ` ${slotSentence(board.nextSlotMs, board.settings)}`;
  const done = `It's running in <#${board.channelId}>.${next}`;
  return boardCardView(board, services.stations, where, done);
}

export default defineCommand({
  description: "Resume a paused board",
  needs: BOARD_NEEDS,
  defer: "private",
  options: {
    board: boardOption,
    channel: { ...settingsOptions.channel, description: "Which channel (default: where it was)" },
  },
  run: ({ options, ...context }) =>
    withBoard(context, options.board, ({ id }) => resume(context, id, options.channel?.id)),
  buttons: {
    resume: onBoardPress(resume),
    move: onBoardPress((context, id) => resume(context, id, context.where.channelId)),
  },
});
