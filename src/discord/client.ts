// The discord.js client, set up for a bot that needs little: no privileged intents and few caches.
import {
  type CacheFactory,
  Client,
  Collection,
  Events,
  GatewayIntentBits,
  type IIdentifyThrottler,
  LimitedCollection,
  Partials,
  SimpleShardingStrategy,
} from "discord.js";
import type { DiscordConfig } from "../core/config.ts";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import { type LoginWait, waitForDiscord } from "./log-in.ts";
import { logRest, restOptions } from "./rest.ts";

interface ClientParts extends LoginWait {
  readonly meter: Meter;
  /** Whether this process runs a shard; events of other shards are ignored. Default: it runs all of them. */
  readonly runs?: ((shard: number) => boolean) | undefined;
  readonly buildIdentifyThrottler: (manager: ShardManager) => Promise<IIdentifyThrottler>;
}

/** Creates the client. It sends nothing before `login`, which waits while Discord cannot be reached. */
export function createClient(config: DiscordConfig, options: ClientParts): Client {
  const { log, meter, runs, buildIdentifyThrottler } = options;
  const client: Client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages],
    partials: [Partials.Channel, Partials.Message],
    ...shardOptions(config),
    enforceNonce: true,
    allowedMentions: { parse: [] },
    rest: restOptions(config, meter),
    ws: {
      buildIdentifyThrottler,
      buildStrategy: (manager) => {
        guardGatewayEvents(manager, { log, meter, runs });
        waitForDiscord(manager, options);
        return new SimpleShardingStrategy(manager);
      },
    },
    makeCache: createCaches(() => client.user?.id),
  });
  guardPackets(client, log);
  logEvents(client, log, meter);
  return client;
}

/** Caches without a limit: servers, with their channels and roles. */
const FULL_CACHES: ReadonlySet<string> = new Set([
  "ChannelManager",
  "GuildChannelManager",
  "GuildManager",
  "PermissionOverwriteManager",
  "RoleManager",
]);
/** Caches that contain only the bot itself. */
const SELF_ONLY_CACHES: ReadonlySet<string> = new Set(["GuildMemberManager", "UserManager"]);

function createCaches(self: () => string | undefined): CacheFactory {
  const keepOverLimit = ({ id }: { readonly id: string }): boolean => id === self();
  // All empty caches share this one: discord.js would create several for each channel.
  const nothing = new LimitedCollection<string, never>({ maxSize: 0 });
  return ({ name }) => {
    if (FULL_CACHES.has(name)) {
      return new Collection();
    }
    return SELF_ONLY_CACHES.has(name) ? new LimitedCollection({ maxSize: 0, keepOverLimit }) : nothing;
  };
}

/**
 * discord.js reads SHARDS and SHARD_COUNT from the environment if these options have its default values, and
 * fails on `auto`. A `shardCount` of 2 is not its default, and it ignores the count if `shards` is `auto`.
 */
function shardOptions({ shards, shardCount }: DiscordConfig) {
  if (shardCount === "auto") {
    return { shards: "auto" as const, shardCount: 2 };
  }
  return {
    shards: shards === "auto" ? Array.from({ length: shardCount }, (_, id) => id) : [...shards],
    shardCount,
  };
}

function logEvents(client: Client, log: Log, meter: Meter): void {
  client.on(Events.Error, (error) => log.error({ error }, "discord.js failed"));
  client.on(Events.Warn, (message) => log.warn({ warning: message }, "discord.js warned"));
  const closed = new Set<number>();
  client.on(Events.ShardDisconnect, (_, shard) => closed.add(shard));
  client.on(Events.ShardError, (error, shard) => {
    // After a permanent close, the error says less than the close code, which ends the bot.
    if (!closed.has(shard)) {
      log.warn({ error, shard }, "shard connection failed");
    }
  });
  client.on(Events.ShardReconnecting, (shard) => {
    log.info({ shard }, "shard reconnecting");
    meter.count("gateway_sessions_total", { event: "reconnecting" });
  });
  client.on(Events.ShardResume, (shard, replayed) => log.info({ shard, replayed }, "shard resumed"));
  logRest(client.rest, log, meter);
}

// An unexpected gateway payload must not end the bot: discord.js does not validate payloads, and if a field is missing,
// it throws inside its own listeners, where nobody can catch the error, and Node ends the process.

/** discord.js's internal manager of connections, which passes every payload on through `emit`. */
export type ShardManager = ConstructorParameters<typeof SimpleShardingStrategy>[0];

interface Packet {
  readonly t: string;
}

/** Events that the bridge handles from the raw payload. */
const RAW_EVENTS: ReadonlySet<string> = new Set(["INTERACTION_CREATE", "MESSAGE_CREATE"]);

/** Catches and logs errors of gateway listeners, and counts sessions and closes. */
function guardGatewayEvents(
  manager: ShardManager,
  { log, meter, runs = () => true }: Pick<ClientParts, "log" | "meter" | "runs">,
): void {
  const emit = manager.emit.bind(manager);
  const guarded = (...args: Parameters<typeof emit>): boolean => {
    const detail: unknown = args[1];
    const isOfShard = typeof detail === "object" && detail !== null && "shardId" in detail;
    if (isOfShard && !runs(Number(detail.shardId))) {
      return true;
    }
    countEvent(meter, String(args[0]), args[1]);
    try {
      return emit(...args);
    } catch (error) {
      log.error({ error, event: String(args[0]) }, "gateway payload ignored");
      return true;
    }
  };
  // It has the same overloads as the function that it replaces.
  manager.emit = guarded as typeof manager.emit;
}

function countEvent(meter: Meter, event: string, detail: unknown): void {
  if (event === "ready" || event === "resumed") {
    meter.count("gateway_sessions_total", { event: event === "ready" ? "identified" : "resumed" });
  } else if (event === "closed" && typeof detail === "object" && detail !== null && "code" in detail) {
    const code = Number(detail.code);
    const isKnown = (code >= 1000 && code <= 1015) || (code >= 4000 && code <= 4014);
    meter.count("gateway_closes_total", { code: isKnown ? code : "other" });
  }
}

/**
 * Does the same for payloads from before the bot was ready, which discord.js queues. Also drops events that the bridge
 * has handled: discord.js's objects for them would cost as much again as the answer.
 */
function guardPackets({ ws }: Client, log: Log): void {
  // `handlePacket` is private in the types. All payloads pass through it.
  const manager = ws as unknown as {
    handlePacket: (packet?: Packet, ...rest: readonly unknown[]) => boolean;
  };
  const handlePacket = manager.handlePacket.bind(manager);
  manager.handlePacket = (packet, ...rest) => {
    if (packet !== undefined && RAW_EVENTS.has(packet.t)) {
      return true;
    }
    try {
      return handlePacket(packet, ...rest);
    } catch (error) {
      log.error({ error, event: packet?.t }, "gateway payload ignored");
      return true;
    }
  };
}
