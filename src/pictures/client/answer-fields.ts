// Finds its way through an answer of unknown shape: nothing here throws, whatever JSON it meets.
export type Fields = Readonly<Record<string, unknown>>;

/** What an answer may be wrapped in, e.g. `{"data":{"url":"…"}}`. */
const WRAPPERS = ["data", "result", "response", "output", "image", "prediction"] as const;
/** No service wraps deeper; a hostile answer might. */
const DEEPEST_WRAPPER = 3;
/** Enough to recognise the shape from the log. */
const MOST_KEYS = 12;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The answer itself and what it wraps, outermost first: where a status, an error or an id may stand. */
export function listFrames(body: unknown, depth = 0): readonly Fields[] {
  if (!isFields(body) || depth > DEEPEST_WRAPPER) {
    return [];
  }
  return [body, ...WRAPPERS.flatMap((key) => listFrames(body[key], depth + 1))];
}

/** The first of these fields, in any frame, that `read` can use. */
export function firstField<T>(
  frames: readonly Fields[],
  keys: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const frame of frames) {
    for (const key of keys) {
      const found = read(frame[key]);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

/** A text that is not empty. */
export function readText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** A number, also when it is written as a text, with or without a per cent sign. */
export function readNumber(value: unknown): number | undefined {
  const isNumber =
    typeof value === "number" || (typeof value === "string" && /^\s*-?\d+(?:\.\d+)?\s*%?\s*$/.test(value));
  const number = isNumber ? Number.parseFloat(String(value)) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** For logs: which fields an answer has, never what is in them. A key that is no plain word might be a value. */
export function describeKeys(body: unknown): string {
  if (!isFields(body)) {
    return Array.isArray(body) ? "a list" : `a ${body === null ? "null" : typeof body}`;
  }
  const keys = listFrames(body).flatMap((frame, index) =>
    Object.keys(frame).map(
      (key) => (/^[A-Za-z_][\w-]{0,39}$/.test(key) ? key : "?") + (index > 0 ? "*" : ""),
    ),
  );
  const more = keys.length > MOST_KEYS ? ", …" : "";
  return keys.length === 0 ? "no fields" : `the fields ${keys.slice(0, MOST_KEYS).join(", ")}${more}`;
}

// How much of an answer is taken in.

/**
 * The largest result. A sheet of A3 at 300 dots per inch (17 megapixels) is 5 to 10 MB as a JPEG and up to some 30 as
 * a PNG; more than that is never posted anyway, and each byte is held several times while it is unwrapped.
 */
export const MAX_PICTURE_BYTES = 32 * 1024 * 1024;

/** The largest answer: such a picture as base64 in JSON, with the fields around it. */
export const MAX_ANSWER_BYTES = Math.ceil(1.37 * MAX_PICTURE_BYTES) + 64 * 1024;
