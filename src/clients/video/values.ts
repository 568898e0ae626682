// Values as the service writes them. One odd field counts as absent, because it must not cost an answer.
import { z } from "zod";

/** An id: digits, too many for a number. A number that still holds all of its digits is taken too. */
export const idText = z
  .union([z.string().trim().min(1), z.int().transform(String)])
  .optional()
  .catch(undefined);

/** A text; an empty one is absent. */
export const text = z
  .string()
  .transform((value) => value.trim() || undefined)
  .optional()
  .catch(undefined);

export const flag = z.boolean().optional().catch(undefined);

/** A number that may be written as a text, as offsets are. */
export const count = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d+(?:\.\d+)?$/)
      .transform(Number),
  ])
  .pipe(z.number().nonnegative())
  .optional()
  .catch(undefined);

/** A moment in milliseconds since the epoch, e.g. of `2026-03-04T17:20:00+0000`, or of seconds. */
export const moment = z
  .union([
    z.string().transform((value) => Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))),
    z.number().transform((seconds) => seconds * 1000),
  ])
  .pipe(z.number())
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
