import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeMentions, namesFor, mentionAt } from "../../../../../sandbox/page/client/command/mentions.ts";
import { DIRECTORY } from "./commands.ts";

describe("a mention that is being typed", () => {
  it("is found at the caret", () => {
    expect(mentionAt("hello @ad", 9)).toEqual({ sign: "@", typed: "ad", start: 6 });
    expect(mentionAt("#tr and more", 3)).toEqual({ sign: "#", typed: "tr", start: 0 });
  });

  it.each(["a@b", "hello", "@ad ", ""])("is not found in “%s”", (text) => {
    expect(mentionAt(text, text.length)).toBeUndefined();
  });
});

describe("offered names", () => {
  it("contain no name twice, although a bot and its role have the same name", () => {
    const directory = { ...DIRECTORY, roles: [...DIRECTORY.roles, { id: "9", name: "Ada" }] };
    const mention = { sign: "@", typed: "ad", start: 0 } as const;
    expect(namesFor(mention, directory)).toEqual([
      { name: "Ada", value: "1" },
      { name: "Ada Lovelace", value: "2" },
    ]);
  });

  it("are channels after a #", () => {
    expect(namesFor({ sign: "#", typed: "N", start: 0 }, DIRECTORY)).toEqual([{ name: "news", value: "5" }]);
  });
});

describe("a message's mentions", () => {
  it.each([
    ["@Ada", "<@1>"],
    ["hi @ada lovelace!", "hi <@2>!"],
    ["@Moderator, see #trains", "<@&3>, see <#4>"],
    ["@Adam a@Ada @nobody", "@Adam a@Ada @nobody"],
    ["<@1>", "<@1>"],
  ])("are encoded for Discord in “%s”", (written, sent) => {
    expect(encodeMentions(written, DIRECTORY)).toBe(sent);
  });

  it("leave a text without known names unchanged", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(encodeMentions(text, { people: [], roles: [], channels: [] })).toBe(text);
      }),
    );
  });
});
