// Checks a few rules for members' text that a program can check. Everything else needs a reader: `npm exec -- node
// test/support/sentences.ts` prints all of it.
import { describe, expect, it } from "vitest";
import { readCommands } from "../src/discord/read-commands.ts";
import { type CommandBody, formatCommand } from "../src/discord/payload.ts";
import { sentences, sentencesOf } from "./support/sentences.ts";

const commands = await readCommands(new URL("../commands", import.meta.url));
const COMMAND = new RegExp(
  `(?<![\\w\`/.:<>{}])/(?:${commands.map(({ name }) => name).join("|")})(?![\\w/-]|\\.\\w)`,
);
const all = sentences();

/** Each rule with the correct form. */
const RULES: readonly (readonly [string, RegExp])[] = [
  [
    "contractions",
    /\b(?:cannot|(?:do|does|did|is|are|was|were|could|would|will|has|have) not|I am|I will)\b|\b(?:It|That|There) is\b(?! (?:not|still)\b)|[,:] (?:it|that|there) is\b/,
  ],
  ["curly quotes", /(?<![=\w\\])"[\p{L}{]|\p{L}"(?![=\w])|(?<!\w)'\p{L}+'(?!\w)/u],
  ["single spaces", /\S {2,}\S/],
  ["no space before punctuation", / [,;:!?%](?: |$)/],
  ["ellipsis characters", /\.\.\./],
  ["“right now” or “this time” instead of “just now”", /\bjust now\b/i],
  [
    "plain words",
    /\b(?:unless you say|whoever|whatever you|please wait while|anew|is told|are told|in vain|hereby)\b/i,
  ],
  ["the names of services", /\b[Tt]he service(?:'s)? \w/],
];

describe("the text for members", () => {
  it.each(RULES)("has %s", (_, rule) => {
    const breaches = all
      .filter(({ text }) => rule.test(text))
      .map(({ file, line, text }) => `${file}:${line} ${text}`);
    expect(breaches).toEqual([]);
  });

  it.each([
    ["commands in code formatting, so that they become links", COMMAND],
    ["the names of buttons in bold", /\b[Pp]ress(?:ing)? \p{Lu}/u],
  ] as const)("has %s", (_, rule) => {
    const breaches = all.filter(({ text, isPlain }) => !isPlain && rule.test(text));
    expect(breaches.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([]);
  });

  it("describes commands and options within Discord's limit, with a capital letter and without a full stop", () => {
    const descriptions = commands.flatMap((command) => formatCommand(command, true)).flatMap(descriptionsOf);
    expect(descriptions.length).toBeGreaterThan(100);
    expect(
      descriptions.filter((text) => text.length > 100 || !/^[\p{Lu}\d“]/u.test(text) || /[^.]\.$/.test(text)),
    ).toEqual([]);
  });
});

describe("the list of sentences", () => {
  it("contains literals and templates, including nested ones, but no code, comments or patterns", () => {
    const source = [
      'import x from "./not this one.ts"; // "nor a comment"',
      'const a = /"[^"]+ in a pattern"/.test(b) ? "Yes, it is one" : `No, ${isTwo ? "there are two" : `only ${n} of them`} here`;',
      'log.info({}, "not for members"); throw new Error("nor this one");',
      'const field = { label: "How many trains" };',
    ].join("\n");
    expect(sentencesOf("a.ts", source).map(({ line, text, isPlain }) => [line, text, isPlain])).toEqual([
      [2, "Yes, it is one", false],
      [2, "there are two", false],
      [2, "only {} of them", false],
      [2, "No, {} here", false],
      [4, "How many trains", true],
    ]);
  });

  it("contains more than 1,000 sentences, among them a known one", () => {
    expect(all.length).toBeGreaterThan(1_000);
    expect(all.map(({ text }) => text)).toContain("Paused. The board won't update until you resume it.");
  });
});

interface Described {
  readonly description?: string;
  readonly options?: readonly unknown[];
}

function descriptionsOf(body: CommandBody | Described): readonly string[] {
  const options = (body.options ?? []) as readonly Described[];
  return [...(body.description === undefined ? [] : [body.description]), ...options.flatMap(descriptionsOf)];
}
