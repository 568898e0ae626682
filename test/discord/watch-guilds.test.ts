// Leaving servers that are not allowed, while the shards become ready one after another.
import { Client, GatewayDispatchEvents, type WebSocketShard } from "discord.js";
import { describe, expect, it } from "vitest";
import { collectLog } from "../support/collect-log.ts";
import { createAdmission, createGuildLeaver } from "../../src/discord/admission.ts";
import type { GuildTracker } from "../../src/core/ports.ts";
import { watchGuilds } from "../../src/discord/watch-guilds.ts";
import { until } from "../support/until.ts";

/** Server ids. With two shards, those of odd numbers are on the second. */
const idsOf = (numbers: readonly number[]) => numbers.map((each) => String(BigInt(each) << 22n));
const named = (ids: readonly string[]) => ({ guilds: ids.map((id) => ({ id, unavailable: true })) });

/** Watches a client with two shards that has no connection. */
function open(allowed: readonly string[], presentOnly: GuildTracker["presentOnly"] = async () => undefined) {
  const client = new Client({ intents: [], shards: [0, 1], shardCount: 2 });
  // Only the number of shards matters here.
  [0, 1].forEach((id) => client.ws.shards.set(id, {} as WebSocketShard));
  const left: string[] = [];
  const { log, lines } = collectLog();
  const nothing = async () => undefined;
  // The database does not answer, so only the known blocks count.
  const blocked = { has: () => false, load: () => Promise.reject(new Error("away")) };
  watchGuilds(client, {
    guilds: {
      left: nothing,
      present: nothing,
      presentOnly,
      eraseDue: nothing,
      used: () => undefined,
    },
    leaver: createGuildLeaver({
      admission: createAdmission({ guilds: allowed, userInstall: true }, blocked),
      blocked,
      rest: {
        async delete(route) {
          left.push(route);
          return undefined;
        },
      },
      messenger: { noticeChannel: nothing, post: () => Promise.reject(new Error("there is no channel")) },
      offers: () => false,
      log,
    }),
    listGuilds: () => Promise.reject(new Error("nobody asks")),
    log,
  });
  const ready = (shard: number, ids: readonly string[]) =>
    client.ws.emit(GatewayDispatchEvents.Ready, named(ids), shard);
  return { client, ready, left, lines };
}

describe("servers that are not allowed", () => {
  it("are counted over all shards, and not left if they are most of the servers", () => {
    const { ready, left, lines } = open(idsOf([0]));
    ready(0, idsOf([0, 2, 4]));
    ready(1, idsOf([1, 3]));
    expect(left).toEqual([]);
    expect(lines.filter((line) => line.includes("leaving suspended"))).toHaveLength(1);
  });

  it("are left if they are few of all servers, even if they are all on one shard", async () => {
    const allowed = idsOf(Array.from({ length: 12 }, (_, index) => 2 * index));
    const strangers = idsOf([1, 3, 5, 7]);
    const { ready, left } = open(allowed);
    ready(1, strangers);
    expect(left).toEqual([]);
    ready(0, allowed);
    await until(() => left.length === 4);
    expect(left).toEqual(strangers.map((id) => `/users/@me/guilds/${id}`));
  });

  it("are left once when they invite the bot or READY names them", async () => {
    const { client, ready, left } = open(idsOf([0]));
    const [stranger = "", invited = ""] = idsOf([1, 2]);
    ready(0, idsOf([0]));
    ready(1, [stranger]);
    for (const id of [stranger, invited]) {
      client.ws.emit(GatewayDispatchEvents.GuildCreate, { id }, 0);
    }
    await until(() => left.length === 2);
    expect(left).toEqual([stranger, invited].map((id) => `/users/@me/guilds/${id}`));
  });
});

it("a server that belongs to another shard after the number of shards grows does not count as left", async () => {
  const [first = "", second = ""] = idsOf([0, 2]);
  const asked = Promise.withResolvers<readonly boolean[]>();
  const { client, ready } = open([], async (_, isOfShard) => {
    // The number of shards changes while the known servers are read.
    client.options.shardCount = 3;
    asked.resolve([first, second, ...idsOf([3])].map((id) => isOfShard(id)));
  });
  ready(0, [first, second]);
  // With three shards, the first has the last of these servers instead of the second.
  expect(await asked.promise).toEqual([true, true, false]);
});
