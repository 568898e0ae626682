import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../../sandbox/discord/platform.ts";
import type { PlatformSettings } from "../../../../sandbox/discord/platform.ts";
import { openScene } from "../open-client.ts";
import { openRawScene } from "../raw-bot.ts";

/** Opens a raw bot with Discord's real limits, except for the given settings. */
async function openStrict(settings: Partial<PlatformSettings> = {}) {
  const scene = await openRawScene();
  const { discord } = scene;
  const { buckets, globalPerSecond, invalidRequestLimit } = DEFAULT_SETTINGS;
  Object.assign(discord.settings, { buckets, globalPerSecond, invalidRequestLimit, ...settings });
  discord.limits.reset();
  const channels = Array.from({ length: 60 }, (_, index) =>
    discord.addChannel(discord.community.guild, `c${index}`),
  );
  return {
    ...scene,
    channels,
    post: (channelId = scene.general.id) =>
      scene.api("POST", `/channels/${channelId}/messages`, { content: "hi" }),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

describe("a route's bucket", () => {
  it("states in the headers how much is left and when it resets", async () => {
    await using at = await openStrict();
    const first = await at.post();
    const second = await at.post();
    const header = (name: string) => [first, second].map(({ headers }) => headers.get(`x-ratelimit-${name}`));
    expect(header("limit")).toEqual(["5", "5"]);
    expect(header("remaining")).toEqual(["4", "3"]);
    const [resetAfter] = header("reset-after").map(Number);
    expect(resetAfter).toBeGreaterThan(0);
    expect(resetAfter).toBeLessThanOrEqual(5);
    expect(Number(header("reset")[0])).toBeCloseTo(at.clock.now() / 1000 + Number(resetAfter), 2);
    expect(header("bucket")[0]).toBe(header("bucket")[1]);
    expect(first.headers.get("retry-after")).toBeNull();
  });

  it("refuses the sixth message in a channel with 429 and scope user, but not one in another channel", async () => {
    await using at = await openStrict();
    for (let count = 0; count < 5; count += 1) {
      expect((await at.post()).status).toBe(200);
    }
    const refused = await at.post();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-ratelimit-scope")).toBe("user");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(refused.headers.get("x-ratelimit-global")).toBeNull();
    expect(refused.json).toMatchObject({ message: "You are being rate limited.", global: false });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(
      Number(refused.json["retry_after"]),
    );
    expect(at.general.messages.size).toBe(5);
    expect((await at.post(at.channels[0]?.id)).status).toBe(200);
    expect(at.discord.limits.refused).toEqual({ user: 1, global: 0, shared: 0, ban: 0 });
    expect(at.discord.requests.filter(({ refusedBy }) => refusedBy === "user")).toHaveLength(1);
  });

  it("is full again after five seconds on the sandbox's clock", async () => {
    await using at = await openStrict();
    for (let count = 0; count < 6; count += 1) {
      await at.post();
    }
    await at.clock.advance(5000);
    const again = await at.post();
    expect([again.status, again.headers.get("x-ratelimit-remaining")]).toEqual([200, "4"]);
  });

  it("is respected by discord.js, which waits before it would exceed it", async () => {
    await using scene = await openScene({
      discord: { settings: { buckets: { "*": { limit: 2, windowMs: 150 } } } },
    });
    const { client, discord } = scene;
    const channel = await client.channels.fetch(discord.community.channels.trains.id);
    await Promise.all(
      Array.from({ length: 6 }, async () => (channel?.isSendable() ? channel.send("x") : undefined)),
    );
    expect(discord.community.channels.trains.messages.size).toBe(6);
    expect(discord.limits.refused.user).toBe(0);
  });
});

describe("the global limit", () => {
  it("refuses the 51st request in a sliding second across all channels, with scope global", async () => {
    await using at = await openStrict();
    const answers = await Promise.all(at.channels.slice(0, 51).map(({ id }) => at.post(id)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.headers.get("x-ratelimit-scope")).toBe("global");
    expect(refused[0]?.headers.get("x-ratelimit-global")).toBe("true");
    expect(refused[0]?.headers.get("x-ratelimit-bucket")).toBeNull();
    expect(refused[0]?.json).toMatchObject({ global: true });
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
    expect(at.discord.limits.busiestSecond).toBe(51);
    await at.clock.advance(1000);
    expect((await at.post()).status).toBe(200);
    at.discord.forgetRequests();
    expect(at.discord.limits.refused.global).toBe(0);
    expect(at.discord.limits.busiestSecond).toBeLessThanOrEqual(1);
  });

  it("does not apply to callbacks and follow-ups; follow-ups have their webhook's bucket", async () => {
    await using at = await openStrict({ globalPerSecond: 1 });
    await at.post();
    const { callback, webhook, ended } = await at.interact();
    const answered = await at.api("POST", callback, { type: 4, data: { content: "a" } });
    expect([answered.status, answered.headers.get("x-ratelimit-limit")]).toEqual([204, null]);
    await ended;
    const followUps: (number | string | null)[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { status, headers } = await at.api("POST", webhook, { content: "b" });
      followUps.push(status === 429 ? headers.get("x-ratelimit-scope") : status);
    }
    expect(followUps).toEqual([200, 200, 200, 200, 200, "user"]);
  });

  it("lets discord.js answer 200 interactions at once", async () => {
    await using scene = await openScene({
      discord: { settings: { globalPerSecond: 50 } },
      commands: [{ name: "echo", description: "Says it again" }],
      onInteraction: (interaction) => interaction.isChatInputCommand() && interaction.reply("echo"),
    });
    const { discord } = scene;
    const ada = discord.member("Ada");
    await Promise.all(
      Array.from({ length: 200 }, () => ada.slash(discord.community.channels.general, "echo")),
    );
    expect(discord.community.channels.general.messages.size).toBe(200);
    expect(discord.limits.refused).toEqual({ user: 0, global: 0, shared: 0, ban: 0 });
  });

  it("makes discord.js pause, and every message arrives once", async () => {
    await using scene = await openScene({ discord: { settings: { globalPerSecond: 10 } } });
    const { client, discord } = scene;
    const channel = await client.channels.fetch(discord.community.channels.trains.id);
    const limited = new Promise<boolean>((resolve) => {
      client.rest.once("rateLimited", ({ global }) => resolve(global));
    });
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        channel?.isSendable() ? channel.send(String(index)) : undefined,
      ),
    );
    expect(await limited).toBe(true);
    expect(discord.community.channels.trains.messages.size).toBe(20);
  });

  it("counts requests without the bot's token separately", async () => {
    await using at = await openStrict({ globalPerSecond: 2 });
    const ask = async (authorization: string) =>
      (await fetch(`${at.discord.baseUrl}/api/v10/users/@me`, { headers: { authorization } })).status;
    expect([await ask("Bot x"), await ask("Bot x"), await ask("Bot x")]).toEqual([401, 401, 429]);
    expect(await ask(`Bot ${at.discord.token}`)).toBe(200);
  });
});

describe("invalid requests", () => {
  it("lead to a ban of all requests, including callbacks, until it ends", async () => {
    await using at = await openStrict({ invalidRequestLimit: 3, banMs: 60_000 });
    const { discord } = at;
    const asStranger = () => fetch(`${discord.baseUrl}/api/v10/users/@me`);
    await asStranger();
    discord.faults.add({ path: /.*/, do: "429-shared" });
    expect((await at.post()).headers.get("x-ratelimit-scope")).toBe("shared");
    expect(discord.limits.invalidRequests).toBe(1);
    discord.faults.add({ path: /.*/, do: "429" });
    await at.post();
    expect([discord.limits.invalidRequests, discord.limits.isBanned]).toEqual([2, false]);
    await asStranger();
    expect(discord.limits.isBanned).toBe(true);
    const banned = await fetch(`${discord.baseUrl}/api/v10/interactions/1/t/callback`, { method: "POST" });
    expect([banned.status, await banned.text()]).toEqual([429, "error code: 1015"]);
    expect(banned.headers.get("retry-after")).toBe("60");
    expect(banned.headers.get("x-ratelimit-scope")).toBeNull();
    await at.clock.advance(60_000);
    expect((await at.post()).status).toBe(200);
    expect(discord.limits.refused).toEqual({ user: 1, global: 0, shared: 1, ban: 1 });
  });

  it("no longer count after ten minutes", async () => {
    await using at = await openStrict({ invalidRequestLimit: 2 });
    const asStranger = async () => (await fetch(`${at.discord.baseUrl}/api/v10/users/@me`)).status;
    await asStranger();
    await at.clock.advance(600_000);
    await asStranger();
    expect([at.discord.limits.invalidRequests, at.discord.limits.isBanned]).toEqual([1, false]);
  });
});
