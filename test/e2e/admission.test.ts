// Servers that may not use the bot, people who may not install it for themselves, and a server's command permissions.
import { expect, it } from "vitest";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { addServer, hasBot, homeServerId } from "../support/servers.ts";

reportChecks();

it("tells a server that is not allowed why, leaves it, and keeps serving the others", async () => {
  await using world = await openCheckedWorld({
    startsBot: false,
    env: { ALLOWED_GUILDS: await homeServerId() },
  });
  const ada = world.member("Ada");
  const { guild, channel } = addServer(world, "Stranger");
  await world.bot.start();
  await expect.poll(() => hasBot(world, guild)).toBe(false);
  expect(ada.messages(channel).map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^The person who runs this bot hasn't allowed it in this server, so it's leaving now\./,
    ),
  ]);
  expect((await ada.slash(world.channels.general, "help")).text).not.toBe("");
  expect(hasBot(world, world.guild)).toBe(true);
});

it("leaves a server that invites the bot without being allowed", async () => {
  await using world = await openCheckedWorld({ env: { ALLOWED_GUILDS: await homeServerId() } });
  const { guild } = addServer(world, "Stranger");
  await expect.poll(() => hasBot(world, guild)).toBe(false);
});

it("says hello once in a server that it joins, but not in servers that it finds at start", async () => {
  await using world = await openCheckedWorld({ startsBot: false });
  const ada = world.member("Ada");
  const found = addServer(world, "Found");
  await world.bot.start();
  const joined = addServer(world, "Joined");
  const hello = await ada.waitForMessage(joined.channel, ({ author }) => author.bot);
  expect(hello.text).toMatch(/^Hello, I'm Signalbox\. <\/setup:\d+> helps .* <\/help:\d+> shows everyone/);
  expect(hello.pings).toEqual([]);
  await world.bot.stop();
  await world.bot.start();
  expect(ada.messages(joined.channel)).toHaveLength(1);
  expect(ada.messages(found.channel)).toEqual([]);
});

it("stays in several servers that are not allowed, but answers nobody there", async () => {
  await using world = await openCheckedWorld({
    startsBot: false,
    env: { ALLOWED_GUILDS: await homeServerId() },
  });
  const ada = world.member("Ada");
  const strangers = [1, 2, 3, 4].map((number) => addServer(world, `Stranger ${number}`));
  await world.bot.start();
  expect(world.bot.log.filter((line) => line.includes("many servers not in ALLOWED_GUILDS"))).toHaveLength(1);
  for (const { guild, channel } of strangers) {
    const refused = await ada.slash(channel, "help");
    expect(refused.text).toMatch(/^The person who runs this bot hasn't allowed it in this server\. Ask them/);
    expect(refused.message.ephemeral).toBe(true);
    expect(hasBot(world, guild)).toBe(true);
  }
});

it("registers no command for user installs if USER_INSTALL is off", async () => {
  await using world = await openCheckedWorld({ env: { USER_INSTALL: "off" } });
  const offered = [...world.discord.state.commands.values()].map(({ integrationTypes }) => integrationTypes);
  expect(offered.length).toBeGreaterThan(10);
  expect(offered).toEqual(offered.map(() => [0]));
});

it.each(["/departures alone", "all commands"])(
  "applies a server's permissions for %s to buttons",
  async (scope) => {
    await using world = await openCheckedWorld();
    const { general } = world.channels;
    const [ada, mary] = [world.member("Ada"), world.member("Mary")];
    const shown = await ada.slash(general, "departures", { station: "York" });
    const { commands, application } = world.discord.state;
    const command = [...commands.values()].find(({ name }) => name === "departures");
    const target = scope === "all commands" ? application : command;
    if (target === undefined) {
      throw new Error("/departures is not registered");
    }
    world.discord.setCommandPermissions(world.guild, target, [{ id: general.id, kind: 3, allow: false }]);
    const refused = await mary.click(shown.message, "Refresh");
    expect(refused.text).toMatch(/^You don't have permission to do that in this server\./);
    world.discord.setCommandPermissions(world.guild, target, []);
    expect((await mary.click(shown.message, "Refresh")).text).toContain("York");
  },
);
