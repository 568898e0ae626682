// Servers that may not use the bot, and people who may not install it for themselves.
import { expect, it } from "vitest";
import type { Channel, Guild } from "../../sandbox/discord/entities.ts";
import type { World } from "../../sandbox/world.ts";
import { openJudgedWorld, reportJudgement } from "../support/judged-world.ts";

reportJudgement();

/** The id of the sandbox's own server: it is the same in each world. */
async function homeId(): Promise<string> {
  await using world = await openJudgedWorld({ startsBot: false });
  return world.guild.id;
}

const isIn = (world: World, guildId: string) =>
  world.discord.state.guilds.get(guildId)?.members.has(world.discord.state.application.id) === true;

/** A server with a channel for system messages. */
function addStranger(world: World, name: string): { readonly guild: Guild; readonly channel: Channel } {
  const guild = world.discord.addGuild({ name, memberIds: [world.member("Ada").id] });
  const channel = world.discord.addChannel(guild, "general");
  guild.systemChannelId = channel.id;
  return { guild, channel };
}

it("tells a server that is not allowed why, once, and leaves it; the others go on", async () => {
  await using world = await openJudgedWorld({ startsBot: false, env: { ALLOWED_GUILDS: await homeId() } });
  const ada = world.member("Ada");
  const { guild, channel } = addStranger(world, "Stranger");
  await world.bot.start();
  await expect.poll(() => isIn(world, guild.id)).toBe(false);
  expect(ada.messages(channel).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^This bot serves only servers that .* leaves it now\./),
  ]);
  expect((await ada.slash(world.channels.general, "help")).text).not.toBe("");
  expect(isIn(world, world.guild.id)).toBe(true);
});

it("leaves a server that invites it although it is not allowed", async () => {
  await using world = await openJudgedWorld({ env: { ALLOWED_GUILDS: await homeId() } });
  const { guild } = addStranger(world, "Stranger");
  await expect.poll(() => isIn(world, guild.id)).toBe(false);
});

it("leaves none of many at once, but answers nobody there", async () => {
  await using world = await openJudgedWorld({ startsBot: false, env: { ALLOWED_GUILDS: await homeId() } });
  const ada = world.member("Ada");
  const strangers = [1, 2, 3, 4].map((number) => addStranger(world, `Stranger ${number}`));
  await world.bot.start();
  expect(world.bot.log.filter((line) => line.includes("many servers not in ALLOWED_GUILDS"))).toHaveLength(1);
  for (const { guild, channel } of strangers) {
    const refused = await ada.slash(channel, "help");
    expect(refused.text).toMatch(/^This bot serves only servers that .* this server is not one of them\.$/);
    expect(refused.message.ephemeral).toBe(true);
    expect(isIn(world, guild.id)).toBe(true);
  }
});

it("is not offered to people for themselves where USER_INSTALL is off", async () => {
  await using world = await openJudgedWorld({ env: { USER_INSTALL: "off" } });
  const offered = [...world.discord.state.commands.values()].map(({ integrationTypes }) => integrationTypes);
  expect(offered.length).toBeGreaterThan(10);
  expect(offered).toEqual(offered.map(() => [0]));
});
