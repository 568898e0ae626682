// Finds the servers for which somebody may publish from a DM, where Discord does not send their roles.
import { LRUCache } from "lru-cache";
import { UserError } from "../../core/errors.ts";
import { ttlByClock } from "../../core/cache-options.ts";
import type { Connection, Platform } from "../../core/ports.ts";
import type { VideoAccounts } from "../accounts/video-accounts.ts";
import type { PublicationsTable } from "../publications-table.ts";
import type { VideoRules } from "../settings/video-rules.ts";
import { MINUTE_MS } from "../../time/wall-clock.ts";

interface Server {
  readonly guildId: string;
  readonly name: string;
}

/** Each server takes two requests. If the bot is in more servers than this, only the likeliest are checked. */
const MAX_REQUESTED = 25;
/** For this time, only the servers found before are checked again, or none if none were found. */
const REMEMBER_MS = 5 * 60_000;
const REMEMBER_LIMIT = 1_000;
/** Servers checked per minute for all people together: a tenth of the requests that Discord allows. */
const MAX_REQUESTS_PER_MINUTE = 150;
const MAX_REQUESTS_FOR_ONE = 50;

const TOO_MANY = "Many people are sending me videos right now. Please try again in a minute.";
const TOO_MANY_OF_ONE = "You've sent me many videos. Please try again in a minute.";

export function createPublishableServers(
  deps: Pick<Platform, "rights" | "clock" | "log"> & {
    readonly publications: Pick<PublicationsTable, "guildsOf">;
    readonly accounts: Pick<VideoAccounts, "linked" | "mayUseOperator">;
    readonly rules: Pick<VideoRules, "settings">;
    readonly guilds: Connection["guilds"];
    /** Servers about which anything is stored, including those that the bot has left. */
    readonly knownGuilds: () => Promise<readonly string[]>;
  },
) {
  const { publications, accounts, rules, rights, guilds, knownGuilds, clock, log } = deps;
  /** The servers that were found, by the person and the servers that were checked. */
  const remembered = new LRUCache<string, readonly Server[]>({
    max: REMEMBER_LIMIT,
    ttl: REMEMBER_MS,
    ...ttlByClock(clock),
  });
  const lookupsUnderWay = new Map<string, Promise<readonly Server[]>>();
  /** The number of servers checked in this minute, by person. */
  const lookupCounts = new Map<string, number>();
  let minuteFromMs = -Infinity;

  function countLookup(userId: string): void {
    if (clock.elapsed() - minuteFromMs >= MINUTE_MS) {
      minuteFromMs = clock.elapsed();
      lookupCounts.clear();
    }
    const own = lookupCounts.get(userId) ?? 0;
    const all = [...lookupCounts.values()].reduce((sum, count) => sum + count, 0);
    if (own >= MAX_REQUESTS_FOR_ONE || all >= MAX_REQUESTS_PER_MINUTE) {
      throw new UserError(own >= MAX_REQUESTS_FOR_ONE ? TOO_MANY_OF_ONE : TOO_MANY);
    }
    lookupCounts.set(userId, own + 1);
  }

  async function mayPublish(guildId: string, userId: string): Promise<boolean> {
    const member = await rights.findAllowedMember(guildId, userId, "video");
    if (member === undefined) {
      return false;
    }
    const { publisherRoleId } = await rules.settings(guildId);
    if (publisherRoleId !== undefined && !member.roleIds.includes(publisherRoleId)) {
      return false;
    }
    // An account that cannot be used right now counts too: making the draft says why.
    return accounts.mayUseOperator(guildId) || (await accounts.linked(guildId)) !== undefined;
  }

  async function likelyServers(userId: string): Promise<readonly Server[]> {
    const [all, before, known] = await Promise.all([guilds(), publications.guildsOf(userId), knownGuilds()]);
    const servers = new Map(all.map(({ id, name }) => [id, { guildId: id, name }]));
    // Servers for which they have published come first, then other servers that use the bot.
    return [...new Set([...before, ...known, ...servers.keys()])]
      .flatMap((guildId) => servers.get(guildId) ?? [])
      .slice(0, MAX_REQUESTED);
  }

  /** Checks one server after another, so that one person's video does not delay others. */
  async function findServers(userId: string): Promise<readonly Server[]> {
    const likely = await likelyServers(userId);
    const asked = [userId, ...likely.map(({ guildId }) => guildId).toSorted()].join(" ");
    const found = remembered.get(asked);
    const servers: Server[] = [];
    let isWhole = true;
    for (const server of found ?? likely) {
      countLookup(userId);
      try {
        if (await mayPublish(server.guildId, userId)) {
          servers.push(server);
        }
      } catch (error) {
        isWhole = false;
        log.info({ error, guild: server.guildId }, "member lookup failed");
      }
    }
    if (isWhole && found === undefined) {
      remembered.set(asked, servers);
    }
    return servers;
  }

  /** Throws a UserError if too many people ask. */
  return (userId: string): Promise<readonly Server[]> => {
    const lookup =
      lookupsUnderWay.get(userId) ?? findServers(userId).finally(() => lookupsUnderWay.delete(userId));
    lookupsUnderWay.set(userId, lookup);
    return lookup;
  };
}
