// Lists that come in pages. The service's link to the next page holds the token: only the cursor is taken out of it.
import { z } from "zod";
import { list, part, text, whole } from "./values.ts";

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** To be given for the next page; `undefined` on the last. A short page need not be the last. */
  readonly after: string | undefined;
}

/** A page of at most so many entries; those that cannot be read are left out, as are any more than were asked for. */
export function pageOf<T>(entry: z.ZodType<T>, most: number) {
  return z.object({
    data: list(entry).transform((entries) => entries.slice(0, most)),
    paging: part({ cursors: part({ after: text }), next: text }),
    summary: part({ total_count: whole }),
  });
}

/** So many pages in a row with nothing to be seen in them are gone through. */
const MOST_EMPTY = 4;

/**
 * Fetches a page; goes on where it is empty and yet not the last, as pages are whose entries may not be seen. A cursor
 * that leads to where it stands is the end.
 */
export async function findPage<P extends Page<unknown>>(
  after: string | undefined,
  fetch: (after: string | undefined) => Promise<P>,
): Promise<P> {
  for (let at = after, pages = 1; ; pages += 1) {
    const page = await fetch(at);
    const next = page.after === at ? undefined : page.after;
    if (page.items.length > 0 || next === undefined || pages > MOST_EMPTY) {
      return { ...page, after: next };
    }
    at = next;
  }
}

/** The cursor of the next page, if there is one. */
export function readAfter(
  paging:
    | {
        readonly cursors?: { readonly after?: string | undefined } | undefined;
        readonly next?: string | undefined;
      }
    | undefined,
): string | undefined {
  if (paging?.next === undefined) {
    return undefined;
  }
  return paging.cursors?.after ?? URL.parse(paging.next)?.searchParams.get("after") ?? undefined;
}
