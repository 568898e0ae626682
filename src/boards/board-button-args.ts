// A Refresh button names its board and slot, so that the message can be found after a crash.
import { type ArgsOf, defineArgs, base36, shortId, textLike } from "../core/component-args.ts";
import { parseComponentId } from "../core/component-id.ts";

export const boardIdArgs = defineArgs({ id: ["b", shortId] });

/** Six base-36 digits of minutes reach past the year 6000. */
export const boardSlotArgs = defineArgs({
  boardId: ["b", textLike(/^.+$/s)],
  /** A whole minute, in milliseconds since the epoch; 0 for a message that belongs to no slot, e.g. one of `/board show`. */
  slotMs: ["s", base36(6, 60_000)],
});

export type BoardSlot = ArgsOf<typeof boardSlotArgs>;

/** Reads the board and slot from the ids of a message's components; `undefined` if none of them is a Refresh button. */
export function findBoardSlot(componentIds: readonly string[]): BoardSlot | undefined {
  for (const id of componentIds) {
    const target = parseComponentId(id);
    if (target?.command === "board/show" && target.action === "refresh") {
      return boardSlotArgs.decode(target.args);
    }
  }
  return undefined;
}
