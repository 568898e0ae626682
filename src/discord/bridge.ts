// The bot's side of Discord as one thing with a life: commands in, connection up, interactions answered.
import { type Client, Events, GatewayDispatchEvents, Routes, Status } from "discord.js";
import { z } from "zod";
import { type Clock, sleep } from "../core/clock.ts";
import type { AccessConfig, DiscordConfig, ServiceNames } from "../core/config.ts";
import { EXIT_CONFIG, EXIT_FAILURE, type Failure } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import { type CommandDirectory, createCommandDirectory } from "./directory.ts";
import type {
  BlockedGuilds,
  CommandRights,
  Connection,
  GuildAccess,
  GuildWatch,
  Messenger,
} from "../core/ports.ts";
import type { Services } from "./define/services.ts";
import { createAdmission, createGuildLeaver } from "./admission.ts";
import { createClient } from "./client.ts";
import { createDirectPost, createLoginRest, createRestOnce, forgetLimitsAfterSetBack } from "./rest.ts";
import type { Command } from "./command.ts";
import { deployCommands } from "./deploy.ts";
import { createCommandRights, createWhoMay } from "./who-may.ts";
import { type Dispatch, createDispatch } from "./dispatch/dispatch.ts";
import type { Explain } from "./explain-error.ts";
import { TOKEN_REFUSED } from "./explain-refusal.ts";
import { createTokenWatch, explainClose, leaveGateway, watchGateway } from "./gateway-watch.ts";
import { type GuildListDependencies, createGuildList, createGuildLister } from "./guild-list.ts";
import { createRateLimitedRest } from "./rate-limited-rest.ts";
import { createInteractionApi } from "./interaction-api.ts";
import { reportInvitation } from "./invitation.ts";
import { createAskAtLogin, logIn } from "./log-in.ts";
import { findAuthorRights, findSelf } from "./message-dispatch/message-event.ts";
import { type MessageDispatch, createMessageDispatch } from "./message-dispatch/message-dispatch.ts";
import { showTyping } from "./message-dispatch/message-work.ts";
import { createOwnerIds } from "./owners.ts";
import { createRequests } from "./messenger-requests.ts";
import { createMessenger } from "./messenger.ts";
import { createLimiterTime } from "./rate-limiter.ts";
import { readCommands } from "./read-commands.ts";
import type { GatewaySessions } from "../storage/gateway-sessions.ts";
import type { RequestRate } from "../storage/request-rate.ts";
import type { RecentChoices } from "./recent-choices.ts";
import { createRegistry } from "./registry.ts";
import { type ResumedSessions, isGateway, resumeSessions } from "./resume-sessions.ts";
import { createWording } from "./wording.ts";
import { watchDeletions, watchGuilds } from "./watch-guilds.ts";

const CONNECTION_LOST =
  "The bot has had no connection to Discord's gateway for ten minutes, although Discord's API answers.";

interface BridgeState {
  /** Whether Discord refused the token when it was last asked. */
  readonly isTokenRefused: boolean;
  readonly shards: readonly { readonly id: number; readonly ready: boolean }[];
  readonly latencyMs: number | undefined;
  readonly guilds: number;
}

export interface Bridge {
  state(): BridgeState;
  /** Begins to erase the servers that the bot left long enough ago, of the shards of this process. Never throws. */
  readonly eraseLeftGuilds: () => void;
  /** Waits up to `graceMs` for answers under way, then leaves Discord. */
  stop(graceMs: number): Promise<void>;
}

export interface BridgeOptions {
  readonly config: DiscordConfig;
  readonly access: AccessConfig;
  readonly serviceNames: ServiceNames;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  readonly commandsDir: URL;
  readonly announce: (line: string) => void;
  readonly fail: (failure: Failure) => void;
  /** Throws a ConfigError where what is kept belongs to another application's bot. */
  readonly checkApplication: (applicationId: string) => Promise<void>;
  /** Told which servers the bot is in. */
  readonly guilds: GuildWatch;
  readonly blockedGuilds: BlockedGuilds;
  /** `undefined` where nothing outlives the process. */
  readonly sessions: GatewaySessions | undefined;
  /** `undefined` where there is only this process. */
  readonly requestRate: RequestRate | undefined;
  readonly recent: RecentChoices;
  /** What features say of their own failures. */
  readonly explain: Explain;
  readonly createServices: (own: {
    readonly connection: Connection;
    readonly directory: CommandDirectory;
    readonly messenger: Messenger;
    readonly rights: CommandRights;
    readonly guildAccess: GuildAccess;
    readonly ownerIds: () => Promise<ReadonlySet<string>>;
  }) => Partial<Services>;
}

/** The part of the stop's time that is kept for answers that have already begun. */
const LAST_ANSWERS_MS = 1_000;

const applicationSchema = z.object({ id: z.string() });

/** Settles when every shard is ready and the commands are registered. */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { config, access, clock, log, meter } = options;
  const all = await readCommands(options.commandsDir);
  const askAtLogin = createAskAtLogin({
    ...options,
    rest: createLoginRest(config, meter),
    token: config.token,
  });
  const client = createClient(config, askAtLogin, log, meter);
  const restOnce = createRestOnce(config, meter);
  const direct = createDirectPost(config, meter);
  meter.gauges(() => {
    const shards = [...client.ws.shards.values()];
    return {
      shard_ready: shards.map(({ id, status }) => [{ shard: id }, Number(status === Status.Ready)]),
      // -1 before the first heartbeat was answered.
      gateway_latency_seconds: shards.flatMap(({ id, ping }) =>
        ping < 0 ? [] : [[{ shard: id }, ping / 1000] as const],
      ),
      guilds: client.guilds.cache.size,
    };
  });
  const stopWatching = [client.rest, restOnce].map(forgetLimitsAfterSetBack);
  const time = createLimiterTime(clock);
  const tokenWatch = createTokenWatch({
    ask: () => client.rest.get(Routes.user()),
    onRefused: () => options.fail({ reason: TOKEN_REFUSED, exitCode: EXIT_CONFIG }),
    clock,
    log,
  });
  const limitedRest = createRateLimitedRest({
    config,
    clock,
    time,
    log,
    meter,
    tokenWatch,
    requestRate: options.requestRate,
  });
  const ids = new Map<string, string>();
  let offered: readonly Command[] = [];
  const directory = createCommandDirectory(() => offered);
  const wording = createWording({ directory, ids, names: options.serviceNames });
  const messenger = createMessenger({ limitedRest, self: () => client.user?.id, wording, clock, time, log });
  const { blockedGuilds: blocked } = options;
  const admission = createAdmission(access, blocked);
  const whoMay = createWhoMay({ rest: client.rest, clock, ids, log });
  const listGuilds = createGuildLister(createRequests({ limitedRest, clock, log }).reader("list servers"));
  const offers = (name: string): boolean => offered.some((command) => command.name === name);
  const leaver = createGuildLeaver({ admission, blocked, rest: client.rest, messenger, offers, log });
  const ownerIds = createOwnerIds(client.rest, clock);
  const services = options.createServices({
    connection: createConnection(client, {
      local: () => client.guilds.cache.map(({ id, name, memberCount }) => ({ id, name, memberCount })),
      isWhole: () => client.ws.shards.size >= (client.options.shardCount ?? Infinity),
      listAll: listGuilds,
      clock,
      log,
    }),
    directory,
    messenger,
    rights: createCommandRights({
      commands: all,
      read: createRequests({ limitedRest, clock, log }).reader("look up rights"),
      whoMay,
      applicationId: () => client.application?.id,
      clock,
    }),
    guildAccess: { isAllowed: admission.isAllowed, leave: leaver.leave, expel: leaver.expel },
    ownerIds,
  });
  const registry = createRegistry(all, services);
  offered = registry.commands;

  const shared = {
    registry,
    // A command is offered only where all that it needs is there, and its types show it nothing else.
    services: services as Services,
    whoMay,
    admission,
    noteUse: (guildId: string) => options.guilds.used(guildId),
    ids,
    wording,
    explain: options.explain,
    clock,
    log,
    meter,
  };
  const underWay = listen(client, {
    interaction: createDispatch({
      ...shared,
      ownerIds,
      recent: options.recent,
      api: createInteractionApi({ rest: client.rest, restOnce, direct, clock, log, meter }),
    }),
    message: createMessageDispatch({
      ...shared,
      messenger,
      offers,
      self: () => findSelf(client),
      rightsOf: (sent) => findAuthorRights(client, sent),
      showTyping: (channelId) => showTyping(limitedRest, channelId, log),
    }),
  });
  client.ws.on(
    GatewayDispatchEvents.ApplicationCommandPermissionsUpdate,
    (event: { readonly guild_id?: string } | null) => whoMay.forget(event?.guild_id ?? ""),
  );

  const guilds = watchGuilds(client, { guilds: options.guilds, leaver, listGuilds, log });
  const stopGatewayWatch = watchGateway({
    client,
    isApiUp: () =>
      restOnce.get(Routes.gateway(), { auth: false }).then(
        () => true,
        () => false,
      ),
    onLost: () => options.fail({ reason: CONNECTION_LOST, exitCode: EXIT_FAILURE }),
    clock,
    log,
  });
  const isShardCountAuto = config.shardCount === "auto";
  async function stopRequests(): Promise<void> {
    tokenWatch.stop();
    stopWatching.forEach((stop) => stop());
    stopGatewayWatch();
    restOnce.clearHashSweeper();
    restOnce.clearHandlerSweeper();
    await Promise.all([limitedRest.stop(), direct.close()]);
  }

  let resumed: ResumedSessions | undefined;
  try {
    const { id } = applicationSchema.parse(await askAtLogin((rest) => rest.get(Routes.currentApplication())));
    await options.checkApplication(id);
    await blocked.load();
    const left = (await options.sessions?.take(config.shards)) ?? [];
    // Of another count, a shard has servers that other processes look after.
    const own = left.filter(
      ({ shardCount, resumeURL }) =>
        (isShardCountAuto || shardCount === config.shardCount) && isGateway(resumeURL, config.apiBaseUrl),
    );
    resumed = resumeSessions(own, { client, token: config.token, log, meter });
    await logIn(client, config.token, isShardCountAuto);
    resumed.replace();
  } catch (error) {
    resumed?.close();
    await stopRequests();
    throw error;
  }
  // Not before: a login that fails drops the token too.
  tokenWatch.guard(client.rest);
  client.on(Events.ShardDisconnect, ({ code }) => options.fail(explainClose(code, isShardCountAuto)));
  if (client.isReady()) {
    await guilds.notified();
    await register(client, { commands: offered, userInstall: access.userInstall, ids, log });
    reportInvitation(client, options);
  }
  // Once the caller has learned that the bot is ready.
  setImmediate(direct.open);
  // Not before: commands are registered one by one, each after Discord's answer to the one before.
  limitedRest.include(client.rest);
  limitedRest.include(restOnce);

  return {
    state: () => ({ ...readState(client), isTokenRefused: tokenWatch.isRefused() }),
    eraseLeftGuilds: () => guilds.eraseDue(),
    async stop(graceMs) {
      const endMs = clock.elapsed() + graceMs;
      await settleWithin(underWay, graceMs - LAST_ANSWERS_MS, clock);
      tokenWatch.stop();
      resumed?.close();
      const left = await leaveGateway(client, options.sessions !== undefined);
      await options.sessions?.keep(left);
      await settleWithin(underWay, endMs - clock.elapsed(), clock);
      await stopRequests();
      await guilds.stop();
    },
  };
}

/**
 * Interactions and messages are taken from the raw event: it comes before discord.js builds its own objects, and also
 * for channels of kinds that discord.js leaves out.
 */
function listen(
  client: Client,
  dispatch: { readonly interaction: Dispatch; readonly message: MessageDispatch },
): ReadonlySet<Promise<void>> {
  const underWay = new Set<Promise<void>>();
  function track(answering: Promise<void> | undefined): void {
    if (answering) {
      const tracked = answering.finally(() => underWay.delete(tracked));
      underWay.add(tracked);
    }
  }
  client.ws.on(
    GatewayDispatchEvents.InteractionCreate,
    (payload: unknown, _shard: number, isLate?: boolean) => track(dispatch.interaction(payload, isLate)),
  );
  client.ws.on(GatewayDispatchEvents.MessageCreate, (payload: unknown) => track(dispatch.message(payload)));
  return underWay;
}

/** Waits until nothing is left in the set, which may still grow, but not longer than `limitMs`. */
async function settleWithin(
  underWay: ReadonlySet<Promise<void>>,
  limitMs: number,
  clock: Clock,
): Promise<void> {
  const done = new AbortController();
  const given = sleep(clock, limitMs, done.signal).catch(() => undefined);
  let settled: unknown = limitMs > 0 ? [] : undefined;
  while (settled !== undefined && underWay.size > 0) {
    settled = await Promise.race([Promise.allSettled(underWay), given]);
  }
  done.abort();
}

/** Only the process that runs shard 0 writes; the others look up the ids. A failure leaves what was registered. */
async function register(
  client: Client<true>,
  {
    commands,
    userInstall,
    ids,
    log,
  }: { commands: readonly Command[]; userInstall: boolean; ids: Map<string, string>; log: Log },
): Promise<void> {
  try {
    const result = await deployCommands({
      rest: client.rest,
      applicationId: client.application.id,
      commands,
      userInstall,
      write: client.ws.shards.has(0),
      log,
    });
    for (const [key, id] of result.ids) {
      ids.set(key, id);
    }
  } catch (error) {
    log.error({ error }, "command registration failed, `npm run deploy` tries again");
  }
}

function createConnection(client: Client, guildList: GuildListDependencies): Connection {
  return {
    latencyMs: () => readState(client).latencyMs,
    guildCount: () => client.guilds.cache.size,
    guilds: createGuildList(guildList),
    channelName(channelId) {
      const channel = client.channels.cache.get(channelId);
      return channel === undefined || channel.isDMBased() ? undefined : channel.name;
    },
    onDeleted: (listener) => watchDeletions(client, listener),
  };
}

function readState(client: Client): Omit<BridgeState, "isTokenRefused"> {
  const shards = [...client.ws.shards.values()];
  const pings = shards.map(({ ping }) => ping).filter((ping) => ping >= 0);
  return {
    shards: shards.map(({ id, status }) => ({ id, ready: status === Status.Ready })),
    latencyMs:
      pings.length === 0 ? undefined : Math.round(pings.reduce((sum, ping) => sum + ping, 0) / pings.length),
    guilds: client.guilds.cache.size,
  };
}
