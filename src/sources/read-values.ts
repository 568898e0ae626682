// Schemas for the fields of services' answers. A malformed field counts as absent, so that it does not spoil the answer.
import { z } from "zod";
import { ukInstantOf } from "../time/uk-time.ts";

/** A text. A number becomes a text; an empty text counts as absent. */
export const looseText = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim() || undefined)
  .optional()
  .catch(undefined);

export function looseTexts<Name extends string>(...names: readonly Name[]) {
  // Built from exactly these names.
  return Object.fromEntries(names.map((name) => [name, looseText])) as Record<Name, typeof looseText>;
}

/** A number, or a text that contains one. */
export const looseNumber = z
  .union([z.number(), z.string().trim().min(1).transform(Number)])
  .pipe(z.number().refine(Number.isFinite))
  .optional()
  .catch(undefined);

/** A list whose entries are parsed later, one by one. */
export const looseList = z.array(z.unknown()).optional().catch(undefined);

export const looseFlag = z.boolean().optional().catch(undefined);

/** Reads a date and time in ISO 8601, in UK time if it has no offset; `undefined` for any other text. */
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

/**
 * The time on this date, given what the time would mean without one. A date decides only if it moves the time by more than
 * an hour, because a date cannot tell apart the two hours that UK clocks show twice.
 */
export function withDate(
  date: string | undefined,
  time: string | undefined,
  undated: Temporal.Instant | undefined,
): Temporal.Instant | undefined {
  const dated = readInstant(`${date}T${time}`);
  const isSame = dated && undated && Math.abs(undated.since(dated).total("hours")) <= 1;
  return isSame ? undated : (dated ?? undated);
}

/** Whether an operator's status means that all is well, e.g. `GOOD SERVICE`, `Running normally`. */
export function isGoodState(state: string): boolean {
  return /^(?:good|normal|ok\b|okay|on time|running (?:normally|well)|no (?:known |reported )?(?:issues|disruptions?|problems|delays)|open$|clear$|operating normally)/i.test(
    state.replaceAll(/[_-]+/g, " ").trim(),
  );
}
