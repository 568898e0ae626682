// With /operator, the person who runs the bot sees its servers and acts on them; nobody else can use it.
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Channel } from "../../sandbox/discord/entities.ts";
import type { World } from "../../sandbox/world.ts";
import { subscribeBoard } from "../support/board-posts.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { addServer, hasBot, homeServerId, inviteAgain } from "../support/servers.ts";

reportChecks();

const HOUR_MS = 3_600_000;

/** The texts that the bot has written in a channel. */
const textsIn = (world: World, channel: Channel) =>
  world
    .member("Ada")
    .messages(channel)
    .filter(({ author }) => author.bot)
    .map(({ text }) => text);

it("is offered only in DMs with the bot, is not in /help, and refuses everybody but the owner", async () => {
  await using world = await openCheckedWorld();
  const command = [...world.discord.state.commands.values()].find(({ name }) => name === "operator");
  expect(command).toMatchObject({ contexts: [1], integrationTypes: [0] });
  const mary = world.member("Mary");
  expect((await mary.slash(mary.dm(), "operator")).text).toBe(
    "Only the people who run this bot can use that, and only in a direct message to it.",
  );
  expect((await mary.slash(mary.dm(), "help")).text).not.toContain("operator");
  await expect(mary.slash(world.channels.general, "operator")).rejects.toThrow(/operator/);
});

it("lists the servers, leaves one, and blocks another until it is unblocked", async () => {
  await using world = await openCheckedWorld();
  const ada = world.member("Ada");
  const [quiet, noisy] = ["Quiet", "Noisy"].map((name) => addServer(world, name));
  if (quiet === undefined || noisy === undefined) {
    throw new Error("there must be two");
  }
  await ada.slash(noisy.channel, "help");
  await world.clock.advance(3 * HOUR_MS);
  const list = await ada.slash(ada.dm(), "operator");
  const usedAt = Math.floor((world.clock.now() - 3 * HOUR_MS) / 1_000);
  expect(list.text).toContain("### 3 servers · 9 members");
  expect(list.text).toContain(`**Noisy** · 2 members · last command <t:${usedAt}:R>`);
  expect(list.text).toContain("**Quiet** · 2 members · no command used yet");

  const card = await ada.select(list.message, "Open a server…", ["Quiet"]);
  const question = await ada.click(card.message, "Leave…");
  expect(hasBot(world, quiet.guild)).toBe(true);
  expect((await ada.click(question.message, "Leave")).text).toContain("I've left **Quiet**.");
  expect(hasBot(world, quiet.guild)).toBe(false);
  expect(textsIn(world, quiet.channel).join("\n")).not.toMatch(/leaving|not allowed/);

  const again = await ada.slash(ada.dm(), "operator");
  const other = await ada.select(again.message, "Open a server…", ["Noisy"]);
  const asked = await ada.click(other.message, "Block…");
  expect((await ada.click(asked.message, "Block")).text).toContain("**Noisy** is blocked.");
  expect(hasBot(world, noisy.guild)).toBe(false);
  expect(textsIn(world, noisy.channel).at(-1)).toMatch(/hasn't allowed it in this server/);

  inviteAgain(world, noisy.guild);
  await expect.poll(() => hasBot(world, noisy.guild)).toBe(false);
  inviteAgain(world, quiet.guild);

  const overview = await ada.slash(ada.dm(), "operator");
  const blocked = await ada.click(overview.message, "Blocked servers (1)");
  expect(blocked.text).toContain("**Noisy** · blocked");
  await ada.select(blocked.message, "Unblock a server…", ["Noisy"]);
  inviteAgain(world, noisy.guild);
  expect((await ada.slash(noisy.channel, "help")).text).not.toMatch(/not allowed/);
  expect([quiet, noisy].map(({ guild }) => hasBot(world, guild))).toEqual([true, true]);
});

it("leaves several servers that are not allowed once the owner confirms", async () => {
  const env = { ALLOWED_GUILDS: await homeServerId() };
  await using world = await openCheckedWorld({ startsBot: false, env });
  const ada = world.member("Ada");
  const strangers = [1, 2, 3, 4].map((number) => addServer(world, `Stranger ${number}`));
  await world.bot.start();
  const list = await ada.slash(ada.dm(), "operator");
  expect(list.text).toContain("**4 servers not allowed.**");
  const question = await ada.click(list.message, "Leave 4 servers…");
  expect(question.text).toContain("Stranger 1, Stranger 2, Stranger 3, Stranger 4");
  expect(strangers.every(({ guild }) => hasBot(world, guild))).toBe(true);
  await ada.click(question.message, "Leave them");
  await expect.poll(() => strangers.some(({ guild }) => hasBot(world, guild))).toBe(false);
  expect(strangers.map(({ channel }) => textsIn(world, channel))).toEqual(
    strangers.map(() => [expect.stringMatching(/hasn't allowed it in this server/)]),
  );
  expect(hasBot(world, world.guild)).toBe(true);
});

it("shows on whose behalf calls were made today", async () => {
  await using world = await openCheckedWorld();
  const ada = world.member("Ada");
  const look = async () => {
    const list = await ada.slash(ada.dm(), "operator");
    return (await ada.click(list.message, "Plan use today")).text;
  };
  expect(await look()).toContain("None so far.");
  await ada.slash(world.channels.general, "departures", { station: "York" });
  await ada.slash(world.channels.general, "departures", { station: "York" });
  await ada.slash(world.channels.general, "departures", { station: "Leeds" });
  await ada.slash(ada.dm(), "departures", { station: "Hull" });
  const text = await look();
  expect(text).toContain(`**${world.guild.name}** · 2 calls for trains and buses`);
  expect(text).toMatch(/\*\*Direct messages.*\*\* · 1 call for trains and buses/);
  await world.clock.advance(24 * HOUR_MS);
  expect(await look()).not.toContain(world.guild.name);
});

it("previews a notice, then sends it once to each channel with a board", async () => {
  await using world = await openCheckedWorld();
  const ada = world.member("Ada");
  const { general, trains, staff } = world.channels;
  const text = "The bot moves house on Sunday: **boards pause for an hour**. @everyone";
  const early = await ada.slash(ada.dm(), "operator");
  const tooEarly = await ada.submit(await ada.click(early.message, "Write a notice"), {
    "What they should know": text,
  });
  expect(tooEarly.text).toMatch(/^No channel has a board/);
  for (const [channel, station] of [
    [general, "York"],
    [trains, "York"],
    [trains, "Leeds"],
  ] as const) {
    await subscribeBoard(world, channel, { station, every: "5 minutes", view: "text" });
  }
  const list = await ada.slash(ada.dm(), "operator");
  expect(list.text).toContain("3 boards");
  const preview = await ada.submit(await ada.click(list.message, "Write a notice"), {
    "What they should know": text,
  });
  expect(preview.text).toContain(text);
  expect(preview.text).toContain("2 channels");
  await world.tick();
  const notices = (channel: Channel) =>
    textsIn(world, channel).filter((each) => each.includes("moves house"));
  expect([general, trains, staff].flatMap(notices)).toEqual([]);
  const sent = await ada.click(preview.message, "Send to 2 channels");
  expect(sent.text).toContain("on its way to 2 channels");
  await world.tick();
  await world.tick();
  expect([general, trains, staff].map((channel) => notices(channel).length)).toEqual([1, 1, 0]);
  const posted = ada.messages(general).find((message) => message.text.includes("moves house"));
  expect(posted?.pings).toEqual([]);
  expect((await ada.click(sent.message, "Back")).text).toContain(
    "**Last notice:** posted in 2 of 2 channels",
  );
});

it("sends a notice to the other servers if one has timed out the bot", async () => {
  await using world = await openCheckedWorld();
  const ada = world.member("Ada");
  const other = addServer(world, "Other");
  await subscribeBoard(world, world.channels.trains, { station: "York" });
  await subscribeBoard(world, other.channel, { station: "York" }, ada);
  world.discord.timeOut(world.guild, world.discord.applicationId, world.clock.now() + 24 * HOUR_MS);
  const list = await ada.slash(ada.dm(), "operator");
  const preview = await ada.submit(await ada.click(list.message, "Write a notice"), {
    "What they should know": "Back on Sunday.",
  });
  const sent = await ada.click(preview.message, "Send to 2 channels");
  await world.tick();
  await world.tick();
  expect(textsIn(world, other.channel).join("\n")).toContain("Back on Sunday.");
  expect((await ada.click(sent.message, "Back")).text).toContain("posted in 1 of 2 channels");
});

it("tells the owner once by DM what needs attention, even across a restart, and lists it in /operator", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "signalbox-owner-"));
  const env = { OWNER_NOTICES: "on", DATABASE_URL: `sqlite:${join(folder.path, "signalbox.db")}` };
  await using world = await openCheckedWorld({ env });
  const ada = world.member("Ada");
  const told = () => ada.messages(ada.dm()).filter(({ text }) => text.includes("needs your attention"));
  const pass = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed += 10) {
      await world.clock.advance(10 * 60_000);
      await world.tick();
    }
  };
  await subscribeBoard(world, world.channels.trains, { station: "York", every: "5 minutes", view: "text" });
  world.video.invalidateToken(world.video.tokens.page);
  await world.bot.stop();
  await world.clock.advance(HOUR_MS);
  await world.bot.start();
  await world.tick();
  expect(told()).toEqual([]);
  await pass(50);
  const [message, ...others] = told();
  expect(others).toEqual([]);
  expect(message?.text).toContain("The video service no longer accepts `VIDEO_ACCESS_TOKEN`");
  expect(message?.text).toContain("1 board missed at least one update in the last 24 hours");
  expect(message && (await ada.click(message, "Show all servers")).text).toContain(
    "**Needs your attention**",
  );

  await world.bot.stop();
  await world.bot.start();
  await pass(60);
  expect(told()).toHaveLength(1);
  expect(world.member("Mary").messages(world.member("Mary").dm())).toEqual([]);
});
