import { describe, expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import type { ChannelCheck } from "../../src/core/ports.ts";
import { type ChannelWords, checkChannel } from "../../src/delivery/check-channel.ts";

const GOOD: ChannelCheck = { guildId: "1", kind: "text", name: "general", missing: [], locked: false };
const WORDS: ChannelWords = { act: "keep a board", otherwise: "choose another channel" };

function check(channel: Partial<ChannelCheck> | undefined, words = WORDS, guildId?: string) {
  const messenger = { check: async () => channel && { ...GOOD, ...channel } };
  return checkChannel(messenger, { channelId: "12", ...(guildId !== undefined && { guildId }) }, words);
}

describe("checkChannel", () => {
  it.each([
    [
      "is missing",
      undefined,
      "I can't see <#12>: it's gone, or hidden from me. Give me **View Channel** there (in a private thread, mention me first), or choose another channel.",
    ],
    [
      "cannot have messages",
      { kind: "other" },
      "I can't keep a board in <#12>. Choose a text channel, an announcement channel or a thread.",
    ],
    [
      "the bot may not write in",
      { missing: ["Send Messages", "Attach Files", "Embed Links"] },
      "I'm not allowed to keep a board in <#12>. Give me **Send Messages** and **Embed Links** there and try again, or choose another channel.",
    ],
    [
      "the person may not write in",
      { isClosedToPerson: true, missing: ["Send Messages"] },
      "You can't write in <#12> yourself, so I can't keep a board there for you. Ask somebody who can, or choose another channel.",
    ],
    [
      "is in a server that has timed out the bot",
      { timedOutUntilMs: 1 },
      "A moderator has timed me out, so I can't keep a board in <#12>. Try again when that's over.",
    ],
    [
      "is a locked thread",
      { kind: "thread", locked: true },
      "The thread <#12> is locked. Unlock it and try again, or choose another channel.",
    ],
  ] as const)("says what to do about a channel that %s", async (_what, channel, sentence) => {
    await expect(check(channel)).rejects.toThrow(new UserError(sentence));
  });

  it("requires the permission to attach files only if files are sent", async () => {
    const channel = { missing: ["Attach Files"] };
    expect(await check(channel)).toEqual({ ...GOOD, ...channel });
    await expect(check(channel, { ...WORDS, withFiles: true })).rejects.toThrow("**Attach Files**");
  });

  it("refuses another server's channel as one that it cannot see", async () => {
    expect(await check({}, WORDS, "1")).toEqual(GOOD);
    await expect(check({}, WORDS, "2")).rejects.toThrow("I can't see <#12>");
  });
});
