// Finding secrets in every way of escaping text, in texts of any length.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/core/log.ts";
import { cases } from "../support/cases.ts";

/** Returns a text as it appears in the log. */
function redact(secrets: readonly string[], text: string): string {
  const line: unknown = JSON.parse(createRedactor(secrets)(JSON.stringify([text])));
  return String(Array.isArray(line) ? line[0] : line);
}

const percent = (character: string) => encodeURIComponent(character).replace(/^[!'()*-.~]$/, hexOf);
const hexOf = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
const unicode = (character: string) =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
const json = (text: string) => JSON.stringify(text).slice(1, -1);

/** Ways to write one character of a secret. */
const CHARACTER_FORMS: readonly ((character: string) => string)[] = [
  (character) => character,
  percent,
  (character) => percent(character).toUpperCase(),
  (character) => encodeURIComponent(percent(character)),
  unicode,
  (character) => json(unicode(character)),
  (character) => (character === " " ? "+" : json(character)),
  (character) => json(json(character)),
];

/** Ways to write a whole text. */
const TEXT_FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  json,
  (text) => json(json(text)),
  encodeURIComponent,
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => encodeURIComponent(json(text)),
  (text) => json(encodeURIComponent(text)),
  (text) => new URLSearchParams([["", text]]).toString().slice(1),
];

/** Characters that escaping changes. No secret starts or ends with a backslash, because those are not masked. */
const character = fc.oneof(
  fc.constantFrom("\\", "%", "+", " ", '"', "/", "u", "n", "2", "5", "c", "é", "🚆"),
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
);
const secret = fc
  .tuple(fc.array(character, { minLength: 4, maxLength: 30 }), fc.constantFrom("x", "%", '"', "🚆"))
  .map(([characters, last]) => `k${characters.join("")}${last}`);

describe("a secret", () => {
  test("is masked whole however the text is escaped", () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...TEXT_FORMS), (value, form) => {
        expect(redact([value], `<${form(value)}>`)).toBe("<[redacted]>");
      }),
      { numRuns: cases(1_000) },
    );
  });

  test("is masked whole even if each of its characters is escaped in a different way", () => {
    const forms = fc.infiniteStream(fc.constantFrom(...CHARACTER_FORMS));
    fc.assert(
      fc.property(secret, forms, (value, stream) => {
        const text = Array.from(value, (one) => stream.next().value?.(one) ?? one).join("");
        // The backslashes that escape the first character stay.
        expect(redact([value], `<${text}>`)).toMatch(/^<\\*\[redacted\]>$/);
      }),
      { numRuns: cases(1_000) },
    );
  });

  test("is masked in text without escapes, whatever its case", () => {
    expect(redact(["aSecretWord", "1234567"], "ASECRETWORD, aSecretWord and 12345678")).toBe(
      "[redacted], [redacted] and [redacted]8",
    );
  });

  test("is masked without the backslashes at its ends", () => {
    expect(redact(["\\\\a-secret\\"], "<\\\\a-secret\\>")).toBe("<\\\\[redacted]\\>");
    expect(redact(["\\\\\\a"], "a \\\\\\a")).toBe("a \\\\\\a");
  });
});

describe("a long text", () => {
  // An algorithm of quadratic complexity would take hours.
  const LENGTH = 300_000;
  const secrets = ["a-secret-word", "aaaaaaaa\\\\\\\\bbbb", "%25%25%25%2525x", "tükén\nnew p@ss+word"];

  test.each([
    ["backslashes", "\\"],
    ["backslashes after the beginning of a secret", `a${"\\".repeat(50)}`],
    ["backslashes inside of a secret", `aaaaaaaa${"\\".repeat(50)}b`],
    ["escaped backslashes", "\\u005c"],
    ["percent-encoded backslashes", "%5c"],
    ["percent signs", "%"],
    ["repeatedly encoded percent signs", "%2525252525"],
    ["the beginnings of a secret", "aaaaaaaa"],
    ["names of parameters", "token="],
  ])("of %s is redacted in time", (_, part) => {
    const text = part.repeat(Math.ceil(LENGTH / part.length));
    const cleaned = redact(secrets, `${text} a-secret-word`);
    expect(cleaned).toMatch(/\[redacted\]$/);
  });

  test("of one repeated character is redacted in time", () => {
    for (const start of ["a\\", "a%", "%25", "/webhooks/1"]) {
      const text = `${start}${start.slice(-1).repeat(LENGTH)} a-secret-word`;
      expect(redact(secrets, text)).toMatch(/\[redacted\]$/);
    }
    expect(redact(secrets, `%${"25".repeat(LENGTH)} a-secret-word`)).toMatch(/\[redacted\]$/);
  });
});
