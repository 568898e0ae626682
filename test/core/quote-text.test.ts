import * as fc from "fast-check";
import { expect, test } from "vitest";
import { escapeMarkdown } from "../../src/core/reply.ts";
import { cutLine, quoteText } from "../../src/core/text.ts";
import { anyCharacter } from "../support/any-character.ts";

test("a quote has ordinary words unchanged", () => {
  expect(quoteText("  Kings   Cross\n")).toBe("Kings Cross");
});

test("a quote has formatting, links and mentions escaped", () => {
  expect(quoteText("**@everyone** <@1> [x](http://y)")).toBe(
    "\\*\\*\\@everyone\\*\\* \\<\\@1\\> \\[x\\]\\(http\\://y\\)",
  );
});

test("escaped and cut texts have no characters that reverse the text around them", () => {
  expect(escapeMarkdown("Nice\u202e \u2067(0)")).toBe("Nice \\(0\\)");
  expect(escapeMarkdown("\u200fשלום\u200e!")).toBe("\u200fשלום\u200e!");
  expect(cutLine("Nice\u202esrebmem\u2066", 100)).toBe("Nicesrebmem");
});

test("a quote is cut after 40 characters, without splitting an emoji", () => {
  expect(quoteText("🚂".repeat(50))).toBe(`${"🚂".repeat(40)}…`);
});

test("a quote of any text is one short, well-formed line", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 600 }), (text) => {
      const quote = quoteText(text);
      expect(quote.isWellFormed()).toBe(true);
      expect(quote).not.toMatch(/[\p{Cc}\n]/u);
      expect(Array.from(quote.replaceAll("\\", "")).length).toBeLessThanOrEqual(41);
    }),
  );
});
