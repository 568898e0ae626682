import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeMentions, namingAt } from "../../../../../sandbox/page/client/command/mentions.ts";
import { AROUND } from "./commands.ts";

describe("naming", () => {
  it("is seen where the caret stands", () => {
    expect(namingAt("hello @ad", 9)).toEqual({ sign: "@", typed: "ad", start: 6 });
    expect(namingAt("#tr and more", 3)).toEqual({ sign: "#", typed: "tr", start: 0 });
  });

  it.each(["a@b", "hello", "@ad ", ""])("is not seen in “%s”", (text) => {
    expect(namingAt(text, text.length)).toBeUndefined();
  });
});

describe("mentions", () => {
  it.each([
    ["@Ada", "<@1>"],
    ["hi @ada lovelace!", "hi <@2>!"],
    ["@Moderator, see #trains", "<@&3>, see <#4>"],
    ["@Adam a@Ada @nobody", "@Adam a@Ada @nobody"],
    ["<@1>", "<@1>"],
  ])("make of “%s” what Discord reads", (written, sent) => {
    expect(encodeMentions(written, AROUND)).toBe(sent);
  });

  it("leave every text alone that names nobody", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(encodeMentions(text, { people: [], roles: [], channels: [] })).toBe(text);
      }),
    );
  });
});
