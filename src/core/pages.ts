// Splits lists into parts, e.g. into pages of one message.
import { defineArgs, integer } from "./component-id.ts";
import { type ActionButton, buttonTo } from "./reply.ts";

/** As many entries as a menu and a message can show. */
const PAGE_SIZE = 20;

/** Arguments of a button that shows a page, counted from 0. */
export const pageArgs = defineArgs({ page: ["p", integer(0, Number.MAX_SAFE_INTEGER)] });

/** The last page if there is no such page any more. `command` is the file that has the button `page`. */
export function createPage<T>(page: number, all: readonly T[], command: string) {
  const pages = chunk(all, PAGE_SIZE);
  const last = Math.max(0, pages.length - 1);
  const at = Math.min(page, last);
  const to = (label: string, other: number): ActionButton =>
    buttonTo(
      label,
      { command, action: "page", args: pageArgs.encode({ page: other }) },
      { disabled: other < 0 || other > last },
    );
  return {
    shown: pages[at] ?? [],
    /** For the heading, e.g. `, page 2 of 3`; empty if there is only one page. */
    words: last === 0 ? "" : `, page ${at + 1} of ${last + 1}`,
    /** Back and More; none if there is only one page. */
    buttons: last === 0 ? [] : [[to("Back", at - 1), to("More", at + 1)]],
  };
}

/** Returns `size` entries of a list from `skip` on, or the last part if the list has become shorter. */
export function sliceFrom<T>(all: readonly T[], skip: number, size: number) {
  const start = Math.min(skip, Math.max(0, Math.ceil(all.length / size) - 1) * size);
  const end = start + size;
  return {
    start,
    shown: all.slice(start, end),
    /** Where the previous and the next part begin; `undefined` if there is none. */
    before: start > 0 ? start - size : undefined,
    after: end < all.length ? end : undefined,
  };
}

export function chunk<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
