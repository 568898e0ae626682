// Lists that come in pages. The service's link to the next page holds the token: only the cursor is taken out of it.
import { z } from "zod";
import { list, part, text } from "./values.ts";

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** To be given for the next page; `undefined` on the last. A short page need not be the last. */
  readonly after: string | undefined;
}

/** A page of entries; those that cannot be read are left out. */
export function pageOf<T>(entry: z.ZodType<T>) {
  return z.object({
    data: list(entry),
    paging: part({ cursors: part({ after: text }), next: text }),
    summary: part({ total_count: z.number().optional().catch(undefined) }),
  });
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
