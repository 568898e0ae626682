// Values as the service writes them. One odd field counts as absent, because it must not cost an answer.
import { z } from "zod";

/** Beyond it there are no days: to write such a moment down would fail. */
const LAST_MOMENT_MS = 8_640_000_000_000_000;

/** An id: digits, too many for a number. One that came as a number has kept them all: see `exact-json.ts`. */
export const idText = z
  .union([z.string().trim().min(1), z.int().transform(String)])
  .optional()
  .catch(undefined);

/** The id of something that can be asked for: it goes into paths. */
export const objectId = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().regex(/^[\w-]{1,100}$/));

/** A text; an empty one is absent. */
export const text = z
  .string()
  .transform((value) => value.trim() || undefined)
  .optional()
  .catch(undefined);

export const flag = z.boolean().optional().catch(undefined);

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
export const count = amount.optional().catch(undefined);

/** How many there are of something: there are no halves. */
export const whole = amount.pipe(z.int()).optional().catch(undefined);

/** A moment in milliseconds since the epoch, e.g. of `2026-03-04T17:20:00+0000`, or of seconds. */
export const moment = z
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

/** Something with these fields, or absent. */
export function part<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).optional().catch(undefined);
}

/** A list whose odd entries are left out. */
export function list<T>(entry: z.ZodType<T>) {
  return z.array(z.unknown()).transform((entries) =>
    entries.flatMap((value) => {
      const read = entry.safeParse(value);
      return read.success ? [read.data] : [];
    }),
  );
}
