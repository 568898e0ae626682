import { Events } from "discord.js";
import { describe, expect, it } from "vitest";
import { openScene } from "./open-client.ts";
import { openRawScene } from "./raw-bot.ts";

describe("reset", () => {
  it("brings the community of the beginning back", async () => {
    await using scene = await openRawScene();
    const { discord, general, ada, api } = scene;
    const { guild } = discord.community;
    const before = structuredClone({
      users: [...discord.state.users.keys()],
      roles: [...guild.roles],
      members: [...guild.members],
      channels: [...guild.channels.keys()],
      overwrites: general.overwrites,
      systemChannelId: guild.systemChannelId,
      settings: discord.settings,
    });
    await ada.say(general, "hello");
    await ada.say(ada.dm(), "hello");
    const grace = discord.member("Grace");
    discord.addUser("Nobody");
    discord.addGuild({ name: "Other", memberIds: [ada.id] });
    discord.addChannel(guild, "more");
    discord.addRole(guild, { name: "Guards", permissions: 8n, memberIds: [grace.id] });
    general.overwrites = [{ id: guild.id, kind: 0, allow: 0n, deny: 1n << 11n }];
    guild.systemChannelId = undefined;
    discord.settings.attachmentSizeLimitBytes = 1;
    const fault = discord.faults.add({ path: /.*/, do: "500", times: 9 });
    const silence = discord.gateway.faults.add({ event: "MESSAGE_CREATE", do: "drop" });
    expect((await api("GET", "/users/@me")).status).toBe(500);

    discord.reset();
    expect({
      users: [...discord.state.users.keys()],
      roles: [...guild.roles],
      members: [...guild.members],
      channels: [...guild.channels.keys()],
      overwrites: general.overwrites,
      systemChannelId: guild.systemChannelId,
      settings: discord.settings,
    }).toEqual(before);
    expect([...discord.state.guilds.keys()]).toEqual([guild.id]);
    expect([general.messages.size, ada.messages(ada.dm()).length]).toEqual([0, 0]);
    expect([discord.requests.length, discord.state.interactions.size]).toEqual([0, 0]);
    expect((await api("GET", "/users/@me")).status).toBe(200);
    await ada.say(general, "again");
    expect([fault.met, silence.met]).toEqual([1, 0]);
    discord.reset();
    expect(general.messages.size).toBe(0);
  });

  it("lifts a ban and fills the buckets", async () => {
    await using scene = await openRawScene();
    const { discord, api, general } = scene;
    discord.settings.invalidRequestLimit = 1;
    await api("GET", "/users/@me");
    await fetch(`${discord.baseUrl}/api/v10/users/@me`);
    expect(discord.limits.isBanned).toBe(true);
    discord.reset();
    const posted = await api("POST", `/channels/${general.id}/messages`, { content: "hi" });
    expect(posted.status).toBe(200);
    expect(discord.limits.busiestSecond).toBe(1);
  });

  it("keeps discord.js logged in, with its commands, and tells it what is gone", async () => {
    await using scene = await openScene({
      commands: [{ name: "echo", description: "Says it again" }],
      onInteraction: (interaction) => interaction.isChatInputCommand() && interaction.reply("echo"),
    });
    const { client, discord } = scene;
    const { guild, channels } = discord.community;
    const other = discord.addGuild({ name: "Other", memberIds: [discord.member("Ada").id] });
    discord.addChannel(guild, "more");
    await expect.poll(() => client.guilds.cache.get(guild.id)?.channels.cache.size).toBe(5);
    await expect.poll(() => client.guilds.cache.has(other.id)).toBe(true);
    const gone = new Promise((resolve) => client.once(Events.ChannelDelete, resolve));
    discord.reset();
    await gone;
    expect([...client.guilds.cache.keys()]).toEqual([guild.id]);
    expect(client.guilds.cache.get(guild.id)?.channels.cache.size).toBe(4);
    const answer = await discord.member("Alan").slash(channels.general, "echo");
    expect(answer.text).toBe("echo");
    expect(discord.gateway.sessions.size).toBe(1);
  });
});
