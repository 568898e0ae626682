// A board as it would look, with the buttons that save or discard it. Both /board subscribe and /board edit end here.
import type { Reply } from "../../src/core/reply.ts";
import { defineComponents } from "../../src/discord/define.ts";
import type { BoardSettings, Subscription } from "../../src/boards/boards.ts";
import { discardedView } from "../../src/boards/board-post-view.ts";
import { boardPreviewView, boardSavedView } from "../../src/boards/board-preview-view.ts";
import { BOARD_NEEDS, guildOf, onBoard, type BoardContext } from "./list.ts";

/** Keeps a draft and shows it. `changes`: the board that it would replace. */
export async function showDraft(
  { services, caller, where }: BoardContext,
  settings: BoardSettings,
  channelId: string | undefined,
  changes?: Subscription,
): Promise<Reply> {
  const place = { guildId: guildOf(where), channelId: channelId ?? where.channelId ?? "" };
  const drafted = await services.boards.draft(place, settings, caller.id, changes?.id);
  const { draft, content } = drafted;
  const shown = services.presentBoard(content, { id: draft.id, slotMs: 0 });
  return boardPreviewView(drafted, await shown.reply());
}

export default defineComponents({
  needs: BOARD_NEEDS,
  buttons: {
    save: onBoard(async ({ services, where }, id) => {
      const board = await services.boards.save(guildOf(where), id);
      return boardSavedView(board, board.id === id);
    }),
    discard: onBoard(async ({ services, where }, id) => {
      await services.boards.discard(guildOf(where), id);
      return discardedView();
    }),
  },
});
