import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeMentions,
  encodeMentions,
  namingAt,
} from "../../../../../sandbox/page/client/command/mentions.ts";
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

  it.each([
    ["hi <@2>!", "hi @Ada Lovelace!"],
    ["<@!1> and <@&3>, see <#4>", "@Ada and @Moderator, see #trains"],
    ["<@77> <@&1> <#1> <t:1:R>", "<@77> <@&1> <#1> <t:1:R>"],
  ])("make of “%s” what a person reads and writes", (sent, written) => {
    expect(decodeMentions(sent, AROUND)).toBe(written);
  });

  it("stay the same when what was sent is written again", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("<@1>", "<@2>", "<@&3>", "<#4>", "hello", "<@9>", "#4")),
        (parts) => {
          const sent = parts.join(" ");
          expect(encodeMentions(decodeMentions(sent, AROUND), AROUND)).toBe(sent);
        },
      ),
    );
  });

  it("leave every text alone that names nobody", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(encodeMentions(text, { people: [], roles: [], channels: [] })).toBe(text);
      }),
    );
  });
});
