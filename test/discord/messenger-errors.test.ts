import { DiscordAPIError } from "discord.js";
import { describe, expect, it } from "vitest";
import type { Overwrite } from "../../sandbox/discord/entities.ts";
import { toMessengerError } from "../../src/discord/messenger-requests.ts";
import { boardReply, hello, openMessenger, outcomeOf, type MessengerScene } from "./open-messenger.ts";
import { startThread } from "../../sandbox/discord/rules/threads.ts";

const POSTS = { method: "POST", path: "/channels/:c/messages" } as const;
const EDITS = { method: "PATCH", path: "/channels/:c/messages/:m" } as const;
const VIEW = 1n << 10n;
const SEND = 1n << 11n;
const ATTACH = 1n << 15n;

function denyBot({ discord }: MessengerScene, deny: bigint): void {
  const overwrite: Overwrite = { id: discord.applicationId, kind: 1, allow: 0n, deny };
  discord.community.channels.trains.overwrites = [overwrite];
}

function post({ messenger, discord }: MessengerScene, reply = hello) {
  return messenger.post(discord.community.channels.trains.id, reply, { nonce: "n1" });
}

describe("a refusal by Discord", () => {
  it("is channel-gone if the channel is deleted or hidden from the bot", async () => {
    await using scene = await openMessenger();
    const nowhere = { channelId: "123456789012345678", messageId: "123456789012345679" };
    expect(await outcomeOf(scene.messenger.post(nowhere.channelId, hello, { nonce: "n1" }))).toBe(
      "channel-gone",
    );
    expect(await outcomeOf(scene.messenger.edit(nowhere, hello))).toBe("channel-gone");
    denyBot(scene, VIEW);
    expect(await outcomeOf(post(scene))).toBe("channel-gone");
  });

  it("is message-gone if the message is deleted", async () => {
    await using scene = await openMessenger();
    const posted = await post(scene);
    await scene.messenger.delete(posted);
    expect(await outcomeOf(scene.messenger.edit(posted, hello))).toBe("message-gone");
  });

  it.each([
    ["words", SEND, hello],
    ["files", ATTACH, boardReply()],
  ])("is not-allowed if the bot may not send %s there", async (_, deny, reply) => {
    await using scene = await openMessenger();
    denyBot(scene, deny);
    expect(await outcomeOf(post(scene, reply))).toBe("not-allowed");
    expect(scene.discord.requests).toHaveLength(1);
  });

  it("is not-allowed for a forum and for a locked thread", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const { guild, channels } = discord.community;
    const write = (channelId: string) =>
      outcomeOf(messenger.post(channelId, hello, { nonce: channelId.slice(-9) }));
    expect(await write(discord.addChannel(guild, "ideas", 15).id)).toBe("not-allowed");
    const thread = startThread(discord.platform, channels.general);
    const posted = await messenger.post(thread.id, hello, { nonce: "n1" });
    thread.thread.isLocked = true;
    expect(await write(thread.id)).toBe("not-allowed");
    thread.thread.isArchived = true;
    expect(await outcomeOf(messenger.edit(posted, hello))).toBe("not-allowed");
  });

  it("is not final for an archived thread, which is opened again", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const thread = startThread(discord.platform, discord.community.channels.general);
    const posted = await messenger.post(thread.id, hello, { nonce: "n1" });
    for (const change of [() => messenger.edit(posted, hello), () => messenger.delete(posted)]) {
      thread.thread.isArchived = true;
      expect(await outcomeOf(change())).toBe("sent");
      expect(thread.thread.isArchived).toBe(false);
    }
  });

  it("is a logged bug if the request was invalid", async () => {
    await using scene = await openMessenger({ checksRequests: false });
    const { trains } = scene.discord.community.channels;
    const posting = scene.messenger.post(trains.id, hello, { nonce: "n".repeat(26) });
    expect(await outcomeOf(posting)).toBe("refused");
    expect(scene.lines.join()).toContain("Discord refused what the bot sent");
    expect(scene.lines.join()).not.toContain(scene.discord.baseUrl);
  });

  it("of the token stops all requests after it is confirmed", async () => {
    await using scene = await openMessenger({ token: "another" });
    expect(await outcomeOf(post(scene))).toBe("unavailable");
    await expect.poll(() => scene.discord.requests.map(({ path }) => path)).toContain("/users/@me");
    await expect.poll(scene.isTokenRefused).toBe(true);
    expect(await outcomeOf(post(scene))).toBe("unavailable");
    expect(scene.discord.requests).toHaveLength(2);
    expect(scene.lines.join()).toContain("token refused");
  });

  it("with a single 401 does not stop the next message", async () => {
    await using scene = await openMessenger();
    scene.discord.faults.add({ ...POSTS, do: "401" });
    expect(await outcomeOf(post(scene))).toBe("unavailable");
    expect(await outcomeOf(post(scene))).toBe("sent");
  });

  it.each([
    [50_278, 403, "dm-closed"],
    [40_003, 400, "slow-down"],
    [20_009, 403, "not-allowed"],
    [40_333, 403, "unavailable"],
    [0, 403, "unavailable"],
    [50_024, 400, "refused"],
  ])("is recognised by its code %d", (code, status, problem) => {
    const request = { files: undefined, body: undefined };
    const error = new DiscordAPIError({ code, message: "No" }, code, status, "POST", "/", request);
    expect(toMessengerError(error, "post", false).problem).toBe(problem);
  });
});

describe("a post whose response is lost", () => {
  it.each(["500-after", "drop-after", "malformed", "truncated"] as const)(
    "because of %s is sent again but appears once",
    async (fault) => {
      await using scene = await openMessenger();
      const { messages } = scene.discord.community.channels.trains;
      scene.discord.faults.add({ ...POSTS, do: fault, times: 2 });
      const { messageId } = await post(scene, boardReply());
      expect([...messages.keys()]).toEqual([messageId]);
      expect(scene.waitsMs).toEqual([1_000, 3_000]);
    },
  );

  it("every time has an unknown outcome", async () => {
    await using scene = await openMessenger();
    scene.discord.faults.add({ ...POSTS, do: "drop-after", times: 9 });
    expect(await outcomeOf(post(scene))).toBe("outcome-unknown");
    expect(scene.discord.requests).toHaveLength(4);
    expect(scene.discord.community.channels.trains.messages.size).toBe(1);
  });

  it.each([
    ["429", /^outcome-unknown after 1200\d\d$/],
    ["401", /^outcome-unknown$/],
  ] as const)("has an unknown outcome if the next attempt gets a %s", async (fault, outcome) => {
    await using scene = await openMessenger();
    scene.discord.faults.add({ ...POSTS, do: "drop-after" });
    scene.discord.faults.add({ ...POSTS, do: fault, retryAfterMs: 120_000 });
    expect(await outcomeOf(post(scene))).toMatch(outcome);
    expect(scene.discord.community.channels.trains.messages.size).toBe(1);
  });

  it("is not sent again if Discord may have forgotten its nonce", async () => {
    const onWait = ({ clock }: Pick<MessengerScene, "clock">) => void clock.advance(3 * 60_000);
    await using scene = await openMessenger({ onWait });
    scene.discord.faults.add({ ...POSTS, do: "drop-after" });
    expect(await outcomeOf(post(scene))).toBe("outcome-unknown");
    expect(scene.discord.requests).toHaveLength(1);
  });

  it.each([86_400_000, -3_600_000])("is sent again even if the clock is set by %i ms", async (jumpMs) => {
    const onWait = ({ clock }: Pick<MessengerScene, "clock">) => void clock.jump(jumpMs);
    await using scene = await openMessenger({ onWait });
    scene.discord.faults.add({ ...POSTS, do: "drop" });
    expect(await outcomeOf(post(scene))).toBe("sent");
    expect(scene.discord.community.channels.trains.messages.size).toBe(1);
  });

  it("times out and is sent again", async () => {
    await using scene = await openMessenger({ answerTimeoutMs: 50 });
    const fault = scene.discord.faults.add({ ...POSTS, do: "hang", times: 2 });
    const { messageId } = await post(scene, boardReply("York", 3_000));
    expect(fault.hits).toBe(2);
    expect([...scene.discord.community.channels.trains.messages.keys()]).toEqual([messageId]);
  });
});

describe("a request that is safe to repeat", () => {
  it("is repeated, and is unavailable if that fails", async () => {
    await using scene = await openMessenger();
    scene.discord.settings.buckets = { "*": { limit: 100, windowMs: 1000 } };
    const posted = await post(scene);
    scene.discord.faults.add({ ...EDITS, do: "500-after" });
    expect(await outcomeOf(scene.messenger.edit(posted, boardReply()))).toBe("sent");
    scene.discord.faults.add({ ...EDITS, do: "500", times: 9 });
    expect(await outcomeOf(scene.messenger.edit(posted, hello))).toBe("unavailable");
  });

  it("may be a post that was never sent, so it is unavailable", async () => {
    const scene = await openMessenger();
    await scene[Symbol.asyncDispose]();
    await using other = await openMessenger({ baseUrl: scene.discord.baseUrl });
    expect(await outcomeOf(post(other))).toBe("unavailable");
    expect(other.waitsMs).toEqual([1_000, 3_000, 6_000]);
  });
});

describe("a rate limit", () => {
  it.each(["429", "429-global", "429-shared"] as const)(
    "of scope %s is waited out if it is short",
    async (kind) => {
      await using scene = await openMessenger();
      scene.discord.faults.add({ ...POSTS, do: kind, retryAfterMs: 30 });
      await post(scene);
      expect(scene.discord.requests.map(({ status }) => status)).toEqual([429, 200]);
      expect(scene.waitsMs).toEqual([]);
    },
  );

  it.each(["429", "429-shared"] as const)("of scope %s is reported if it is long", async (kind) => {
    await using scene = await openMessenger();
    scene.discord.faults.add({ ...POSTS, do: kind, retryAfterMs: 120_000 });
    expect(await outcomeOf(post(scene))).toMatch(/^slow-down after 1200\d\d$/);
    expect(await outcomeOf(scene.messenger.noticeChannel(scene.discord.community.guild.id))).toBe("sent");
  });

  it("for the whole bot stops all its messages", async () => {
    await using scene = await openMessenger();
    scene.discord.faults.add({ ...POSTS, do: "429-global", retryAfterMs: 120_000 });
    const { channels } = scene.discord.community;
    const posting = Object.values(channels).map(({ id }, index) =>
      outcomeOf(scene.messenger.post(id, hello, { nonce: `n${index}` })),
    );
    const outcomes = await Promise.all(posting);
    expect(outcomes.filter((outcome) => outcome.startsWith("slow-down after 1")).length).toBeGreaterThan(0);
    const sent = scene.discord.requests.length;
    expect(await outcomeOf(post(scene))).toMatch(/^slow-down after/);
    expect(scene.discord.requests).toHaveLength(sent);
  });
});

describe("stopping the messenger", () => {
  it("rejects messages that have not been sent", async () => {
    await using scene = await openMessenger();
    const { trains } = scene.discord.community.channels;
    const posting = Array.from({ length: 40 }, (_, index) =>
      outcomeOf(scene.messenger.post(trains.id, hello, { nonce: `n${index}` })),
    );
    await expect.poll(() => trains.messages.size).toBeGreaterThan(0);
    scene.stop();
    const outcomes = await Promise.all(posting);
    expect(outcomes.filter((outcome) => outcome === "sent")).toHaveLength(trains.messages.size);
    expect(new Set(outcomes)).toEqual(new Set(["sent", "unavailable"]));
  });
});
