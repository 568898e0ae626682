// Tells which servers the bot is in, has joined and has left.
import { GatewayDispatchEvents, ShardClientUtil, type Client } from "discord.js";
import { z } from "zod";
import type { Log } from "../core/log.ts";
import type { GuildWatch } from "../services/ports.ts";

/** `unavailable` is set where Discord has lost sight of a server that the bot is still in. */
const guildEvent = z.object({ id: z.string(), unavailable: z.boolean().optional() });
/** Names all servers of the shard, those that Discord has lost sight of included. */
const readyEvent = z.object({ guilds: z.array(guildEvent) });

/** Listens from now on. What it returns settles when all heard so far is told; failures are logged, never thrown. */
export function watchGuilds(client: Client, guilds: GuildWatch, log: Log): () => Promise<void> {
  // One after another: a server that leaves and comes back must not be told the other way round.
  let told = Promise.resolve();
  /** Servers that READY has named and that are yet to come by, one by one. */
  const expected = new Set<string>();
  /** Shards whose servers are all told: of another shard's nobody knows yet which ones came back. */
  const toldShards = new Set<number>();

  function tell(act: () => Promise<void>): void {
    told = tellAfter(told, act);
  }

  async function tellAfter(before: Promise<void>, act: () => Promise<void>): Promise<void> {
    await before;
    try {
      await act();
      await guilds.eraseDue((guildId) => toldShards.has(shardOf(guildId)));
    } catch (error) {
      log.error({ error }, "servers that come and go could not be noted");
    }
  }

  function shardOf(guildId: string): number {
    return ShardClientUtil.shardIdForGuildId(guildId, client.options.shardCount ?? client.ws.shards.size);
  }

  // Comes anew where a session was lost: what happened meanwhile is told by nobody else.
  client.ws.on(GatewayDispatchEvents.Ready, (payload: unknown, shardId: number) => {
    const { data } = readyEvent.safeParse(payload);
    if (data !== undefined) {
      const ids = data.guilds.map(({ id }) => id);
      for (const id of ids) {
        expected.add(id);
      }
      tell(async () => {
        await guilds.presentOnly(ids, (guildId) => shardOf(guildId) === shardId);
        toldShards.add(shardId);
      });
    }
  });
  client.ws.on(GatewayDispatchEvents.GuildDelete, (payload: unknown) => {
    const { data } = guildEvent.safeParse(payload);
    if (data !== undefined && data.unavailable !== true) {
      expected.delete(data.id);
      tell(() => guilds.left(data.id));
    }
  });
  client.ws.on(GatewayDispatchEvents.GuildCreate, (payload: unknown) => {
    const { data } = guildEvent.safeParse(payload);
    if (data !== undefined && !expected.delete(data.id)) {
      tell(() => guilds.present([data.id]));
    }
  });
  return () => told;
}
