// A list that is too long for one message, shown a page at a time.
import { z } from "zod";
import type { ActionButton, ButtonsBlock } from "./reply.ts";

/** What a menu and a message bear. */
const PAGE_SIZE = 20;

/** Args of a button that turns to a page, counted from 0. */
export const pageArgsSchema = z.object({ p: z.coerce.number().int().min(0) });

export interface Page<T> {
  readonly shown: readonly T[];
  /** For the heading, e.g. `, page 2 of 3`; nothing where there is no other. */
  readonly words: string;
  readonly buttons: readonly ButtonsBlock[];
}

/** Turns to a page; to the last one where that is no longer there. `command`: the file that has the button `page`. */
export function turnTo<T>(page: number, all: readonly T[], command: string): Page<T> {
  const last = Math.max(0, Math.ceil(all.length / PAGE_SIZE) - 1);
  const at = Math.min(page, last);
  const to = (label: string, other: number): ActionButton => ({
    type: "button",
    label,
    disabled: other < 0 || other > last,
    target: { command, action: "page", args: { p: String(other) } },
  });
  return {
    shown: all.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE),
    words: last === 0 ? "" : `, page ${at + 1} of ${last + 1}`,
    buttons: last === 0 ? [] : [{ type: "buttons", buttons: [to("Back", at - 1), to("More", at + 1)] }],
  };
}
