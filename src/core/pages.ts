// A list that is too long for one message, shown a page at a time.
import { defineArgs, integer } from "./component-args.ts";
import { type ActionButton, buttonTo } from "./reply.ts";

/** What a menu and a message bear. */
const PAGE_SIZE = 20;

/** Args of a button that turns to a page, counted from 0. */
export const pageArgs = defineArgs({ page: ["p", integer(0, Number.MAX_SAFE_INTEGER)] });

/** Turns to a page; to the last one where that is no longer there. `command`: the file that has the button `page`. */
export function createPage<T>(page: number, all: readonly T[], command: string) {
  const last = Math.max(0, Math.ceil(all.length / PAGE_SIZE) - 1);
  const at = Math.min(page, last);
  const to = (label: string, other: number): ActionButton =>
    buttonTo(
      label,
      { command, action: "page", args: pageArgs.encode({ page: other }) },
      { disabled: other < 0 || other > last },
    );
  return {
    shown: all.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE),
    /** For the heading, e.g. `, page 2 of 3`; nothing where there is no other. */
    words: last === 0 ? "" : `, page ${at + 1} of ${last + 1}`,
    /** Back and More; none where there is no other page. */
    buttons: last === 0 ? [] : [[to("Back", at - 1), to("More", at + 1)]],
  };
}

/** So many of a list from `skip` on, or the last of them, where the list has become shorter. */
export function sliceFrom<T>(all: readonly T[], skip: number, size: number) {
  const start = Math.min(skip, Math.max(0, Math.ceil(all.length / size) - 1) * size);
  const end = start + size;
  return {
    start,
    shown: all.slice(start, end),
    /** Where the parts beside it begin; `undefined` where there is none. */
    before: start > 0 ? start - size : undefined,
    after: end < all.length ? end : undefined,
  };
}
