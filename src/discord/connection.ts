// What features learn from the client's connection: its servers and channels, its latency, and deletions.
import { type Client, GatewayDispatchEvents, Routes, Status } from "discord.js";
import { z } from "zod";
import type { Connection, Deletion, GuildSummary } from "../core/ports.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Read } from "./messenger-requests.ts";

export function createConnection(
  client: Client,
  deps: Omit<GuildListDependencies, "local" | "isWhole">,
): Connection {
  return {
    latencyMs: () => readLatencyMs(client),
    guildCount: () => client.guilds.cache.size,
    guilds: createGuildList({
      ...deps,
      // discord.js does not know the name of a server that has been unavailable since the start.
      local: () =>
        client.guilds.cache.map(({ id, name, memberCount }) => ({ id, name: name || id, memberCount })),
      isWhole: () => hasAllShards(client),
    }),
    channelName(channelId) {
      const channel = client.channels.cache.get(channelId);
      return channel === undefined || channel.isDMBased() ? undefined : channel.name;
    },
    onDeleted: (listener) => watchDeletions(client, listener),
  };
}

export function readLatencyMs(client: Client): number | undefined {
  const pings = client.ws.shards.map(({ ping }) => ping).filter((ping) => ping >= 0);
  return pings.length === 0
    ? undefined
    : Math.round(pings.reduce((sum, ping) => sum + ping, 0) / pings.length);
}

/**
 * The deletion of one message, of several, or of a channel, which has only an `id`. DMs do not match: they have no
 * server.
 */
const deletionEvent = z.object({
  guild_id: z.string(),
  channel_id: z.string().optional(),
  id: z.string().optional(),
  ids: z.array(z.string()).optional(),
});

/** Listens to the raw events, because discord.js leaves out messages that it has not cached. */
export function watchDeletions(client: Client, onDeleted: (deletion: Deletion) => void): void {
  const { MessageDelete, MessageDeleteBulk, ChannelDelete, ThreadDelete } = GatewayDispatchEvents;
  for (const event of [MessageDelete, MessageDeleteBulk, ChannelDelete, ThreadDelete] as const) {
    client.ws.on(event, (payload: unknown) => {
      const {
        guild_id: guildId,
        channel_id: channelId,
        id,
        ids,
      } = deletionEvent.safeParse(payload).data ?? {};
      const messageIds = ids ?? (id === undefined ? undefined : [id]);
      if (guildId !== undefined && channelId !== undefined && messageIds !== undefined) {
        onDeleted({ guildId, channelId, messageIds });
      } else if (guildId !== undefined && id !== undefined) {
        onDeleted({ guildId, channelId: id, messageIds: "all" });
      }
    });
  }
}

// The servers that the bot is in, including those of a fleet's other processes.

type Guilds = readonly GuildSummary[];

interface GuildListDependencies {
  readonly local: () => Guilds;
  /** Whether `local` returns all servers of the bot. */
  readonly isWhole: () => boolean;
  readonly listAll: ListGuilds;
  readonly clock: Clock;
  readonly log: Log;
}

/** Discord's limit for one response. */
const PAGE_SIZE = 200;
/** For a larger bot, only the oldest 10,000 servers are listed. */
const MAX_PAGES = 50;
const REMEMBER_MS = 5 * 60_000;

const guildsSchema = z.array(
  z
    .object({ id: z.string(), name: z.string(), approximate_member_count: z.number().optional() })
    .transform(({ id, name, approximate_member_count: memberCount }): GuildSummary => ({
      id,
      name,
      memberCount,
    })),
);

/** Whether this process has all shards of the bot, and they are connected. */
export function hasAllShards({ ws, options: { shardCount = Infinity } }: Client): boolean {
  return ws.shards.filter(({ status }) => status === Status.Ready).size >= shardCount;
}

/** Asks Discord for the servers of all processes. Throws MessengerError. `isWhole`: whether the list is complete. */
export type ListGuilds = () => Promise<{ readonly guilds: Guilds; readonly isWhole: boolean }>;

export function createGuildLister(read: Read): ListGuilds {
  return async () => {
    const guilds: GuildSummary[] = [];
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const after = guilds.at(-1)?.id ?? "0";
      const query = new URLSearchParams({ after, limit: String(PAGE_SIZE), with_counts: "true" });
      const found = await read(Routes.userGuilds(), guildsSchema, query);
      guilds.push(...found);
      if (found.length < PAGE_SIZE) {
        return { guilds, isWhole: true };
      }
    }
    return { guilds, isWhole: false };
  };
}

/** The returned function never throws: if Discord does not answer, it lists the servers of this process. */
export function createGuildList(deps: GuildListDependencies): Connection["guilds"] {
  const { local, isWhole, listAll, clock, log } = deps;
  let remembered: { readonly list: ReturnType<ListGuilds>; readonly readAtMs: number } | undefined;

  return async () => {
    if (isWhole()) {
      return local();
    }
    const nowMs = clock.now();
    if (remembered === undefined || Math.abs(nowMs - remembered.readAtMs) >= REMEMBER_MS) {
      remembered = { list: listAll(), readAtMs: nowMs };
    }
    const asked = remembered;
    try {
      const { guilds: others } = await asked.list;
      const byId = new Map(others.map((guild) => [guild.id, guild]));
      // This process may have joined servers since, and may know some only by their ids.
      for (const guild of local().filter(({ id, name }) => name !== id || !byId.has(id))) {
        byId.set(guild.id, guild);
      }
      return [...byId.values()];
    } catch (error) {
      if (remembered === asked) {
        remembered = undefined;
      }
      log.warn({ error }, "servers not listed");
      return local();
    }
  };
}
