// Mentions of the bot and direct messages: the real bot, with fixture commands and members in the local Discord.
import { describe, expect, it } from "vitest";
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Channel } from "../../sandbox/discord/entities.ts";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import { startThread } from "../../sandbox/discord/rules/threads.ts";
import { gate } from "../fixtures/gate.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { until } from "../support/until.ts";

reportChecks();

const commandsDir = new URL("../fixtures/commands/", import.meta.url);
const open = (options: WorldOptions = {}) => openCheckedWorld({ commandsDir, ...options });

const picture = { name: "cat.png", bytes: new Uint8Array(20).fill(1) };
const film = { name: "train.mp4", bytes: new Uint8Array(20).fill(2) };
const MINUTE_MS = 60_000;
const TYPING = /\/typing$/;

/** Waits for the bot's reply to a message, or for the first reply that contains `text`. */
function answerTo(world: World, channel: Channel, asked: SeenMessage, text = ""): Promise<SeenMessage> {
  return world
    .member("Ada")
    .waitForMessage(channel, (each) => each.repliesTo === asked.id && each.text.includes(text));
}

/** The ids of the messages in a channel that the bot has replied to. */
function repliesIn(world: World, channel: Channel): readonly string[] {
  return [...channel.messages.values()].flatMap(({ authorId, repliesTo }) =>
    authorId === world.discord.applicationId && repliesTo !== undefined ? [repliesTo] : [],
  );
}

const untilHeld = (name: string) => until(() => gate(name).report !== undefined);

describe("a message that mentions the bot with a picture", () => {
  it("is answered by a reply with files, which pings nobody", async () => {
    await using world = await open();
    const { general } = world.channels;
    const ada = world.member("Ada");
    const asked = await ada.mention(general, "look", [picture]);
    const answer = await answerTo(world, general, asked);
    expect(answer.text).toBe(`${ada.id} in ${world.guild.id}: cat.png`);
    expect(answer.pings).toEqual([]);
    expect(answer.attachments).toMatchObject([{ filename: "answer.png", size: 10 }]);
    expect(world.discord.requests.some(({ path }) => TYPING.test(path))).toBe(false);
  });

  it("gets an answer whose buttons work", async () => {
    await using world = await open();
    const { general } = world.channels;
    const ada = world.member("Ada");
    const asked = await ada.mention(general, "", [picture]);
    const answer = await answerTo(world, general, asked);
    const pressed = await world.member("Alan").click(answer, "Shout");
    expect(pressed.message.id).toBe(answer.id);
    expect(pressed.text).toContain(`You said: ${ada.id}`);
  });

  it("is answered once if the gateway delivers it twice", async () => {
    await using world = await open();
    const { general } = world.channels;
    const ada = world.member("Ada");
    world.discord.gateway.faults.add({ event: "MESSAGE_CREATE", do: "duplicate" });
    const first = await ada.mention(general, "first", [picture]);
    await answerTo(world, general, first);
    const second = await ada.mention(general, "second", [picture]);
    await answerTo(world, general, second);
    expect(repliesIn(world, general)).toEqual([first.id, second.id]);
    const posts = world.discord.requests.filter(({ path }) => path.endsWith("/messages"));
    expect(posts).toHaveLength(2);
  });

  it("is answered for its own files only, even if it replies to another message with files", async () => {
    await using world = await open();
    const { general } = world.channels;
    const secret = await world.member("Alan").attach(general, "mine", [{ ...picture, name: "secret.png" }]);
    const ada = world.member("Ada");
    const mention = `<@${world.discord.applicationId}>`;
    const asked = await ada.reply(secret, mention, [picture]);
    expect((await answerTo(world, general, asked)).text).toContain(": cat.png");
    const empty = await ada.reply(secret, mention);
    const told = await answerTo(world, general, empty);
    expect(told.text).toContain("right-click it or press and hold it");
    expect(told.text).toContain("**Look at files**");
  });

  it("is answered in a thread", async () => {
    await using world = await open();
    const thread = startThread(world.discord.platform, world.channels.general);
    const asked = await world.member("Ada").mention(thread, "", [picture]);
    expect((await answerTo(world, thread, asked)).text).toContain("cat.png");
  });

  it("is answered without a reply reference if the bot may not read the channel's history", async () => {
    await using world = await open();
    const { guild, discord } = world;
    const deny = 1n << 16n;
    const quiet = discord.addChannel(guild, "quiet", 0, [
      { id: discord.applicationId, kind: 1, allow: 0n, deny },
    ]);
    await world.member("Ada").mention(quiet, "", [picture]);
    const answer = await world.member("Ada").waitForMessage(quiet, ({ author }) => author.bot);
    expect(answer.text).toContain("cat.png");
    expect(answer.repliesTo).toBeUndefined();
  });

  it("is answered with the permission's name if the bot may not attach files", async () => {
    await using world = await open();
    const { guild, discord } = world;
    const deny = 1n << 15n;
    const bare = discord.addChannel(guild, "bare", 0, [
      { id: discord.applicationId, kind: 1, allow: 0n, deny },
    ]);
    const asked = await world.member("Ada").mention(bare, "", [picture]);
    const answer = await answerTo(world, bare, asked);
    expect(answer.text).toMatch(/give me the permission Attach Files\.$|\*\*Attach Files\*\*\.$/);
    expect(repliesIn(world, bare)).toEqual([asked.id]);
  });

  it("and a video is answered for each file that its author may use", async () => {
    await using world = await open();
    const { general } = world.channels;
    const grace = world.member("Grace");
    const both = await grace.mention(general, "", [picture, film]);
    await answerTo(world, general, both, `A film by ${grace.id}`);
    await answerTo(world, general, both, "cat.png");
    const one = await world.member("Alan").mention(general, "", [film, picture]);
    expect((await answerTo(world, general, one)).text).toContain("cat.png");
    const none = await world.member("Alan").mention(general, "", [film]);
    expect((await answerTo(world, general, none)).text).toMatch(/don't have permission/);
    expect(repliesIn(world, general)).toEqual([both.id, both.id, one.id, none.id]);
  });

  it("does not end the bot if it may not write there", async () => {
    await using world = await open();
    const { guild, discord, channels } = world;
    const deny = 1n << 11n;
    const shut = discord.addChannel(guild, "shut", 0, [
      { id: discord.applicationId, kind: 1, allow: 0n, deny },
    ]);
    await world.member("Ada").mention(shut, "", [picture]);
    const asked = await world.member("Ada").mention(channels.general, "", [picture]);
    await answerTo(world, channels.general, asked);
    await until(() => world.bot.log.some((line) => line.includes("answer to a message not sent")));
    expect(shut.messages.size).toBe(1);
  });
});

describe("slow work for a mention", () => {
  it("shows typing after a second, then its progress in the message that becomes the answer", async () => {
    await using world = await open();
    const { general } = world.channels;
    const asked = await world.member("Ada").mention(general, "gate:patience", [picture]);
    await untilHeld("patience");
    const typed = () => world.discord.requests.filter(({ path }) => TYPING.test(path)).length;
    await world.clock.advance(999);
    expect(typed()).toBe(0);
    await world.clock.advance(1);
    await until(() => typed() === 1);
    await world.clock.advance(8_000);
    await until(() => typed() === 2);
    gate("patience").report?.("Half way");
    const state = await answerTo(world, general, asked, "Half way");
    expect(state.repliesTo).toBe(asked.id);
    gate("patience").report?.("Nearly there");
    gate("patience").report?.("75 % · 0.0 of 0.0 MB");
    await world.clock.advance(1_999);
    expect(world.member("Ada").look(state)?.text).toBe("Half way");
    await world.clock.advance(1);
    await answerTo(world, general, asked, "75 %");
    gate("patience").open();
    const answer = await answerTo(world, general, asked, "cat.png");
    expect(answer.id).toBe(state.id);
    expect(answer.attachments).toHaveLength(1);
    await world.clock.advance(MINUTE_MS);
    expect(typed()).toBe(2);
  });
});

describe("an answer to a mention", () => {
  it("explains a mistake in a reply", async () => {
    await using world = await open();
    const { general } = world.channels;
    const asked = await world.member("Ada").mention(general, "a mistake", [picture]);
    expect((await answerTo(world, general, asked)).text).toBe("Please send another one.");
  });

  it("refuses members who may not use the command, and serves the others", async () => {
    await using world = await open();
    const { general } = world.channels;
    const refused = await world.member("Alan").mention(general, "", [film]);
    expect((await answerTo(world, general, refused)).text).toMatch(/don't have permission/);
    const grace = world.member("Grace");
    const served = await grace.mention(general, "", [film]);
    expect((await answerTo(world, general, served)).text).toBe(`A film by ${grace.id}`);
  });

  it("follows people's permissions in the channel, or in a thread's parent channel", async () => {
    await using world = await open();
    const { guild, discord } = world;
    const moderators = [...guild.roles.values()].find(({ name }) => name === "Moderator")?.id ?? "";
    const deny = 1n << 5n;
    const free = discord.addChannel(guild, "free", 0, [
      { id: moderators, kind: 0, allow: 0n, deny: 1n << 2n },
    ]);
    const shut = discord.addChannel(guild, "shut", 0, [{ id: moderators, kind: 0, allow: 0n, deny }]);
    const thread = startThread(discord.platform, shut);
    const answers: string[] = [];
    for (const channel of [free, shut, thread]) {
      const asked = await world.member("Grace").mention(channel, "", [film]);
      answers.push((await answerTo(world, channel, asked)).text.slice(0, 6));
    }
    expect(answers).toEqual(["A film", "You do", "You do"]);
  });

  it("follows the server's own permissions for the command", async () => {
    await using world = await open();
    const { general } = world.channels;
    const alan = world.member("Alan");
    const tools = [...world.discord.state.commands.values()].find(({ name }) => name === "tools");
    if (tools === undefined) {
      throw new Error("tools is not registered");
    }
    world.discord.setCommandPermissions(world.guild, tools, [{ id: alan.id, kind: 2, allow: true }]);
    const asked = await alan.mention(general, "", [film]);
    expect((await answerTo(world, general, asked)).text).toBe(`A film by ${alan.id}`);
  });
});

describe("a direct message", () => {
  it("with a picture is answered without a mention", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const asked = await ada.attach(ada.dm(), "", [picture]);
    expect((await answerTo(world, ada.dm(), asked)).text).toBe(`${ada.id} in a DM: cat.png`);
  });

  it("with a file for a command of servers is answered with what can be sent", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const asked = await ada.attach(ada.dm(), "", [film]);
    expect((await answerTo(world, ada.dm(), asked)).text).toBe(
      "Sorry, I can't do anything with that kind of file. Send me a picture, and I'll take it from there. Type `/` to see what I can do.",
    );
  });
});

describe("a mention or DM without a usable file", () => {
  it("is answered with what the bot can do, once in ten minutes per person", async () => {
    await using world = await open();
    const { general } = world.channels;
    const ada = world.member("Ada");
    const first = await ada.mention(general, "hello");
    expect((await answerTo(world, general, first)).text).toBe(
      "Hello. Mention me in a message with a picture attached, and I'll take it from there. Type `/` to see what I can do.",
    );
    await ada.mention(general, "hello again");
    const shown = await ada.mention(general, "", [picture]);
    await answerTo(world, general, shown);
    await world.clock.advance(10 * MINUTE_MS);
    const later = await ada.mention(general, "hello once more");
    await answerTo(world, general, later);
    expect(repliesIn(world, general)).toEqual([first.id, shown.id, later.id]);
  });

  it("is answered once a minute per channel", async () => {
    await using world = await open();
    const { general, trains } = world.channels;
    const first = await world.member("Ada").mention(general, "hello");
    await answerTo(world, general, first);
    await world.member("Alan").mention(general, "hello");
    const elsewhere = await world.member("Alan").mention(trains, "hello");
    await answerTo(world, trains, elsewhere);
    expect(repliesIn(world, general)).toEqual([first.id]);
  });

  it("is answered with a link to /help if there is one", async () => {
    await using world = await openCheckedWorld();
    const ada = world.member("Ada");
    const asked = await ada.say(ada.dm(), "hello");
    expect((await answerTo(world, ada.dm(), asked)).text).toMatch(
      /^Hello\..* <\/help:\d+> shows what else I can do\.$/,
    );
  });

  it("gets no answer if Discord only added the mention because it is a reply to the bot", async () => {
    await using world = await open();
    const { general } = world.channels;
    const ada = world.member("Ada");
    const board = await ada.slash(general, "fast", { text: "a board" });
    await ada.reply(board.message, "thank you");
    await ada.reply(board.message, "that train, here in a picture", [picture]);
    const asked = await ada.reply(board.message, `<@${world.discord.applicationId}>`, [picture]);
    expect((await answerTo(world, general, asked)).text).toContain("cat.png");
    expect(repliesIn(world, general)).toEqual([asked.id]);
  });

  it("that mentions the bot's role is answered with advice to mention the bot itself", async () => {
    await using world = await open();
    const { general } = world.channels;
    const role = [...world.guild.roles.values()].find(({ botId }) => botId === world.discord.applicationId);
    const asked = await world.member("Grace").attach(general, `<@&${role?.id}>`, [picture]);
    expect((await answerTo(world, general, asked)).text).toContain("mention me by name");
  });

  it("that mentions everyone, or nobody, gets no answer", async () => {
    await using world = await open();
    const { general } = world.channels;
    await world.member("Grace").attach(general, "@everyone", [picture]);
    await world.member("Ada").attach(general, "look", [picture]);
    const asked = await world.member("Ada").mention(general, "", [picture]);
    await answerTo(world, general, asked);
    expect(repliesIn(world, general)).toEqual([asked.id]);
  });
});
