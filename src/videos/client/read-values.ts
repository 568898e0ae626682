// Values as the service writes them. A loose value of the wrong shape counts as absent, so that the rest of
// the answer can still be used.
import { z } from "zod";

/** The last time that a Date can represent; formatting a later one would throw. */
const LAST_TIME_MS = 8_640_000_000_000_000;

export function loose<T>(value: z.ZodType<T>) {
  return value.optional().catch(undefined);
}

/** An id has more digits than a number can hold. `parseExactJson` keeps them all. */
export const idValue = z.union([z.string().trim().min(1), z.int().transform(String)]);

export const looseId = loose(idValue);

/** The id of an object that can be requested, safe to use in a path. */
export const objectId = idValue.pipe(z.string().regex(/^[\w-]{1,100}$/));

export const looseText = loose(z.string().transform((value) => value.trim() || undefined));

export const looseFlag = loose(z.boolean());

/** A non-negative number, which may be written as a string, as offsets are. */
export const amount = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d+(?:\.\d+)?$/)
      .transform(Number),
  ])
  .pipe(z.number().nonnegative().max(Number.MAX_SAFE_INTEGER));

export const looseAmount = loose(amount);

export const looseInteger = loose(amount.pipe(z.int()));

/** A time in milliseconds since the epoch, from e.g. `2026-03-04T17:20:00+0000`, or from seconds. */
export const looseTime = loose(
  z
    .union([
      // `Date.parse` accepts nearly anything that contains a number, so the form is checked first.
      z
        .string()
        .regex(/^\d{4}-\d\d-\d\dT/)
        .transform((value) => Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))),
      z
        .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
        .transform((seconds) => Math.round(seconds * 1000)),
    ])
    .pipe(z.number().min(-LAST_TIME_MS).max(LAST_TIME_MS)),
);

export function looseObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return loose(z.object(shape));
}

/** A list; entries of the wrong shape are left out. */
export function looseList<T>(entry: z.ZodType<T>) {
  return z.array(z.unknown()).transform((entries) =>
    entries.flatMap((value) => {
      const read = entry.safeParse(value);
      return read.success ? [read.data] : [];
    }),
  );
}

// JSON whose ids keep all of their digits, even if they are written as numbers.

/** As `JSON.parse`, but an integer beyond 2^53 becomes a string: rounded, it would be another video's id. */
export function parseExactJson(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown, written?: { readonly source?: string }) => {
    const source = written?.source ?? "";
    return typeof value === "number" && !Number.isSafeInteger(value) && WHOLE.test(source) ? source : value;
  });
}

const WHOLE = /^-?\d+$/;

/** As {@link parseExactJson}; `undefined` if it is not JSON, e.g. the error page of a proxy before the service. */
export function parseJson(words: string): unknown {
  try {
    return parseExactJson(words);
  } catch {
    return undefined;
  }
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; `undefined` on the last page. A short page may not be the last. */
  readonly after: string | undefined;
}

/** Unreadable entries are left out, and so are any beyond the number that was requested. */
export function pageOf<T>(entry: z.ZodType<T>, most: number) {
  const answer = z.object({
    data: looseList(entry),
    paging: looseObject({ cursors: looseObject({ after: looseText }), next: looseText }),
    summary: looseObject({ total_count: looseInteger }),
  });
  return answer.transform(({ data, paging, summary }) => ({
    items: data.slice(0, most),
    after:
      paging?.next &&
      (paging.cursors?.after ?? URL.parse(paging.next)?.searchParams.get("after") ?? undefined),
    /** The service's own count, which may include entries that it never shows. */
    total: summary?.total_count,
  }));
}

/** The most consecutive empty pages that are skipped. */
const MAX_EMPTY = 4;

/** Fetches a page; skips an empty one that is not the last. A cursor that leads to its own page ends the list. */
export async function findPage<P extends Page<unknown>>(
  after: string | undefined,
  fetch: (after: string | undefined) => Promise<P>,
): Promise<P> {
  for (let at = after, pages = 1; ; pages += 1) {
    const page = await fetch(at);
    const next = page.after === at ? undefined : page.after;
    if (page.items.length > 0 || next === undefined || pages > MAX_EMPTY) {
      return { ...page, after: next };
    }
    at = next;
  }
}
