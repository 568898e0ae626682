import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../../../../../sandbox/page/client/text/markdown.ts";
import { plainText } from "../../../../../sandbox/page/client/text/plain-text.ts";

/** 2026-11-18 17:20 UTC. */
const NOW_MS = Date.UTC(2026, 10, 18, 17, 20);
const NAMES = {
  user: (id: string) => (id === "1" ? "Signalbox" : undefined),
  role: (id: string) => (id === "2" ? "Crew" : undefined),
  channel: (id: string) => (id === "3" ? "trains" : undefined),
};
const wordsOf = (text: string) => plainText(parseMarkdown(text), NAMES, NOW_MS);

describe("plain text", () => {
  it.each([
    ["<@1> please publish this", "@Signalbox please publish this"],
    ["<@!1>, <@&2> and <@9>", "@Signalbox, @Crew and @unknown"],
    ["How it goes is told in <#3>.", "How it goes is told in #trains."],
    ["</video list:55> shows it", "/video list shows it"],
    [`Published <t:${NOW_MS / 1000 - 120}:R>.`, "Published 2 minutes ago."],
    ["### A **bold** title\n-# by ~~nobody~~\n> quoted", "A bold title\nby nobody\nquoted"],
    ["1 > 0, and #trains", "1 > 0, and #trains"],
    [
      "By [the railway](https://example.org/): call snake_case_names",
      "By the railway: call snake_case_names",
    ],
  ])("of %j is %j", (text, words) => {
    expect(wordsOf(text)).toBe(words);
  });

  it("never shows the id of a mention, whatever text surrounds it", () => {
    fc.assert(
      // Mentions in code, or after a backslash, are shown as they were typed.
      fc.property(fc.stringMatching(/^[^`\\]*$/), fc.stringMatching(/^[^`\\]*$/), (before, after) => {
        expect(wordsOf(`${before}<@716803198156800001>${after}`)).not.toContain("716803198156800001");
      }),
    );
  });
});
