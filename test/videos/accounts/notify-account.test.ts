import { describe, expect, it } from "vitest";
import { collectLog } from "../../support/collect-log.ts";
import { textReply } from "../../../src/core/reply.ts";
import { createAccountNotifier } from "../../../src/videos/accounts/check-account.ts";
import type { LinkedAccount } from "../../../src/videos/accounts/video-accounts.ts";
import { createFakeDiscord } from "../../support/fake-messenger.ts";
import { createStillClock } from "../../support/still-clock.ts";

const ACCOUNT: LinkedAccount = {
  accountId: "5",
  name: "Signal *Hall*",
  linkedBy: "7",
  linkedAtMs: 0,
  endsAtMs: undefined,
  brokenBecause: "token-dead",
  missing: [],
};

function open() {
  const discord = createFakeDiscord(createStillClock());
  const { log, lines } = collectLog("debug");
  const present = ({ name }: LinkedAccount) => textReply(`${name} is broken`);
  const notify = createAccountNotifier({ messenger: discord.messenger(), present, log });
  const sendNotice = (account = ACCOUNT) => notify({ guildId: "1", account, nonce: "n" });
  return { discord, sendNotice, lines };
}

describe("a notice about a server's account", () => {
  it("is posted once in the server's notice channel, however often it is sent", async () => {
    const { discord, sendNotice } = open();
    discord.noticeChannel = "c1";
    await sendNotice();
    await sendNotice();
    expect(discord.messages.map(({ channelId, silent }) => [channelId, silent])).toEqual([["c1", true]]);
  });

  it("goes to the person who linked the account if there is no such channel or the bot cannot use it", async () => {
    const { discord, sendNotice } = open();
    await sendNotice();
    expect(discord.messages.map(({ channelId }) => channelId)).toEqual(["7"]);
    const other = open();
    other.discord.noticeChannel = "c1";
    other.discord.gone.add("c1");
    await other.sendNotice();
    expect(other.discord.messages.map(({ channelId }) => channelId)).toEqual(["7"]);
  });

  it("that reaches nobody is logged, without an error", async () => {
    const { discord, sendNotice, lines } = open();
    discord.closed.add("7");
    await sendNotice();
    await sendNotice({ ...ACCOUNT, linkedBy: undefined });
    expect(lines.filter((line) => line.includes("account notice undelivered"))).toHaveLength(2);
  });
});
