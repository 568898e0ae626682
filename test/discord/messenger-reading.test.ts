import { PermissionFlagsBits } from "discord.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Overwrite } from "../../sandbox/discord/entities.ts";
import { channelPermissions } from "../../sandbox/discord/permissions.ts";
import { rightsInChannel } from "../../src/discord/guild-rights.ts";
import { boardReply, hello, openMessenger, outcomeOf } from "./open-messenger.ts";
import { startThread } from "../../sandbox/discord/rules/threads.ts";

const { ViewChannel, SendMessages, SendMessagesInThreads, AttachFiles, ReadMessageHistory } =
  PermissionFlagsBits;
const NOWHERE = "123456789012345678";

describe("the bot's own messages", () => {
  it("are listed newest first with the ids of their components, without other people's messages", async () => {
    await using scene = await openMessenger();
    const { discord, messenger, clock } = scene;
    const { trains } = discord.community.channels;
    await messenger.post(trains.id, hello, { nonce: "before" });
    await clock.advance(60_000);
    const sinceMs = clock.now();
    await discord.member("Ada").say(trains, "hello");
    const first = await messenger.post(trains.id, boardReply(), { nonce: "n1" });
    await clock.advance(1_000);
    const second = await messenger.post(trains.id, hello, { nonce: "n2" });
    expect(await messenger.ownMessages(trains.id, sinceMs)).toEqual([
      { ...second, sentAtMs: sinceMs + 1_000, componentIds: [] },
      { ...first, sentAtMs: sinceMs, componentIds: ["board/show:refresh:1:b=abcd1234&s=zik0zj"] },
    ]);
  });

  it("are found even if others have written many messages since", async () => {
    await using scene = await openMessenger();
    const { discord, messenger, clock } = scene;
    const { trains } = discord.community.channels;
    const sinceMs = clock.now();
    const ada = discord.member("Ada");
    for (let line = 0; line < 250; line += 1) {
      await ada.say(trains, `line ${line}`);
    }
    const { messageId } = await messenger.post(trains.id, boardReply(), { nonce: "n1" });
    const found = await messenger.ownMessages(trains.id, sinceMs);
    expect(found.map((message) => message.messageId)).toEqual([messageId]);
  });

  it("are an empty list if the bot may not read the history, and an error if it cannot see the channel", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const { trains } = discord.community.channels;
    await messenger.post(trains.id, hello, { nonce: "n1" });
    trains.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny: ReadMessageHistory }];
    expect(await messenger.ownMessages(trains.id, 0)).toEqual([]);
    trains.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny: ViewChannel }];
    expect(await outcomeOf(messenger.ownMessages(trains.id, 0))).toBe("channel-gone");
  });
});

describe("an expired link", () => {
  it("is replaced if Discord still has the file", async () => {
    // Discord's OpenAPI document does not contain this route.
    await using scene = await openMessenger({ checksRequests: false });
    const { discord, messenger, clock } = scene;
    const { trains } = discord.community.channels;
    const file = { name: "day.mp4", bytes: new Uint8Array(3_000) };
    const said = await discord.member("Ada").attach(trains, "here", [file]);
    const url = said.attachments[0]?.url ?? "";
    await clock.advance(3 * 86_400_000);
    const fresh = await messenger.freshLink(url);
    expect(fresh).not.toBe(url);
    expect(new URL(fresh ?? "").pathname).toBe(new URL(url).pathname);
    expect(await messenger.freshLink(url.replace(/attachments\/\d+/, "attachments/1"))).toBeUndefined();
  });
});

describe("the channel for notices", () => {
  it("is the server's system channel, if it has one", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const { guild, channels } = discord.community;
    expect(await messenger.noticeChannel(guild.id)).toBe(channels.general.id);
    guild.systemChannelId = undefined;
    expect(await messenger.noticeChannel(guild.id)).toBeUndefined();
    expect(await outcomeOf(messenger.noticeChannel(NOWHERE))).toBe("channel-gone");
  });
});

it("mayManage is false for a person who is not in the server, and logs no error", async () => {
  await using scene = await openMessenger();
  const { guild } = scene.discord.community;
  expect(await scene.messenger.mayManage(guild.id, NOWHERE)).toBe(false);
  const stranger = [...scene.discord.state.users.keys()].find((id) => !guild.members.has(id)) ?? NOWHERE;
  expect(await scene.messenger.mayManage(guild.id, stranger)).toBe(false);
  expect(scene.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

it("guildName returns the name of a server that the bot is in", async () => {
  await using scene = await openMessenger();
  const { guild } = scene.discord.community;
  expect(await scene.messenger.guildName(guild.id)).toBe(guild.name);
  expect(await scene.messenger.guildName(NOWHERE)).toBeUndefined();
});

describe("checking a channel", () => {
  it("returns its kind and that no permission is missing", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const { guild, channels } = discord.community;
    const found = { guildId: guild.id, missing: [], locked: false };
    expect(await messenger.check(channels.trains.id)).toEqual({ ...found, kind: "text", name: "trains" });
    expect(await messenger.check(channels.news.id)).toEqual({ ...found, kind: "announcement", name: "news" });
    const forum = discord.addChannel(guild, "ideas", 15);
    expect(await messenger.check(forum.id)).toMatchObject({ kind: "other" });
  });

  it("names missing permissions as Discord does, until they are granted", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const { trains } = discord.community.channels;
    const deny = SendMessages | AttachFiles | ReadMessageHistory;
    trains.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny }];
    expect((await messenger.check(trains.id))?.missing).toEqual([
      "Send Messages",
      "Attach Files",
      "Read Message History",
    ]);
    trains.overwrites = [];
    expect((await messenger.check(trains.id))?.missing).toEqual([]);
  });

  it("checks the thread permission of the parent channel for a thread, and whether the thread is locked", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const { trains } = discord.community.channels;
    const thread = startThread(discord.platform, trains);
    trains.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny: SendMessages }];
    expect(await messenger.check(thread.id)).toMatchObject({ kind: "thread", name: "delays", missing: [] });
    trains.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny: SendMessagesInThreads }];
    thread.thread.isLocked = true;
    expect(await messenger.check(thread.id)).toMatchObject({
      missing: ["Send Messages in Threads"],
      locked: true,
    });
  });

  it("says whether a person cannot write there", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const { trains } = discord.community.channels;
    const thread = startThread(discord.platform, trains);
    const alan = discord.member("Alan").id;
    const isClosed = async (channelId = trains.id) =>
      (await messenger.check(channelId, alan))?.isClosedToPerson;
    expect(await isClosed()).toBe(false);
    for (const deny of [ViewChannel, SendMessages]) {
      trains.overwrites = [{ id: alan, kind: 1, allow: 0n, deny }];
      expect(await isClosed()).toBe(true);
    }
    expect(await isClosed(thread.id)).toBe(false);
    trains.overwrites = [{ id: alan, kind: 1, allow: 0n, deny: SendMessagesInThreads }];
    expect([await isClosed(), await isClosed(thread.id)]).toEqual([false, true]);
  });

  it("says until when the bot is timed out, and still does in the minute after the end", async () => {
    await using scene = await openMessenger();
    const { discord, messenger, clock } = scene;
    const { guild, channels } = discord.community;
    const endMs = clock.now() + 60_000;
    discord.timeOut(guild, discord.applicationId, endMs);
    const check = async () => (await messenger.check(channels.trains.id))?.timedOutUntilMs;
    expect(await check()).toBe(endMs);
    await clock.advance(119_000);
    expect(await check()).toBe(endMs);
    await clock.advance(1_000);
    expect(await check()).toBeUndefined();
  });

  it("finds nothing for an unknown or hidden channel or a DM", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const { trains } = discord.community.channels;
    trains.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny: ViewChannel }];
    expect(await messenger.check(trains.id)).toBeUndefined();
    expect(await messenger.check(NOWHERE)).toBeUndefined();
    const { channelId } = await messenger.dm(discord.member("Alan").id, hello, { nonce: "n1" });
    expect(await messenger.check(channelId)).toBeUndefined();
  });

  it("calculates permissions as the local Discord does, with any overwrites", async () => {
    await using scene = await openMessenger();
    const { guild, channels } = scene.discord.community;
    const userId = scene.discord.member("Grace").id;
    const member = { roles: guild.members.get(userId)?.roleIds ?? [] };
    const roles = [...guild.roles.values()];
    const bits = fc.bigInt({ min: 0n, max: (1n << 40n) - 1n });
    const exception = fc.record({
      id: fc.constantFrom(userId, NOWHERE, ...roles.map(({ id }) => id)),
      allow: bits,
      deny: bits,
    });
    fc.assert(
      fc.property(fc.uniqueArray(exception, { selector: ({ id }) => id }), bits, (exceptions, everyone) => {
        const overwrites = exceptions.map((one): Overwrite => ({
          ...one,
          kind: guild.roles.has(one.id) ? 0 : 1,
        }));
        const role = guild.roles.get(guild.id);
        if (role) {
          role.permissions = everyone;
        }
        const told = { id: guild.id, owner_id: guild.ownerId, roles };
        const rights = rightsInChannel({ guild: told, userId, member }, overwrites);
        const judged = channelPermissions(scene.discord.state, { ...channels.trains, overwrites }, userId);
        expect(rights.has("SendMessages", false)).toBe((judged & SendMessages) !== 0n);
        expect(everyone & 8n ? true : rights.bitfield === judged).toBe(true);
      }),
    );
  });
});

describe("the permission to manage a server", () => {
  it("belongs to its owner and to people with Manage Server or Administrator", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const { guild } = discord.community;
    const may = (name: string) => messenger.mayManage(guild.id, discord.member(name).id);
    expect(await Promise.all(["Ada", "Grace", "Alan"].map(may))).toEqual([true, true, false]);
    discord.addRole(guild, { name: "Admin", permissions: 8n, memberIds: [discord.member("Alan").id] });
    expect(await may("Alan")).toBe(true);
  });

  it("is lost while a person is timed out, except for the owner", async () => {
    await using scene = await openMessenger();
    const { discord, messenger, clock } = scene;
    const { guild } = discord.community;
    const may = (name: string) => messenger.mayManage(guild.id, discord.member(name).id);
    for (const name of ["Ada", "Grace"]) {
      discord.timeOut(guild, discord.member(name).id, clock.now() + 60_000);
    }
    expect(await Promise.all(["Ada", "Grace"].map(may))).toEqual([true, false]);
    await clock.advance(60_000);
    expect(await may("Grace")).toBe(true);
  });

  it("belongs to nobody outside the server, or in a server without the bot", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const ada = discord.member("Ada");
    const other = discord.addGuild({ name: "Other", memberIds: [ada.id], withoutBot: true });
    expect(await messenger.mayManage(other.id, ada.id)).toBe(false);
    expect(await messenger.mayManage(discord.community.guild.id, discord.addUser("Eve").id)).toBe(false);
  });

  it("is unavailable while Discord fails", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    discord.faults.add({ path: /members/, do: "500", times: 9 });
    const asking = messenger.mayManage(discord.community.guild.id, discord.member("Ada").id);
    expect(await outcomeOf(asking)).toBe("unavailable");
  });
});

describe("a message in a DM", () => {
  it("can be read for its author, but not for others or if it is deleted", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const ada = discord.member("Ada");
    const dm = ada.dm();
    const sent = await ada.attach(dm, "look", [{ name: "film.mp4", bytes: new Uint8Array(5) }]);
    const place = { channelId: dm.id, messageId: sent.id };
    expect(await messenger.personMessage(place, ada.id)).toMatchObject({
      content: "look",
      attachments: [{ name: "film.mp4", sizeBytes: 5 }],
    });
    expect(await messenger.personMessage(place, discord.member("Alan").id)).toBeUndefined();
    expect(await messenger.personMessage({ channelId: dm.id, messageId: "1" }, ada.id)).toBeUndefined();
  });
});
