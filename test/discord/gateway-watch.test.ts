import { setImmediate } from "node:timers/promises";
import { Client, Events, Status, type WebSocketShard } from "discord.js";
import { expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { watchGateway } from "../../src/discord/gateway-watch.ts";
import { createStillClock } from "../support/still-clock.ts";

/** Counts how often the connection is reported lost in 15 minutes in which the client does not reconnect. */
async function countLost(isServing: boolean): Promise<number> {
  const client = new Client({ intents: [] });
  // Only its status matters here.
  client.ws.shards.set(0, { status: Status.Connecting } as WebSocketShard);
  const clock = createStillClock();
  let lost = 0;
  const stop = watchGateway({
    client,
    isServing: () => isServing,
    isApiUp: async () => true,
    onLost: () => void (lost += 1),
    clock,
    log: createLog({ level: "silent", secrets: [] }),
  });
  client.emit(Events.ShardReconnecting, 0);
  for (let minute = 0; minute < 15; minute += 1) {
    clock.advance(60_000);
    await setImmediate();
  }
  stop();
  return lost;
}

it("a connection that does not come back is lost, unless an earlier session still serves the members", async () => {
  expect(await countLost(false)).toBe(1);
  // E.g. because the shard waits for its turn to log in.
  expect(await countLost(true)).toBe(0);
});
