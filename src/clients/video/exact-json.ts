// JSON whose ids keep all of their digits, also where they come as numbers.

/** What the parser hands over beside a value: for a number, how it was written. */
interface Written {
  readonly source?: string;
}

/**
 * As `JSON.parse`, but a whole number beyond 2^53 stays the text that it was, e.g. `10203040506070809`: as a number it
 * would be another video. Throws SyntaxError.
 */
export function parseExactJson(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown, written?: Written) => {
    const source = written?.source ?? "";
    return typeof value === "number" && !Number.isSafeInteger(value) && WHOLE.test(source) ? source : value;
  });
}

const WHOLE = /^-?\d+$/;
