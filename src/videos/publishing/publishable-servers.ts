// Finds the servers for which somebody may publish from a DM, where Discord does not send their roles.
import { LRUCache } from "lru-cache";
import { limitEntries, ttlByClock } from "../../core/cache-options.ts";
import { UserError } from "../../core/errors.ts";
import { type Connection, MessengerError, type Platform } from "../../core/ports.ts";
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

export function createPublishableServers(
  deps: Pick<Platform, "rights" | "clock" | "log"> & {
    readonly publications: Pick<PublicationsTable, "guildsOf">;
    readonly accounts: Pick<VideoAccounts, "linkedGuilds" | "mayUseOperator">;
    readonly rules: Pick<VideoRules, "settings">;
    readonly guilds: Connection["guilds"];
  },
) {
  const { publications, accounts, rules, rights, guilds, clock, log } = deps;
  /** The servers by person. A minute each also limits what one person can make the bot ask of Discord. */
  const lookups = new LRUCache<string, Promise<readonly Server[]>>({
    ...limitEntries(1_000),
    ...ttlByClock(clock),
    ttl: MINUTE_MS,
  });

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
    const servers: Server[] = [];
    let failure: MessengerError | UserError | undefined;
    for (const server of await likelyServers(userId)) {
      try {
        if (await mayPublish(server.guildId, userId)) {
          servers.push(server);
        }
      } catch (error) {
        if (!(error instanceof MessengerError || error instanceof UserError)) {
          throw error;
        }
        failure = error;
        log.info({ error, guild: server.guildId }, "member lookup failed");
      }
    }
    if (servers.length === 0 && failure !== undefined) {
      throw failure;
    }
    return servers;
  }

  /** An answer may be a minute old: making the draft checks the person's rights again. */
  return (userId: string): Promise<readonly Server[]> => {
    let lookup = lookups.get(userId);
    if (lookup === undefined) {
      lookup = findServers(userId);
      lookups.set(userId, lookup);
      lookup.catch(() => lookups.delete(userId));
    }
    return lookup;
  };
}
