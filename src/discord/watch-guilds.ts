// Tells which servers the bot is in, has joined and has left.
import { GatewayDispatchEvents, ShardClientUtil, type Client } from "discord.js";
import { z } from "zod";
import type { Log } from "../core/log.ts";
import type { GuildWatch } from "../services/ports.ts";

/** `unavailable` is set where Discord has lost sight of a server that the bot is still in. */
const guildEvent = z.object({ id: z.string(), unavailable: z.boolean().optional() });

/** Listens from now on. What it returns is called once the client is ready. Failures are logged, never thrown. */
export function watchGuilds(client: Client, guilds: GuildWatch, log: Log): () => Promise<void> {
  async function tell(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      await guilds.eraseDue(isOurs);
    } catch (error) {
      log.error({ error }, "servers that come and go could not be noted");
    }
  }

  function isOurs(guildId: string): boolean {
    const { shards } = client.ws;
    const count = client.options.shardCount ?? shards.size;
    return shards.has(ShardClientUtil.shardIdForGuildId(guildId, count));
  }

  client.ws.on(GatewayDispatchEvents.GuildDelete, (payload: unknown) => {
    const { data } = guildEvent.safeParse(payload);
    if (data !== undefined && data.unavailable !== true) {
      void tell(() => guilds.left(data.id));
    }
  });
  client.ws.on(GatewayDispatchEvents.GuildCreate, (payload: unknown) => {
    const { data } = guildEvent.safeParse(payload);
    // Before the client is ready every server comes by; those are told all at once.
    if (data !== undefined && client.isReady()) {
      void tell(() => guilds.present([data.id]));
    }
  });
  return () => tell(() => guilds.present([...client.guilds.cache.keys()]));
}
