// The mark that a board's message carries in its Refresh button: which board it is, and for which slot it was sent. By
// it a message is found again after a crash or a lost answer.
import { type ArgsOf, defineArgs, base36, shortId, textLike } from "../core/component-args.ts";
import { parseComponentId } from "../core/component-id.ts";

export const boardIdArgs = defineArgs({ id: ["b", shortId] });

/** Which board and which of its slots a message was sent for. Six digits reach past the year 6000. */
export const boardSlotArgs = defineArgs({
  boardId: ["b", textLike(/^.+$/s)],
  /** Milliseconds since the epoch, a whole minute; 0 for a message that was sent for no slot, e.g. a preview. */
  slotMs: ["s", base36(6, 60_000)],
});

export type BoardSlot = ArgsOf<typeof boardSlotArgs>;

/** Finds the mark among the ids of a message's components; `undefined` where there is none. */
export function findBoardSlot(componentIds: readonly string[]): BoardSlot | undefined {
  for (const id of componentIds) {
    const target = parseComponentId(id);
    if (target?.command === "board/show" && target.action === "refresh") {
      return boardSlotArgs.decode(target.args);
    }
  }
  return undefined;
}
