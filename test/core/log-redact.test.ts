// Secrets in every form in which text is escaped, however much of it there is.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/core/log.ts";
import { cases } from "../support/cases.ts";

/** What is left of a text in a line of the log. */
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

/** Rich in what escaping is about. Backslashes are not at the ends, where none are masked. */
const character = fc.oneof(
  fc.constantFrom("\\", "%", "+", " ", '"', "/", "u", "n", "2", "5", "c", "é", "🚆"),
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
);
const secret = fc
  .tuple(fc.array(character, { minLength: 4, maxLength: 30 }), fc.constantFrom("x", "%", '"', "🚆"))
  .map(([characters, last]) => `k${characters.join("")}${last}`);

describe("a secret", () => {
  test("is found whole in every way to write a text", () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...TEXT_FORMS), (value, form) => {
        expect(redact([value], `<${form(value)}>`)).toBe("<[redacted]>");
      }),
      { numRuns: cases(1_000) },
    );
  });

  test("is found whole where each of its characters is written in another way", () => {
    const forms = fc.infiniteStream(fc.constantFrom(...CHARACTER_FORMS));
    fc.assert(
      fc.property(secret, forms, (value, stream) => {
        const text = Array.from(value, (one) => stream.next().value?.(one) ?? one).join("");
        // What escapes the first character is no part of it.
        expect(redact([value], `<${text}>`)).toMatch(/^<\\*\[redacted\]>$/);
      }),
      { numRuns: cases(1_000) },
    );
  });

  test("is found in a text without any escape, whatever its case", () => {
    expect(redact(["aSecretWord", "1234567"], "ASECRETWORD, aSecretWord and 12345678")).toBe(
      "[redacted], [redacted] and [redacted]8",
    );
  });

  test("that has backslashes at its ends is masked without them", () => {
    expect(redact(["\\\\a-secret\\"], "<\\\\a-secret\\>")).toBe("<\\\\[redacted]\\>");
    expect(redact(["\\\\\\a"], "a \\\\\\a")).toBe("a \\\\\\a");
  });
});

describe("a long text", () => {
  // Work that grew with the square of these lengths would take hours.
  const LENGTH = 300_000;
  const secrets = ["a-secret-word", "aaaaaaaa\\\\\\\\bbbb", "%25%25%25%2525x", "tükén\nnew p@ss+word"];

  test.each([
    ["backslashes", "\\"],
    ["backslashes after the beginning of a secret", `a${"\\".repeat(50)}`],
    ["backslashes inside of a secret", `aaaaaaaa${"\\".repeat(50)}b`],
    ["escaped backslashes", "\\u005c"],
    ["percent-encoded backslashes", "%5c"],
    ["percent signs", "%"],
    ["percent signs, encoded again and again", "%2525252525"],
    ["the beginnings of a secret", "aaaaaaaa"],
    ["names of parameters", "token="],
  ])("of %s is cleaned in time", (_, part) => {
    const text = part.repeat(Math.ceil(LENGTH / part.length));
    const cleaned = redact(secrets, `${text} a-secret-word`);
    expect(cleaned).toMatch(/\[redacted\]$/);
  });

  test("of one character is cleaned in time", () => {
    for (const start of ["a\\", "a%", "%25", "/webhooks/1"]) {
      const text = `${start}${start.slice(-1).repeat(LENGTH)} a-secret-word`;
      expect(redact(secrets, text)).toMatch(/\[redacted\]$/);
    }
    expect(redact(secrets, `%${"25".repeat(LENGTH)} a-secret-word`)).toMatch(/\[redacted\]$/);
  });
});
