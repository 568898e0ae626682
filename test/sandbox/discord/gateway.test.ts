import { describe, expect, it } from "vitest";
import { shardOf } from "../../../sandbox/discord/snowflake.ts";
import { openDiscord } from "./open-client.ts";
import { identify, openSocket } from "./raw-bot.ts";

async function open(options: Parameters<typeof openDiscord>[0] = {}) {
  const { discord, clock } = await openDiscord(options);
  return {
    discord,
    clock,
    async [Symbol.asyncDispose]() {
      await discord.close();
      clock.stop();
    },
  };
}

describe("the gateway", () => {
  it("sends HELLO at once and acknowledges heartbeats", async () => {
    await using at = await open();
    const socket = await openSocket(at.discord);
    const hello = await socket.until(({ op }) => op === 10);
    expect(hello.d["heartbeat_interval"]).toBe(41_250);
    socket.send(1, null);
    await socket.until(({ op }) => op === 11);
  });

  it.each<[number, string, object]>([
    [4004, "a wrong token", { token: "x" }],
    [4010, "an impossible shard", { shard: [2, 2] }],
    [4013, "unknown intents", { intents: 1 << 30 }],
    [4014, "privileged intents that were not granted", { intents: 1 << 15 }],
    [4002, "an IDENTIFY of the wrong shape", { token: 7 }],
  ])("closes with %i for %s", async (code, _name, more) => {
    await using at = await open();
    const socket = await openSocket(at.discord);
    identify(socket, at.discord, more);
    expect(await socket.closed).toBe(code);
  });

  it.each<[number, string, string]>([
    [4002, "text that is not JSON", "{"],
    [4002, "more than 4,096 bytes", JSON.stringify({ op: 1, d: "x".repeat(4096) })],
    [4001, "an unknown operation", JSON.stringify({ op: 99 })],
    [4003, "an operation before IDENTIFY", JSON.stringify({ op: 3, d: {} })],
  ])("closes with %i for %s", async (code, _name, text) => {
    await using at = await open();
    const socket = await openSocket(at.discord);
    socket.sendText(text);
    expect(await socket.closed).toBe(code);
  });

  it("closes with 4005 for a second IDENTIFY and with 4008 for 121 payloads at once", async () => {
    await using at = await open();
    const twice = await openSocket(at.discord);
    identify(twice, at.discord);
    identify(twice, at.discord);
    expect(await twice.closed).toBe(4005);
    const flood = await openSocket(at.discord);
    for (let sent = 0; sent <= 120; sent += 1) {
      flood.send(1, null);
    }
    expect(await flood.closed).toBe(4008);
  });

  it("accepts a payload of 4,096 bytes and 120 payloads in a minute, then closes with 4008", async () => {
    await using at = await open();
    const socket = await openSocket(at.discord);
    const frame = JSON.stringify({ op: 1, d: "" });
    socket.sendText(frame.replace('""', JSON.stringify("x".repeat(4096 - frame.length))));
    for (let sent = 1; sent < 120; sent += 1) {
      socket.send(1, null);
    }
    await socket.until(() => socket.frames.filter(({ op }) => op === 11).length === 120);
    socket.send(1, null);
    expect(await socket.closed).toBe(4008);
  });

  it("sends each shard its guilds, and shard 0 the events without a guild", async () => {
    await using at = await open();
    const { discord } = at;
    const hours = [0, 1, 2, 3];
    const memberIds = [discord.member("Ada").id];
    for (const hour of hours) {
      discord.addGuild({ name: `guild ${hour}`, memberIds, madeAtMs: Date.UTC(2022, 0, 1, hour) + hour });
    }
    const sockets = await Promise.all([openSocket(discord), openSocket(discord)]);
    for (const [id, socket] of sockets.entries()) {
      identify(socket, discord, { shard: [id, 2], intents: 1 | (1 << 12) });
    }
    for (const [id, socket] of sockets.entries()) {
      const ready = await socket.until(({ t }) => t === "READY");
      const expected = [...discord.state.guilds.keys()].filter((guildId) => shardOf(guildId, 2) === id);
      expect(ready.d["guilds"]).toEqual(expected.map((guildId) => ({ id: guildId, unavailable: true })));
      expect(expected.length).toBeGreaterThan(0);
    }
    const ada = discord.member("Ada");
    await ada.say(ada.dm(), "hi");
    await sockets[0]?.until(({ t }) => t === "MESSAGE_CREATE");
    expect(sockets[1]?.frames.some(({ t }) => t === "MESSAGE_CREATE")).toBe(false);
  });

  it("lists all members of a guild only with GUILD_PRESENCES, otherwise the bot alone", async () => {
    const presences = 1 << 8;
    await using at = await open({ privilegedIntents: presences });
    const { discord } = at;
    const listedMembers = async (intents: number) => {
      const socket = await openSocket(discord);
      identify(socket, discord, { intents });
      const { d } = await socket.until(({ t }) => t === "GUILD_CREATE");
      // GUILD_CREATE always has members.
      const members = d["members"] as { readonly user: { readonly id: string } }[];
      return [d["member_count"], members.map(({ user }) => user.id)];
    };
    expect(await listedMembers(1)).toEqual([5, [discord.applicationId]]);
    const everybody = [...discord.community.guild.members.keys()];
    expect(await listedMembers(1 | presences)).toEqual([5, everybody]);
  });

  it("replays the events that a session missed, in order, then sends RESUMED", async () => {
    await using at = await open();
    const { discord } = at;
    const first = await openSocket(discord);
    identify(first, discord, { intents: 1 | (1 << 9) });
    const ready = await first.until(({ t }) => t === "READY");
    const last = await first.until(({ t }) => t === "GUILD_CREATE");
    first.terminate();
    await first.closed;
    await discord.member("Ada").say(discord.community.channels.general, "one");
    await discord.member("Ada").say(discord.community.channels.general, "two");
    const second = await openSocket(discord);
    second.send(6, { token: discord.token, session_id: ready.d["session_id"], seq: last.s });
    await second.until(({ t }) => t === "RESUMED");
    expect(second.frames.map(({ t, s }) => [t, s])).toEqual([
      [null, null],
      ["MESSAGE_CREATE", 3],
      ["MESSAGE_CREATE", 4],
      ["RESUMED", 5],
    ]);
  });

  it("closes with 4007 for a sequence number that it never sent", async () => {
    await using at = await open();
    const first = await openSocket(at.discord);
    identify(first, at.discord);
    const ready = await first.until(({ t }) => t === "READY");
    first.terminate();
    const second = await openSocket(at.discord);
    second.send(6, { token: at.discord.token, session_id: ready.d["session_id"], seq: 99 });
    expect(await second.closed).toBe(4007);
  });

  it("does not resume a session that is unknown, was closed with 1000 or was away for over 3 minutes", async () => {
    await using at = await open();
    const { discord } = at;
    const ids = ["unknown"];
    for (const leave of ["close", "terminate"] as const) {
      const socket = await openSocket(discord);
      identify(socket, discord);
      ids.push(String((await socket.until(({ t }) => t === "READY")).d["session_id"]));
      if (leave === "close") {
        socket.close(1000);
      } else {
        socket.terminate();
      }
      await socket.closed;
    }
    while ([...discord.gateway.sessions.values()].some(({ isConnected }) => isConnected)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await at.clock.advance(3 * 60_000 + 1);
    for (const id of ids) {
      const socket = await openSocket(discord);
      socket.send(6, { token: discord.token, session_id: id, seq: 1 });
      expect((await socket.until(({ op }) => op === 9)).d).toBe(false);
    }
  });

  it("sends op 7 and op 9 on demand", async () => {
    await using at = await open();
    const socket = await openSocket(at.discord);
    identify(socket, at.discord);
    await socket.until(({ t }) => t === "READY");
    at.discord.gateway.askReconnect();
    await socket.until(({ op }) => op === 7);
    at.discord.gateway.invalidate(true);
    expect((await socket.until(({ op }) => op === 9)).d).toBe(true);
  });

  it("hides the text and files of messages that do not mention the bot", async () => {
    await using at = await open();
    const { discord } = at;
    const socket = await openSocket(discord);
    identify(socket, discord, { intents: 1 | (1 << 9) });
    await socket.until(({ t }) => t === "READY");
    const { general } = discord.community.channels;
    await discord.member("Ada").attach(general, "secret", [{ name: "a.txt", bytes: new Uint8Array(3) }]);
    await discord.member("Ada").mention(general, "open");
    await socket.until(({ d }) => String(d?.["content"]).includes("open"));
    const received = socket.frames
      .filter(({ t }) => t === "MESSAGE_CREATE")
      .map(({ d }) => [d["content"], d["attachments"]]);
    expect(received).toEqual([
      ["", []],
      [`<@${discord.applicationId}> open`, []],
    ]);
  });

  it("reports new guilds, new channels and removed guilds", async () => {
    await using at = await open();
    const socket = await openSocket(at.discord);
    identify(socket, at.discord);
    await socket.until(({ t }) => t === "GUILD_CREATE");
    const guild = at.discord.addGuild({ name: "New", memberIds: [at.discord.member("Ada").id] });
    await socket.until(({ t, d }) => t === "GUILD_CREATE" && d["id"] === guild.id);
    const channel = at.discord.addChannel(guild, "hall");
    const created = await socket.until(({ t }) => t === "CHANNEL_CREATE");
    expect(created.d).toMatchObject({ id: channel.id, guild_id: guild.id, name: "hall" });
    at.discord.removeGuild(guild);
    expect((await socket.until(({ t }) => t === "GUILD_DELETE")).d).toEqual({ id: guild.id });
  });
});
