// Gateway messages of kinds that members in the sandbox do not send.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fileTypeOf,
  isCalledByName,
  isHidden,
  isReplyToOthers,
  parseSentMessage,
  type Self,
} from "../../../src/discord/message-dispatch/message-event.ts";

const self: Self = {
  userId: "900",
  applicationId: "901",
  roleIn: (guildId) => (guildId === "500" ? "77" : undefined),
};

/** A message by Alan that mentions the bot in a server. */
const mention = {
  id: "1",
  channel_id: "3",
  guild_id: "500",
  type: 0,
  author: { id: "42", username: "alan" },
  member: { roles: [] },
  content: "<@900> look",
  mentions: [{ id: "43" }, { id: "900" }],
  mention_roles: [],
};

describe("a message of the gateway", () => {
  it.each<[string, object]>([
    ["mentions the bot", {}],
    ["replies and mentions the bot", { type: 19 }],
    ["mentions the bot's role", { mentions: [], mention_roles: ["77"] }],
    ["is a DM", { guild_id: undefined, mentions: [] }],
  ])("is meant for the bot if it %s", (_, change) => {
    expect(parseSentMessage({ ...mention, ...change }, self)?.id).toBe("1");
  });

  it.each<[string, object]>([
    ["mentions others only", { mentions: [{ id: "43" }] }],
    ["mentions everyone only", { mentions: [], mention_everyone: true }],
    ["mentions another role", { mentions: [], mention_roles: ["78"] }],
    [
      "mentions a role in a server where the bot has none",
      { guild_id: "501", mentions: [], mention_roles: ["77"] },
    ],
    ["is another bot's", { author: { id: "42", username: "alan", bot: true } }],
    ["is another bot's DM", { guild_id: undefined, author: { id: "42", username: "a", bot: true } }],
    ["is a webhook's", { webhook_id: "5" }],
    ["is a notice, e.g. of a pinned message", { type: 6 }],
    ["is such a notice in a DM", { guild_id: undefined, type: 6 }],
    ["has no author", { author: undefined }],
  ])("is ignored if it %s", (_, change) => {
    expect(parseSentMessage({ ...mention, ...change }, self)).toBeUndefined();
  });

  it("is ignored without reading further fields if it mentions nobody", () => {
    const looked: string[] = [];
    const seen = new Proxy(
      { ...mention, mentions: [] },
      {
        get(target, name) {
          looked.push(String(name));
          return Reflect.get(target, name);
        },
      },
    );
    expect(parseSentMessage(seen, self)).toBeUndefined();
    expect(looked).toEqual(["guild_id", "mentions", "mention_roles"]);
  });

  it("of any shape does not throw", () => {
    const field = fc.oneof(fc.anything(), fc.constantFrom("900", "500", "77"));
    const shape = fc.record(
      {
        id: field,
        guild_id: field,
        type: fc.constantFrom<unknown>(0, 19, 6, null),
        author: fc.oneof(field, fc.record({ id: field, bot: field }, { requiredKeys: [] })),
        mentions: fc.oneof(field, fc.array(fc.oneof(field, fc.constant({ id: "900" })))),
        mention_roles: fc.oneof(field, fc.array(field)),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(shape, fc.anything()), (payload) => {
        expect(() => parseSentMessage(payload, self)).not.toThrow();
      }),
    );
  });
});

describe("a message for the bot", () => {
  const read = (change: object) => {
    const sent = parseSentMessage({ ...mention, ...change }, self);
    if (!sent) {
      throw new Error("the message is not meant for the bot");
    }
    return sent;
  };

  it.each<[boolean, string, object]>([
    [true, "its name", { content: "well, <@900>?" }],
    [true, "its name in the old form", { content: "<@!900>" }],
    [true, "its role", { content: "<@&77>", mentions: [], mention_roles: ["77"] }],
    [true, "anything in a direct message", { guild_id: undefined, content: "hello" }],
    [false, "a reply alone", { type: 19, content: "thanks" }],
    [false, "somebody whose id begins the same", { content: "<@9001>" }],
  ])("calls the bot by name (%s): %s", (isCalled, _, change) => {
    expect(isCalledByName(read(change), self)).toBe(isCalled);
  });

  it("is hidden if it has no text and mentions only the bot's role", () => {
    const role = { mentions: [], mention_roles: ["77"] };
    expect(isHidden(read({ ...role, content: "" }), self)).toBe(true);
    expect(isHidden(read({ ...role, content: "<@&77>" }), self)).toBe(false);
    expect(isHidden(read({ content: "" }), self)).toBe(false);
  });

  it.each<[boolean, string, object]>([
    [true, "another's message", { referenced_message: { author: { id: "43" } } }],
    [false, "the bot's own", { referenced_message: { author: { id: "900" } } }],
    [false, "one that is gone", { referenced_message: null }],
    [false, "another's, in a DM", { guild_id: undefined, referenced_message: { author: { id: "43" } } }],
  ])("is a reply to somebody else (%s): %s", (isHiddenThere, _, change) => {
    expect(isReplyToOthers(read({ type: 19, ...change }), self)).toBe(isHiddenThere);
  });
});

describe("the type of a file", () => {
  it.each([
    ["a.png", "image/png", "image"],
    ["a.bin", "image/heic", "image"],
    ["a.mp4", "video/mp4", "video"],
    ["A.JPEG", undefined, "image"],
    ["a.webm", "application/octet-stream", "video"],
    ["IMG_2041.HEIC", "application/octet-stream", "image"],
    ["a.png", "text/plain; charset=utf-8", undefined],
    ["voice-message.ogg", "audio/ogg", undefined],
    ["png", undefined, undefined],
    ["a.png.exe", undefined, undefined],
  ])("of %s with Discord's content type %s is %s", (name, contentType, type) => {
    expect(fileTypeOf({ name, contentType })).toBe(type);
  });
});
