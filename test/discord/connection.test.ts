import { Client, GatewayDispatchEvents } from "discord.js";
import { expect, it } from "vitest";
import { createConnection, watchDeletions } from "../../src/discord/connection.ts";
import { createLog } from "../../src/core/log.ts";
import type { Deletion } from "../../src/core/ports.ts";
import { createStillClock } from "../support/still-clock.ts";

/** Watches a client that has no connection. */
function listen() {
  const client = new Client({ intents: [] });
  const told: Deletion[] = [];
  watchDeletions(client, (deletion) => told.push(deletion));
  return { client, told };
}

it("watchDeletions reports single messages, several at once, channels and threads", () => {
  const { client, told } = listen();
  const here = { guild_id: "1", channel_id: "11" };
  client.ws.emit(GatewayDispatchEvents.MessageDelete, { ...here, id: "111" }, 0);
  client.ws.emit(GatewayDispatchEvents.MessageDeleteBulk, { ...here, ids: ["112", "113"] }, 0);
  client.ws.emit(GatewayDispatchEvents.ChannelDelete, { guild_id: "1", id: "11", type: 0 }, 0);
  client.ws.emit(
    GatewayDispatchEvents.ThreadDelete,
    { guild_id: "1", id: "12", parent_id: "11", type: 11 },
    0,
  );
  expect(told).toEqual([
    { guildId: "1", channelId: "11", messageIds: ["111"] },
    { guildId: "1", channelId: "11", messageIds: ["112", "113"] },
    { guildId: "1", channelId: "11", messageIds: "all" },
    { guildId: "1", channelId: "12", messageIds: "all" },
  ]);
});

it("watchDeletions ignores DMs and invalid events", () => {
  const { client, told } = listen();
  client.ws.emit(GatewayDispatchEvents.MessageDelete, { id: "111", channel_id: "11" }, 0);
  client.ws.emit(GatewayDispatchEvents.MessageDeleteBulk, null, 0);
  expect(told).toEqual([]);
});

it("a server with an outage since the start is listed by its id", async () => {
  const client = new Client({ intents: [] });
  Reflect.get(client.guilds, "_add").call(client.guilds, { id: "1", unavailable: true });
  const connection = createConnection(client, {
    listAll: async () => ({ guilds: [], isWhole: true }),
    clock: createStillClock(),
    log: createLog({ level: "silent", secrets: [] }),
  });
  expect(await connection.guilds()).toMatchObject([{ id: "1", name: "1" }]);
});
