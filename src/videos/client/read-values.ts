// Values as the service writes them. One odd field counts as absent, because it must not cost an answer.
import { z } from "zod";

/** Beyond it there are no days: writing such a moment down would fail. */
const LAST_MOMENT_MS = 8_640_000_000_000_000;

/** An id: digits, too many for a number. One that came as a number has kept them all: see `parseExactJson`. */
export const idValue = z.union([z.string().trim().min(1), z.int().transform(String)]);

/** The same, or absent. */
export const looseId = idValue.optional().catch(undefined);

/** The id of something that can be asked for: it goes into paths. */
export const objectId = idValue.pipe(z.string().regex(/^[\w-]{1,100}$/));

export const looseText = z
  .string()
  .transform((value) => value.trim() || undefined)
  .optional()
  .catch(undefined);

export const looseFlag = z.boolean().optional().catch(undefined);

/** A number that may be written as a text, as offsets are, and that makes sense. */
export const amount = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d+(?:\.\d+)?$/)
      .transform(Number),
  ])
  .pipe(z.number().nonnegative().max(Number.MAX_SAFE_INTEGER));

/** The same, or absent. */
export const looseAmount = amount.optional().catch(undefined);

/** How many there are of something: there are no halves. */
export const looseInteger = amount.pipe(z.int()).optional().catch(undefined);

/** A moment in milliseconds since the epoch, e.g. of `2026-03-04T17:20:00+0000`, or of seconds. */
export const looseTime = z
  .union([
    // The language's own reader makes a day of nearly anything that has a number in it.
    z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT/)
      .transform((value) => Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))),
    z
      .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
      .transform((seconds) => Math.round(seconds * 1000)),
  ])
  .pipe(z.number().min(-LAST_MOMENT_MS).max(LAST_MOMENT_MS))
  .optional()
  .catch(undefined);

export function looseObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).optional().catch(undefined);
}

/** A list whose odd entries are left out. */
export function looseList<T>(entry: z.ZodType<T>) {
  return z.array(z.unknown()).transform((entries) =>
    entries.flatMap((value) => {
      const read = entry.safeParse(value);
      return read.success ? [read.data] : [];
    }),
  );
}

// JSON whose ids keep all of their digits, also where they come as numbers.

/** What the parser hands over beside a value: for a number, how it was written. */
interface Written {
  readonly source?: string;
}

/** As `JSON.parse`, but a whole number beyond 2^53 stays a text: as a number it would be another video. */
export function parseExactJson(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown, written?: Written) => {
    const source = written?.source ?? "";
    return typeof value === "number" && !Number.isSafeInteger(value) && WHOLE.test(source) ? source : value;
  });
}

const WHOLE = /^-?\d+$/;

/** The same; `undefined` for what is no JSON: errors from upstream of the service often are not. */
export function parseJson(words: string): unknown {
  try {
    return parseExactJson(words);
  } catch {
    return undefined;
  }
}

// Lists that come in pages. The service's link to the next page holds the token: only the cursor is taken out of it.

export interface Page<T> {
  readonly items: readonly T[];
  /** To be given for the next page; `undefined` on the last. A short page need not be the last. */
  readonly after: string | undefined;
}

/** A page of at most this many entries; those that cannot be read are left out, as are any more than were asked for. */
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
    /** As the service counts; may be more than it ever shows. */
    total: summary?.total_count,
  }));
}

/** So many pages in a row with nothing to be seen in them are gone through. */
const MOST_EMPTY = 4;

/** Goes on where a page is empty and yet not the last. A cursor that leads to where it stands is the end. */
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
