// The mark that a board's message carries in its Refresh button: which board it is, and for which slot it was sent. By
// it a message is found again after a crash or a lost answer.
import { parseComponentId } from "../core/component-id.ts";

/** Which board and which of its slots a message was sent for. */
export interface BoardMark {
  readonly boardId: string;
  /** Milliseconds since the epoch, a whole minute; 0 for a message that was sent for no slot, e.g. a preview. */
  readonly slotMs: number;
}

const MINUTE_MS = 60_000;

/** Writes a mark as a button's args: `b` is the board, `s` the slot's minute in base 36. */
export function formatBoardMark({ boardId, slotMs }: BoardMark): { readonly b: string; readonly s: string } {
  return { b: boardId, s: Math.floor(slotMs / MINUTE_MS).toString(36) };
}

/** Reads a button's args back; `undefined` for what is no mark. */
export function parseBoardMark(args: Readonly<Record<string, string>>): BoardMark | undefined {
  const { b: boardId = "", s: minutes = "" } = args;
  return boardId === "" || !MINUTES.test(minutes)
    ? undefined
    : { boardId, slotMs: Number.parseInt(minutes, 36) * MINUTE_MS };
}

/** Six digits reach past the year 6000. */
const MINUTES = /^[0-9a-z]{1,6}$/;

/** Finds the mark among the ids of a message's components; `undefined` where there is none. */
export function findBoardMark(componentIds: readonly string[]): BoardMark | undefined {
  for (const id of componentIds) {
    const target = parseComponentId(id);
    if (target?.command === "board/show" && target.action === "refresh") {
      return parseBoardMark(target.args);
    }
  }
  return undefined;
}
