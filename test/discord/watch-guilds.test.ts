// Which of its servers the bot leaves, as its shards become ready one after another.
import { Client, GatewayDispatchEvents, type WebSocketShard } from "discord.js";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { createAdmission, createGuildLeaver } from "../../src/discord/admission.ts";
import type { GuildTracker } from "../../src/core/ports.ts";
import { watchGuilds } from "../../src/discord/watch-guilds.ts";
import { until } from "../support/until.ts";

/** Ids of which every second one is of the second of two shards. */
const idsOf = (numbers: readonly number[]) => numbers.map((each) => String(BigInt(each) << 22n));
const named = (ids: readonly string[]) => ({ guilds: ids.map((id) => ({ id, unavailable: true })) });

/** A client of two shards that is connected to nothing. */
function open(allowed: readonly string[], presentOnly: GuildTracker["presentOnly"] = async () => undefined) {
  const client = new Client({ intents: [], shards: [0, 1], shardCount: 2 });
  // Only their number matters here.
  [0, 1].forEach((id) => client.ws.shards.set(id, {} as WebSocketShard));
  const lines: string[] = [];
  const left: string[] = [];
  const log = createLog({
    level: "info",
    secrets: [],
    destination: { write: (line) => void lines.push(line) },
  });
  const nothing = async () => undefined;
  // What is known counts where the database does not answer.
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
  it("are counted over all shards: two of three in each are too many to leave", () => {
    const { ready, left, lines } = open(idsOf([0]));
    ready(0, idsOf([0, 2, 4]));
    ready(1, idsOf([1, 3]));
    expect(left).toEqual([]);
    expect(lines.filter((line) => line.includes("leaving suspended"))).toHaveLength(1);
  });

  it("are left though they are all of one shard, where they are few of all", async () => {
    const allowed = idsOf(Array.from({ length: 12 }, (_, index) => 2 * index));
    const strangers = idsOf([1, 3, 5, 7]);
    const { ready, left } = open(allowed);
    ready(1, strangers);
    expect(left).toEqual([]);
    ready(0, allowed);
    await until(() => left.length === 4);
    expect(left).toEqual(strangers.map((id) => `/users/@me/guilds/${id}`));
  });

  it("are left when they invite the bot, not when Discord names again what READY named", async () => {
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

it("a server that another shard has come to be of, while more shards begin, was not left", async () => {
  const [first = "", second = ""] = idsOf([0, 2]);
  const asked = Promise.withResolvers<readonly boolean[]>();
  const { client, ready } = open([], async (_, isOfShard) => {
    // It takes a while to read which servers are known.
    client.options.shardCount = 3;
    asked.resolve([first, second, ...idsOf([3])].map((id) => isOfShard(id)));
  });
  ready(0, [first, second]);
  // Of three shards, the first has the last of these in place of the second.
  expect(await asked.promise).toEqual([true, true, false]);
});
