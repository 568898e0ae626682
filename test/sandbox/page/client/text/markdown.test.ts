import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Inline, parseInline } from "../../../../../sandbox/page/client/text/markdown-inline.ts";
import { parseMarkdown } from "../../../../../sandbox/page/client/text/markdown.ts";

const text = (words: string): Inline => ({ type: "text", text: words });

/** The text of the nodes without formatting. */
function wordsOf(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => ("text" in node ? node.text : "children" in node ? wordsOf(node.children) : ""))
    .join("");
}

/** Random text of the characters that markdown uses, so that its rules occur in every combination. */
const markdownish = fc.string({ unit: fc.constantFrom(..."*_~|`<>[]()\\:#-\n /t@&ab1h.".split("")) });

describe("the inline parser", () => {
  it.each<[string, Inline[]]>([
    ["**bold**", [{ type: "strong", children: [text("bold")] }]],
    [
      "*it* _it_",
      [{ type: "emphasis", children: [text("it")] }, text(" "), { type: "emphasis", children: [text("it")] }],
    ],
    ["~~gone~~", [{ type: "strike", children: [text("gone")] }]],
    ["__under__", [{ type: "underline", children: [text("under")] }]],
    ["||who||", [{ type: "spoiler", children: [text("who")] }]],
    ["`**code**`", [{ type: "code", text: "**code**" }]],
    ["***both***", [{ type: "strong", children: [{ type: "emphasis", children: [text("both")] }] }]],
    [
      "[York](https://example.org/yrk)",
      [{ type: "link", url: "https://example.org/yrk", children: [text("York")] }],
    ],
    [
      "see https://example.org.",
      [
        text("see "),
        { type: "link", url: "https://example.org", children: [text("https://example.org")] },
        text("."),
      ],
    ],
    ["<t:1700000000:R>", [{ type: "timestamp", seconds: 1_700_000_000, style: "R" }]],
    ["<t:1700000000>", [{ type: "timestamp", seconds: 1_700_000_000, style: "f" }]],
    [
      "<@12> <@&34> <#56>",
      [
        { type: "mention", kind: "user", id: "12" },
        text(" "),
        { type: "mention", kind: "role", id: "34" },
        text(" "),
        { type: "mention", kind: "channel", id: "56" },
      ],
    ],
    [
      "@everyone, @here",
      [{ type: "everyone", name: "everyone" }, text(", "), { type: "everyone", name: "here" }],
    ],
    ["</board subscribe:9>", [{ type: "command", name: "board subscribe", id: "9" }]],
  ])("parses %s", (line, expected) => {
    expect(parseInline(line)).toEqual(expected);
  });

  it.each([
    "snake_case_name",
    "2 * 3 * 4",
    "**open",
    "[x](javascript:alert(1))",
    "[x](data:text/html,x)",
    "<t:soon:R>",
    "@everyones",
    "``",
  ])("leaves %s as plain text", (line) => {
    expect(parseInline(line)).toEqual([text(line)]);
  });

  it("leaves text plain if all its punctuation is escaped", () => {
    fc.assert(
      fc.property(fc.string(), (words) => {
        const escaped = words.replaceAll(/[^\sA-Za-z0-9]/gu, (one) => (one.length === 1 ? `\\${one}` : one));
        expect(wordsOf(parseInline(escaped.replaceAll("http", String.raw`htt\-p`)))).toBe(
          words.replaceAll("http", "htt-p"),
        );
      }),
    );
  });

  it("makes links to http and https only", () => {
    const linksOf = (nodes: readonly Inline[]): string[] =>
      nodes.flatMap((node) => [
        ...(node.type === "link" ? [node.url] : []),
        ...("children" in node ? linksOf(node.children) : []),
      ]);
    const address = fc.tuple(
      fc.constantFrom("javascript:", "data:", "https://", "http://", "file:///"),
      markdownish,
    );
    fc.assert(
      fc.property(address, markdownish, ([scheme, rest], before) => {
        for (const url of linksOf(parseInline(`${before}[a](${scheme}${rest}) <${scheme}${rest}>`))) {
          expect(url).toMatch(/^https?:\/\//);
        }
      }),
    );
  });
});

describe("the markdown parser", () => {
  it("divides a text into headings, subtext, lists, quotes, code blocks and paragraphs", () => {
    const blocks = parseMarkdown(
      "# York\nfirst\nsecond\n- a\n  - b\n3. c\n> said\n-# small\n```ts\nlet x;\n```\nend",
    );
    expect(blocks).toEqual([
      { type: "heading", level: 1, children: [text("York")] },
      { type: "paragraph", children: [text("first\nsecond")] },
      {
        type: "list",
        start: undefined,
        items: [
          { indent: 0, children: [text("a")] },
          { indent: 1, children: [text("b")] },
        ],
      },
      { type: "list", start: 3, items: [{ indent: 0, children: [text("c")] }] },
      { type: "quote", children: [text("said")] },
      { type: "subtext", children: [text("small")] },
      { type: "codeBlock", language: "ts", text: "let x;" },
      { type: "paragraph", children: [text("end")] },
    ]);
  });

  it("allows emphasis and spoilers to extend over several lines", () => {
    expect(parseMarkdown("**a\nb**\n||c\nd||")).toEqual([
      {
        type: "paragraph",
        children: [
          { type: "strong", children: [text("a\nb")] },
          text("\n"),
          { type: "spoiler", children: [text("c\nd")] },
        ],
      },
    ]);
  });

  it("quotes everything after >>>", () => {
    expect(parseMarkdown("before\n>>> one\n# two")).toEqual([
      { type: "paragraph", children: [text("before")] },
      { type: "quote", children: [text("one\n# two")] },
    ]);
  });

  it("keeps the spaces in a code block", () => {
    expect(parseMarkdown("```\n17:24  York   **5**\n```")).toEqual([
      { type: "codeBlock", language: "", text: "17:24  York   **5**" },
    ]);
  });

  it("keeps every letter and digit of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."*_~|`>#- \nabc1".split("")) }), (words) => {
        const read = parseMarkdown(words)
          .map((block) => {
            if (block.type === "codeBlock") {
              return block.language + block.text;
            }
            return block.type === "list"
              ? (block.start ?? "") + block.items.map(({ children }) => wordsOf(children)).join("")
              : wordsOf(block.children);
          })
          .join("");
        expect(read.replaceAll(/[^abc1]/g, "")).toBe(words.replaceAll(/[^abc1]/g, ""));
      }),
    );
  });

  it("parses the longest text that Discord allows", () => {
    for (const unit of ["*", "_a", "[", "**a", "`", "<", "\\*", "||", "*_~~"]) {
      expect(() => parseMarkdown(unit.repeat(4000 / unit.length))).not.toThrow();
    }
  });
});
