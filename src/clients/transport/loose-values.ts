// Values as the service writes them: a field that is odd counts as absent, because one odd field must not cost an answer.
import { z } from "zod";

/** A text; a number is written out, an empty text is absent. */
export const looseText = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim() || undefined)
  .optional()
  .catch(undefined);

/** A number, also when it is written as a text. */
export const looseNumber = z
  .union([z.number(), z.string().trim().min(1).transform(Number)])
  .pipe(z.number().refine(Number.isFinite))
  .optional()
  .catch(undefined);

/** A list whose entries are judged one by one later. */
export const looseList = z.array(z.unknown()).optional().catch(undefined);
