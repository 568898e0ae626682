import type { Style } from "./catalogue.ts";

/** As many pictures as Discord shows side by side. */
const PAGE = 10;

/** Styles by pages: groups in the catalogue's order, together where they fit on a page. */
export function paginate(styles: readonly Style[]): readonly (readonly Style[])[] {
  const groups = Map.groupBy(styles, ({ group }) => group);
  const pages: Style[][] = [];
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += PAGE) {
      const part = group.slice(start, start + PAGE);
      const last = pages.at(-1);
      if (last && last.length + part.length <= PAGE) {
        last.push(...part);
      } else {
        pages.push(part);
      }
    }
  }
  return pages;
}
