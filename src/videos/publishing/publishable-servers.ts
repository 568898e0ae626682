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

/** Each server takes two requests. If more servers than this have an account, only the likeliest are checked. */
const MAX_REQUESTED = 25;
const MAX_REQUESTS_PER_MINUTE = 50;
/** For this time, only the servers found before are checked again, or none if none were found. */
const REMEMBER_MS = 5 * MINUTE_MS;
const REMEMBER_LIMIT = 1_000;

export function createPublishableServers(
  deps: Pick<Platform, "rights" | "clock" | "log"> & {
    readonly publications: Pick<PublicationsTable, "guildsOf">;
    readonly accounts: Pick<VideoAccounts, "linkedGuilds" | "mayUseOperator">;
    readonly rules: Pick<VideoRules, "settings">;
    readonly guilds: Connection["guilds"];
  },
) {
  const { publications, accounts, rules, rights, guilds, clock, log } = deps;
  const limits = { max: REMEMBER_LIMIT, ...ttlByClock(clock) };
  /** The servers that were found, by the person and the servers that were checked. */
  const remembered = new LRUCache<string, readonly Server[]>({ ...limits, ttl: REMEMBER_MS });
  const lookupsUnderWay = new Map<string, Promise<readonly Server[]>>();
  /** The number of servers checked in a minute, by person. */
  const lookupCounts = new LRUCache<string, number>({ ...limits, ttl: MINUTE_MS, noUpdateTTL: true });

  function countLookup(userId: string): void {
    const count = lookupCounts.get(userId) ?? 0;
    if (count >= MAX_REQUESTS_PER_MINUTE) {
      throw new UserError("You've sent me many videos. Please try again in a minute.");
    }
    lookupCounts.set(userId, count + 1);
  }

  async function mayPublish(guildId: string, userId: string): Promise<boolean> {
    const member = await rights.findAllowedMember(guildId, userId, "video");
    if (member === undefined) {
      return false;
    }
    const { publisherRoleId } = await rules.settings(guildId);
    return publisherRoleId === undefined || member.roleIds.includes(publisherRoleId);
  }

  /** An account that cannot be used right now counts too: making the draft says why. */
  async function likelyServers(userId: string): Promise<readonly Server[]> {
    const [all, before, linked] = await Promise.all([
      guilds(),
      publications.guildsOf(userId),
      accounts.linkedGuilds(),
    ]);
    const rankOf = ({ guildId }: Server) => (before.includes(guildId) ? 0 : linked.has(guildId) ? 1 : 2);
    return all
      .filter(({ id }) => linked.has(id) || accounts.mayUseOperator(id))
      .map(({ id, name }) => ({ guildId: id, name }))
      .toSorted((one, other) => rankOf(one) - rankOf(other))
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

  /** Throws a UserError if the person asks too often. */
  return (userId: string): Promise<readonly Server[]> => {
    const lookup =
      lookupsUnderWay.get(userId) ?? findServers(userId).finally(() => lookupsUnderWay.delete(userId));
    lookupsUnderWay.set(userId, lookup);
    return lookup;
  };
}
