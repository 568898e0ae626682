import { describe, expect, it } from "vitest";
import { textReply } from "../../../src/core/reply.ts";
import type { FileType, Permission } from "../../../src/discord/define.ts";
import {
  createGreetingLimiter,
  formatGreeting,
  type GreetingFacts,
} from "../../../src/discord/message-dispatch/message-dispatch.ts";
import { createStillClock } from "../../support/still-clock.ts";

function messageHandler(fileTypes: readonly FileType[], name: string, permission?: Permission) {
  const run = () => textReply("");
  const messages = { fileTypes, run };
  const definition = { description: "", run, messageMenu: { name, run }, messages };
  return { runnable: { path: "x", command: "x", permission, definition }, handler: messages };
}

const nothing: GreetingFacts = {
  origin: "guild",
  reason: "none",
  repliesToOthers: false,
  handlers: [],
  offers: () => true,
};

function greet(change: Partial<GreetingFacts>): string {
  const [block] = formatGreeting({ ...nothing, ...change }).blocks;
  return block?.type === "text" ? block.text : "";
}

describe("a greeting", () => {
  const handlers = [
    messageHandler(["image"], "Restyle *it*"),
    messageHandler(["video"], "Publish", "ManageGuild"),
  ];

  it("promises nothing if no command accepts files", () => {
    expect(greet({})).toBe("Hello. `/help` shows what else I can do.");
  });

  it("offers only what everyone may send, in the way that works there", () => {
    expect(greet({ handlers })).toContain("Mention me in a message with a picture attached,");
    expect(greet({ handlers, origin: "bot-dm" })).toContain("Send me a picture,");
    expect(greet({ handlers: [messageHandler(["video", "image"], "Any")] })).toContain(
      "a picture or a video",
    );
  });

  it("begins with an example of words that a command understands", () => {
    const run = () => textReply("");
    const handler = { words: { example: "York to Leeds", understands: () => true }, run };
    const runnable = {
      path: "departures",
      command: "departures",
      permission: undefined,
      definition: { description: "", run },
    };
    const trains = [{ runnable, handler }];
    expect(greet({ handlers: trains })).toBe(
      "Hello. Try `/departures`, or mention me with “York to Leeds”. `/help` shows what else I can do.",
    );
    expect(greet({ handlers: trains, origin: "bot-dm" })).toContain("just write “York to Leeds”");
    expect(greet({ handlers: trains, reason: "hidden" })).not.toContain("York");
  });

  it("names the menus for other people's messages, without their formatting", () => {
    expect(greet({ handlers, repliesToOthers: true })).toContain("**Restyle \\*it\\*** or **Publish**");
  });

  it("has a sentence for each reason, and an alternative if there is no help command", () => {
    expect(greet({ reason: "unfit" })).toMatch(/^Sorry, I can't do anything with that kind of file/);
    expect(greet({ reason: "hidden" })).toMatch(/mention me by name\./);
    expect(greet({ offers: () => false })).toMatch(/Type `\/`/);
  });
});

describe("the greeting limiter", () => {
  const facts = { origin: "guild", reason: "none" } as const;

  it("greets a person again after ten minutes, and others in the channel after one", () => {
    const clock = createStillClock();
    const mayGreet = createGreetingLimiter(clock);
    const ada = (channelId: string) => mayGreet(facts, { channelId, personId: "ada" });
    const alan = (channelId: string) => mayGreet(facts, { channelId, personId: "alan" });
    expect([ada("1"), ada("1"), ada("2"), alan("1")]).toEqual([true, false, false, false]);
    clock.advance(60_000);
    expect([alan("1"), ada("2")]).toEqual([true, false]);
    clock.advance(540_000);
    expect(ada("2")).toBe(true);
  });

  it("greets again in a DM, but not for every message of a flood", () => {
    const clock = createStillClock();
    const mayGreet = createGreetingLimiter(clock);
    const write = () => mayGreet({ ...facts, origin: "bot-dm" }, { channelId: "1", personId: "ada" });
    expect([write(), write()]).toEqual([true, false]);
    clock.advance(5_000);
    expect(write()).toBe(true);
  });

  it("counts each reason and each kind of place separately", () => {
    const mayGreet = createGreetingLimiter(createStillClock());
    const where = { channelId: "1", personId: "ada" };
    expect(mayGreet(facts, where)).toBe(true);
    expect(mayGreet({ ...facts, reason: "unfit" }, where)).toBe(true);
    expect(mayGreet({ ...facts, origin: "bot-dm" }, where)).toBe(true);
    expect(mayGreet(facts, where)).toBe(false);
  });
});
