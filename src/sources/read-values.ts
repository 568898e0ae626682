// Values as services write them: a field that is odd counts as absent, because one odd field must not cost an answer.
import { z } from "zod";
import { ukInstantOf } from "../time/uk-time.ts";

/** A text; a number is written out, an empty text is absent. */
export const looseText = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim() || undefined)
  .optional()
  .catch(undefined);

/** Fields of a schema that are all {@link looseText}. */
export function looseTexts<Name extends string>(...names: readonly Name[]) {
  // Built from exactly these names.
  return Object.fromEntries(names.map((name) => [name, looseText])) as Record<Name, typeof looseText>;
}

/** A number, also when it is written as a text. */
export const looseNumber = z
  .union([z.number(), z.string().trim().min(1).transform(Number)])
  .pipe(z.number().refine(Number.isFinite))
  .optional()
  .catch(undefined);

/** A list whose entries are read one by one later. */
export const looseList = z.array(z.unknown()).optional().catch(undefined);

export const looseFlag = z.boolean().optional().catch(undefined);

/** A moment in ISO 8601, with any offset, or in UK time where it has none; `undefined` for anything else. */
export function readInstant(text: string | undefined): Temporal.Instant | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)) {
    return undefined;
  }
  try {
    return Temporal.Instant.from(text);
  } catch {
    return readLocal(text);
  }
}

function readLocal(text: string): Temporal.Instant | undefined {
  try {
    return ukInstantOf(Temporal.PlainDateTime.from(text));
  } catch {
    return undefined;
  }
}

/** What a time alone means, unless it has a date that is further away than the hour that may come twice. */
export function withDate(
  date: string | undefined,
  time: string | undefined,
  undated: Temporal.Instant | undefined,
): Temporal.Instant | undefined {
  const dated = readInstant(`${date}T${time}`);
  const isSame = dated && undated && Math.abs(undated.since(dated).total("hours")) <= 1;
  return isSame ? undated : (dated ?? undated);
}

/** Whether an operator's words report that all is well, e.g. `GOOD SERVICE`, `Running normally`. */
export function isGoodState(state: string): boolean {
  return /^(?:good|normal|ok\b|okay|on time|running (?:normally|well)|no (?:known |reported )?(?:issues|disruptions?|problems|delays)|open$|clear$|operating normally)/i.test(
    state.replaceAll(/[_-]+/g, " ").trim(),
  );
}
