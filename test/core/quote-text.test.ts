import * as fc from "fast-check";
import { expect, test } from "vitest";
import { quoteText } from "../../src/core/text.ts";

test("keeps ordinary words as they are", () => {
  expect(quoteText("  Kings   Cross\n")).toBe("Kings Cross");
});

test("takes the force out of formatting, links and mentions", () => {
  expect(quoteText("**@everyone** <@1> [x](http://y)")).toBe(
    "\\*\\*\\@everyone\\*\\* \\<\\@1\\> \\[x\\]\\(http\\://y\\)",
  );
});

test("cuts after 40 characters without halving an emoji", () => {
  expect(quoteText("🚂".repeat(50))).toBe(`${"🚂".repeat(40)}…`);
});

test("is one short well-formed line for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), (text) => {
      const quote = quoteText(text);
      expect(quote.isWellFormed()).toBe(true);
      expect(quote).not.toMatch(/[\p{Cc}\n]/u);
      expect(Array.from(quote.replaceAll("\\", "")).length).toBeLessThanOrEqual(41);
    }),
  );
});
