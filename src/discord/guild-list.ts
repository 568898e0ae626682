// Lists the servers that the bot is in, including those of a fleet's other processes.
import { type Client, Routes, Status } from "discord.js";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Connection, GuildSummary } from "../core/ports.ts";
import type { Read } from "./messenger-requests.ts";

type Guilds = readonly GuildSummary[];

export interface GuildListDependencies {
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
