import { describe, expect, it } from "vitest";
import { textReply } from "../../src/core/reply.ts";
import { boardReply, hello, openMessenger, outcomeOf } from "./open-messenger.ts";

const SILENT = 1 << 12;
const V2 = 1 << 15;
const HOUR_MS = 3_600_000;

describe("a post", () => {
  it("is silent and pings nobody", async () => {
    await using scene = await openMessenger();
    const { trains } = scene.discord.community.channels;
    const posted = await scene.messenger.post(trains.id, hello, { nonce: "n1" });
    const message = trains.messages.get(posted.messageId);
    expect(posted.channelId).toBe(trains.id);
    expect(message).toMatchObject({ flags: SILENT | V2, mentionsEveryone: false, mentionedUserIds: [] });
  });

  it("makes a sound if it is asked to, and pings only the people it names", async () => {
    await using scene = await openMessenger();
    const { trains } = scene.discord.community.channels;
    const [ada, alan] = ["Ada", "Alan"].map((name) => scene.discord.member(name).id);
    const { messageId } = await scene.messenger.post(trains.id, textReply(`<@${ada}> and <@${alan}>`), {
      nonce: "n1",
      silent: false,
      ping: [String(ada)],
    });
    expect(trains.messages.get(messageId)).toMatchObject({ flags: V2, mentionedUserIds: [ada] });
  });

  it("has its files unchanged", async () => {
    await using scene = await openMessenger();
    const { trains } = scene.discord.community.channels;
    const { messageId } = await scene.messenger.post(trains.id, boardReply("York", 300_000), { nonce: "n1" });
    const [file] = trains.messages.get(messageId)?.attachments ?? [];
    expect(file).toMatchObject({ filename: "board.png", description: "A board", contentType: "image/png" });
    expect(file?.bytes).toEqual(new Uint8Array(300_000).fill(7));
  });

  it("is sent without its files if Discord refuses them, says so, and logs only a warning", async () => {
    await using scene = await openMessenger();
    const { trains } = scene.discord.community.channels;
    scene.discord.settings.acceptedUploadBytes = 50;
    const { messageId } = await scene.messenger.post(trains.id, boardReply(), { nonce: "n1" });
    expect(scene.discord.transcript(trains).join()).toContain("A file is missing here");
    expect([trains.messages.size, trains.messages.get(messageId)?.attachments]).toEqual([1, []]);
    expect(scene.lines.map((line) => JSON.parse(line).level)).toEqual(["warn"]);
  });

  it("with a known nonce returns the earlier message", async () => {
    await using scene = await openMessenger();
    const { trains } = scene.discord.community.channels;
    const first = await scene.messenger.post(trains.id, hello, { nonce: "n1" });
    expect(await scene.messenger.post(trains.id, textReply("other"), { nonce: "n1" })).toEqual(first);
    expect(trains.messages.size).toBe(1);
  });
});

describe("an edit", () => {
  it("replaces text and files", async () => {
    await using scene = await openMessenger();
    const { trains } = scene.discord.community.channels;
    const posted = await scene.messenger.post(trains.id, boardReply("York"), { nonce: "n1" });
    await scene.messenger.edit(posted, boardReply("Leeds", 5));
    const message = trains.messages.get(posted.messageId);
    expect(scene.discord.transcript(trains).join()).toContain("Leeds");
    expect(message?.attachments.map(({ bytes }) => bytes.length)).toEqual([5]);
    expect(message?.mentionsEveryone).toBe(false);
  });

  it("of an old message keeps to the channel's limit for old messages, and that of a new one does not wait", async () => {
    await using scene = await openMessenger();
    const { trains, general } = scene.discord.community.channels;
    const posts = [trains, trains, trains, trains, general];
    const posted = await Promise.all(
      posts.map(({ id }, index) => scene.messenger.post(id, hello, { nonce: `n${index}` })),
    );
    await scene.clock.advance(HOUR_MS + 1);
    const young = await scene.messenger.post(trains.id, hello, { nonce: "young" });
    const edited: string[] = [];
    const editing = [...posted, young].map(async (message) => {
      await scene.messenger.edit(message, textReply("edited"));
      edited.push(message.messageId);
    });
    await expect.poll(() => edited.length).toBe(5);
    const waiting = posted[3]?.messageId;
    expect(edited).not.toContain(waiting);
    await scene.clock.advance(6_500);
    await Promise.all(editing);
    expect(edited.at(-1)).toBe(waiting);
    expect(scene.discord.limits.refused).toMatchObject({ shared: 0, user: 0, global: 0 });
  });
});

describe("an edit of a process that was suspended", () => {
  it("is not sent if its claim has expired", async () => {
    await using scene = await openMessenger();
    const { trains } = scene.discord.community.channels;
    const posted = await scene.messenger.post(trains.id, hello, { nonce: "n1" });
    expect(await outcomeOf(scene.messenger.edit(posted, textReply("older"), () => false))).toBe(
      "unavailable",
    );
    expect(scene.discord.requests.filter(({ method }) => method === "PATCH")).toEqual([]);
  });

  it("is not repeated if another process may have shown newer data", async () => {
    // Long enough for the sleep to fall into the first attempt, even on a busy machine.
    await using scene = await openMessenger({ answerTimeoutMs: 500 });
    const { trains } = scene.discord.community.channels;
    const posted = await scene.messenger.post(trains.id, hello, { nonce: "n1" });
    const path = "/channels/:c/messages/:m";
    const held = scene.discord.faults.add({ method: "PATCH", path, do: "hang" });
    const editing = outcomeOf(scene.messenger.edit(posted, textReply("older")));
    await expect.poll(() => held.hits).toBe(1);
    scene.sleep(30_001);
    expect(await editing).toBe("unavailable");
    expect(scene.discord.requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  });
});

describe("deleting a message", () => {
  it("removes it, and succeeds if it is already gone", async () => {
    await using scene = await openMessenger();
    const { trains } = scene.discord.community.channels;
    const posted = await scene.messenger.post(trains.id, hello, { nonce: "n1" });
    await scene.messenger.delete(posted);
    expect(trains.messages.size).toBe(0);
    await scene.messenger.delete(posted);
    await scene.messenger.delete({ channelId: "123456789012345678", messageId: posted.messageId });
  });
});

describe("a direct message", () => {
  it("reaches a person, and the DM channel is opened only once", async () => {
    await using scene = await openMessenger();
    const alan = scene.discord.member("Alan");
    const first = await scene.messenger.dm(alan.id, hello, { nonce: "n1" });
    const second = await scene.messenger.dm(alan.id, hello, { nonce: "n2" });
    expect(alan.messages(alan.dm()).map(({ id }) => id)).toEqual([first.messageId, second.messageId]);
    expect(scene.discord.requests.filter(({ path }) => path === "/users/@me/channels")).toHaveLength(1);
  });

  it("fails with dm-closed for people who accept none and for unknown people", async () => {
    await using scene = await openMessenger();
    scene.discord.setDirectMessages("Alan", false);
    const write = (userId: string) => outcomeOf(scene.messenger.dm(userId, hello, { nonce: "n1" }));
    expect(await write(scene.discord.member("Alan").id)).toBe("dm-closed");
    expect(await write("123456789012345678")).toBe("dm-closed");
  });
});

describe("publishing an announcement", () => {
  it("crossposts it once, and says how long to wait after a channel's ten in an hour", async () => {
    await using scene = await openMessenger();
    const { news } = scene.discord.community.channels;
    // The rate limits of posts do not matter here.
    scene.discord.settings.buckets = { "*": { limit: 100, windowMs: 1000 } };
    const post = async (number: number) => scene.messenger.post(news.id, hello, { nonce: `n${number}` });
    const first = await post(0);
    await scene.messenger.publish(first);
    await scene.messenger.publish(first);
    expect((news.messages.get(first.messageId)?.flags ?? 0) & 1).toBe(1);
    for (let number = 1; number < 10; number += 1) {
      await scene.messenger.publish(await post(number));
    }
    const eleventh = await post(10);
    expect(await outcomeOf(scene.messenger.publish(eleventh))).toMatch(/^slow-down after 36000?/);
    await scene.clock.advance(HOUR_MS);
    expect(await outcomeOf(scene.messenger.publish(eleventh))).toBe("sent");
  });
});
