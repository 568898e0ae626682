import { Temporal } from "temporal-polyfill";
import { ukInstantOf } from "../../core/uk-time.ts";

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
