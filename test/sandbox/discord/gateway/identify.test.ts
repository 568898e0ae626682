import { Client, Events, GatewayIntentBits } from "discord.js";
import { describe, expect, it } from "vitest";
import { identify, openSocket } from "../raw-bot.ts";
import { beginSession, openGateway } from "./open-gateway.ts";

describe("IDENTIFY", () => {
  it("is answered with op 9 within 5 s of another, and accepted on the same socket afterwards", async () => {
    await using at = await openGateway({ settings: { identifyWindowMs: 5000 } });
    await beginSession(at.discord);
    const second = await openSocket(at.discord);
    identify(second, at.discord);
    expect((await second.until(({ op }) => op === 9)).d).toBe(false);
    await at.clock.advance(5000);
    identify(second, at.discord);
    await second.until(({ t }) => t === "READY");
  });

  it("is accepted from max_concurrency shards at once, one of each group", async () => {
    await using at = await openGateway({ settings: { identifyWindowMs: 5000, identifyConcurrency: 2 } });
    const outcomes: string[] = [];
    for (const shard of [0, 1, 2, 3]) {
      const socket = await openSocket(at.discord);
      identify(socket, at.discord, { shard: [shard, 4] });
      const first = await socket.until(({ t, op }) => t === "READY" || op === 9);
      outcomes.push(first.t ?? "op 9");
    }
    expect(outcomes).toEqual(["READY", "READY", "op 9", "op 9"]);
  });

  it("is retried by discord.js after an op 9", async () => {
    await using at = await openGateway({ settings: { identifyWindowMs: 60_000 } });
    const earlier = await beginSession(at.discord);
    earlier.socket.terminate();
    const client = new Client({
      intents: [GatewayIntentBits.Guilds],
      rest: { api: `${at.discord.baseUrl}/api` },
    });
    const refused = new Promise<void>((resolve) => {
      client.on(Events.Debug, (text) => text.includes("Invalid session") && resolve());
    });
    const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
    const login = client.login(at.discord.token);
    await refused;
    await at.clock.advance(60_000);
    await Promise.all([login, ready]);
    expect(at.discord.gateway.sessions.size).toBe(2);
    await client.destroy();
  }, 30_000);

  it("resets the token and closes all connections with 4004 if it exceeds the daily limit", async () => {
    await using at = await openGateway({ settings: { identifyLimit: 2 } });
    const { discord } = at;
    const oldToken = discord.token;
    const limit = async (token: string) => {
      const answer = await fetch(`${discord.baseUrl}/api/v10/gateway/bot`, {
        headers: { authorization: `Bot ${token}` },
      });
      return [answer.status, await answer.json()];
    };
    const first = await beginSession(discord);
    await beginSession(discord);
    expect(await limit(oldToken)).toMatchObject([
      200,
      { session_start_limit: { total: 2, remaining: 0, reset_after: 86_400_000, max_concurrency: 1 } },
    ]);
    const third = await openSocket(discord);
    identify(third, discord);
    expect([await third.closed, await first.socket.closed]).toEqual([4004, 4004]);
    expect(await limit(oldToken)).toMatchObject([401, { code: 0 }]);
    const fourth = await openSocket(discord);
    identify(fourth, discord, { token: oldToken });
    expect(await fourth.closed).toBe(4004);
    expect(discord.token).not.toBe(oldToken);
    await beginSession(discord);
  });

  it("no longer counts after a day, and a RESUME never counts", async () => {
    await using at = await openGateway({ settings: { identifyLimit: 1 } });
    const { discord } = at;
    const first = await beginSession(discord);
    first.socket.terminate();
    const resumed = await openSocket(discord);
    resumed.send(6, { token: discord.token, session_id: first.id, seq: first.lastSequence() });
    await resumed.until(({ t }) => t === "RESUMED");
    await at.clock.advance(86_400_000);
    const tomorrow = await beginSession(discord);
    expect(tomorrow.id).not.toBe(first.id);
    expect(discord.state.identifiedAtMs).toHaveLength(1);
  });

  it("is refused with 4011 if the shard has too many guilds, and accepted with more shards", async () => {
    await using at = await openGateway({ settings: { guildsPerShard: 2 } });
    const { discord } = at;
    const memberIds = [discord.member("Ada").id];
    for (const hour of [1, 3]) {
      discord.addGuild({ name: `guild ${hour}`, memberIds, madeAtMs: Date.UTC(2022, 0, 1, hour) + hour });
    }
    const alone = await openSocket(discord);
    identify(alone, discord);
    expect(await alone.closed).toBe(4011);
    const one = await openSocket(discord);
    identify(one, discord, { shard: [0, 2] });
    await one.until(({ t }) => t === "READY");
  });

  it.each([
    ["?v=5&encoding=json", 4012],
    ["", 4012],
  ])("needs API version 10: the query %j is closed with %i", async (query, code) => {
    await using at = await openGateway();
    const socket = await openSocket(at.discord, query);
    expect(await socket.closed).toBe(code);
  });

  it.each(["?v=10&encoding=etf", "?v=10&encoding=json&compress=zlib-stream"])(
    "is impossible with an unsupported encoding or compression, which gets a 501: %s",
    async (query) => {
      await using at = await openGateway();
      await expect(openSocket(at.discord, query)).rejects.toThrow("501");
    },
  );
});
