// Starts and stops everything that talks to Discord: loads the commands, connects, answers interactions and messages.
import { Events, GatewayDispatchEvents, Routes, Status } from "discord.js";
import { z } from "zod";
import { untilAborted } from "../core/clock.ts";
import type { AccessConfig, ServiceNames } from "../core/config.ts";
import { EXIT_CONFIG, EXIT_FAILURE } from "../core/errors.ts";
import { type RunningTasks, createRunningTasks } from "../core/runs.ts";
import { type CommandDirectory, createCommandDirectory, createCommandIds } from "./directory.ts";
import type { BlockedGuilds, GuildTracker, Platform } from "../core/ports.ts";
import type { Services } from "./define/context.ts";
import { createAdmission, createGuildLeaver, createOwnerIds } from "./admission.ts";
import { createDirectPost, createRestOnce } from "./rest.ts";
import { type Command, createRegistry } from "./registry.ts";
import { createRegistration } from "./deploy.ts";
import { createCommandRights, createCommandPermissions } from "./command-permissions.ts";
import { type Dispatch, createDispatch } from "./dispatch/dispatch.ts";
import type { Explain } from "./explain-error.ts";
import { INTERACTIONS_ELSEWHERE, TOKEN_REFUSED } from "./explain-refusal.ts";
import { type Gateway, type GatewayOptions, createGateway } from "./gateway.ts";
import { watchGateway } from "./gateway-watch.ts";
import { createTokenWatch } from "./token-watch.ts";
import { createConnection, readLatencyMs, createGuildLister } from "./connection.ts";
import { createRateLimitedRest } from "./rate-limited-rest.ts";
import { createInteractionApi } from "./interaction-api.ts";
import { reportInvitation, reportPermissions } from "./invitation.ts";
import { createAskAtLogin } from "./log-in.ts";
import { findAuthorRights, findSelf } from "./message-dispatch/message-event.ts";
import { type MessageDispatch, createMessageDispatch } from "./message-dispatch/message-dispatch.ts";
import { showTyping } from "./message-dispatch/message-work.ts";
import { createRequests } from "./messenger-requests.ts";
import { createMessenger } from "./messenger.ts";
import { createLimiterTime } from "./rate-limiter.ts";
import { readCommands } from "./read-commands.ts";
import type { RequestRate } from "../storage/facts-table.ts";
import type { RecentChoices } from "./recent-choices.ts";
import { createReplySender } from "./reply-sender.ts";
import { watchGuilds } from "./watch-guilds.ts";

const CONNECTION_LOST =
  "The bot has had no connection to Discord's gateway for ten minutes, although Discord's API answers.";

export type Bridge = Awaited<ReturnType<typeof startBridge>>;

export interface BridgeOptions extends Omit<GatewayOptions, "askAtLogin" | "onStopped"> {
  readonly access: AccessConfig;
  readonly serviceNames: ServiceNames;
  readonly commandsDir: URL;
  /** Throws a ConfigError if the stored data belongs to another application's bot. */
  readonly checkApplication: (applicationId: string) => Promise<void>;
  readonly guilds: GuildTracker;
  readonly blockedGuilds: BlockedGuilds;
  /** Aborts a start that is under way, which then throws. Answers under way get `stopGraceMs` to finish. */
  readonly signal: AbortSignal;
  readonly stopGraceMs: number;
  /** Shares Discord's rate limit among the processes in a fleet; `undefined` if there is only this process. */
  readonly requestRate: RequestRate | undefined;
  readonly recent: RecentChoices;
  readonly explain: Explain;
  /** Called shortly before a stop's grace period ends: unfinished answers must be given now, as they are. */
  readonly endAnswers: () => void;
  readonly createServices: (
    own: Pick<Platform, "connection" | "messenger" | "rights" | "guildAccess" | "ownerIds"> & {
      readonly directory: CommandDirectory;
    },
  ) => Partial<Services>;
}

/** How much of the time for stopping is reserved for answers that have already begun. */
const LAST_ANSWERS_MS = 1_000;
/** Enough for three requests to Discord, or for the upload of a finished picture. */
const END_ANSWERS_MS = 2_000;

const applicationSchema = z.looseObject({
  id: z.string(),
  bot: z.looseObject({ id: z.string() }).optional(),
  interactions_endpoint_url: z.string().nullish(),
});

/** Resolves when every shard is ready and the commands are registered. */
export async function startBridge(options: BridgeOptions) {
  const { config, access, clock, log, meter } = options;
  const all = await readCommands(options.commandsDir);
  const askAtLogin = createAskAtLogin(options);
  const gateway = createGateway({ ...options, askAtLogin, onStopped: noteStopped });
  const { client } = gateway;
  const restOnce = createRestOnce(config, meter);
  const direct = createDirectPost(config, meter, (status) => limitedRest.noteStatus(status));
  meter.gauges(() => {
    const shards = [...client.ws.shards.values()];
    return {
      shard_ready: gateway.shards().map(({ id, ready }) => [{ shard: id }, Number(ready)]),
      // discord.js reports -1 until the first heartbeat is answered.
      gateway_latency_seconds: shards.flatMap(({ id, ping }) =>
        ping < 0 ? [] : [[{ shard: id }, ping / 1000] as const],
      ),
      guilds: client.guilds.cache.size,
    };
  });
  const time = createLimiterTime(clock);
  const tokenWatch = createTokenWatch({
    ask: () => client.rest.get(Routes.user()),
    onRefused: () => options.fail({ reason: TOKEN_REFUSED, exitCode: EXIT_CONFIG }),
    clock,
    log,
  });
  const limitedRest = createRateLimitedRest({ ...options, time, tokenWatch });
  [client.rest, restOnce].forEach((rest) => limitedRest.include(rest));
  const ids = createCommandIds();
  let offered: readonly Command[] = [];
  const directory = createCommandDirectory(() => offered);
  const replies = createReplySender({ directory, ids, names: options.serviceNames, log });
  /** Known before the client is ready: after a restart, an earlier session already serves by then. */
  let application: z.infer<typeof applicationSchema> | undefined;
  const self = (): string | undefined => application?.bot?.id ?? client.user?.id;
  const messenger = createMessenger({ limitedRest, self, replies, clock, time, log });
  const { blockedGuilds: blocked } = options;
  const admission = createAdmission(access, blocked);
  const commandPermissions = createCommandPermissions({ rest: client.rest, clock, ids, log });
  const { reader } = createRequests({ limitedRest, clock, log });
  const listGuilds = createGuildLister(reader("list servers"));
  const offers = (name: string): boolean => offered.some((command) => command.name === name);
  const leaver = createGuildLeaver({ admission, blocked, rest: client.rest, messenger, offers, log });
  const ownerIds = createOwnerIds(client.rest, clock);
  const services = options.createServices({
    connection: createConnection(client, { listAll: listGuilds, clock, log }),
    directory,
    messenger,
    rights: createCommandRights({
      commands: all,
      read: reader("look up rights"),
      commandPermissions,
      applicationId: () => application?.id,
      clock,
    }),
    guildAccess: { ...admission, ...leaver },
    ownerIds,
  });
  const registry = createRegistry(all, services);
  offered = registry.commands;

  const shared = {
    registry,
    // Safe: a command is offered only if all the services it needs exist, and its type shows it no others.
    services: services as Services,
    commandPermissions,
    admission,
    noteUse: (guildId: string) => options.guilds.used(guildId),
    ids,
    replies,
    explain: options.explain,
    clock,
    log,
    meter,
  };
  const underWay = createRunningTasks(clock);
  listen(gateway, underWay, {
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
    (event: { readonly guild_id?: string } | null) => commandPermissions.forget(event?.guild_id ?? ""),
  );

  const guilds = watchGuilds(client, { guilds: options.guilds, leaver, listGuilds, log });
  const stopGatewayWatch = watchGateway({
    client,
    isServing() {
      const shards = gateway.shards();
      // A process in a fleet may have no shard yet. A restart would not help a process that waits for a login.
      return shards.length === 0 || shards.some(({ ready }) => ready) || gateway.isWaitingForLogin();
    },
    isApiUp: () =>
      restOnce.get(Routes.gateway(), { auth: false }).then(
        () => true,
        () => false,
      ),
    onLost: () => options.fail({ reason: CONNECTION_LOST, exitCode: EXIT_FAILURE }),
    clock,
    log,
  });
  const registration = createRegistration({
    client,
    commands: registry.commands,
    userInstall: access.userInstall,
    ids,
    clock,
    log,
  });
  /** Whether this process has registered the commands since it got shard 0. */
  let isRegistered = false;
  /** Shards for which missing permissions were reported. */
  const reported = new Set<number>();

  /** Handles a shard that is ready. In a fleet, the shard may have run in another process before. */
  function noteReady(shard: number): void {
    if (!reported.has(shard)) {
      reported.add(shard);
      reportPermissions(client, shard, options);
    }
    if (shard === 0 && !isRegistered && client.isReady()) {
      isRegistered = true;
      void registration.register(client.application.id);
    }
  }

  function noteStopped(shard: number): void {
    guilds.forgetShard(shard);
    isRegistered &&= shard !== 0;
  }

  /**
   * In a fleet, it leaves Discord first: other processes take over the shards immediately, while this one finishes its
   * answers and jobs. `jobsEnded` must not reject. It counts as an answer, because jobs send through the bridge.
   */
  async function stop(graceMs: number, jobsEnded: Promise<void> = Promise.resolve()): Promise<void> {
    const endMs = clock.elapsed() + graceMs;
    const cancelEnd = clock.after(Math.max(0, graceMs - END_ANSWERS_MS), options.endAnswers);
    underWay.add(jobsEnded);
    if (!gateway.hasOthers()) {
      await underWay.waitUntilAtMost(0, graceMs - LAST_ANSWERS_MS);
    }
    tokenWatch.stop();
    await gateway.leave();
    await underWay.waitUntilAtMost(0, endMs - clock.elapsed());
    cancelEnd();
    stopGatewayWatch();
    registration.stop();
    await Promise.all([limitedRest.stop(), direct.close()]);
    await guilds.stop();
  }

  async function connect(): Promise<void> {
    application = applicationSchema.parse(await askAtLogin((rest) => rest.get(Routes.currentApplication())));
    await options.checkApplication(application.id);
    if (application.interactions_endpoint_url) {
      log.error({ sentence: INTERACTIONS_ELSEWHERE }, "start found a problem");
      options.announce(INTERACTIONS_ELSEWHERE);
    }
    await blocked.load();
    await gateway.start(application);
  }

  const { signal } = options;
  try {
    await untilAborted(connect(), signal);
  } catch (error) {
    await stop(signal.aborted ? options.stopGraceMs : 0);
    throw error;
  }
  // Not earlier: a failed login drops the token too, which the watch would take for a refusal.
  tokenWatch.guard(client.rest);
  if (client.isReady()) {
    await guilds.notified();
    isRegistered = client.ws.shards.has(0);
    await registration.register(client.application.id);
    reportInvitation(client, options);
    client.ws.shards.filter(({ status }) => status === Status.Ready).forEach(({ id }) => noteReady(id));
    client.on(Events.ShardReady, noteReady);
  }
  // Delayed until the caller has learned that the bot is ready.
  setImmediate(direct.open);

  return {
    state: () => ({
      latencyMs: readLatencyMs(client),
      guilds: client.guilds.cache.size,
      shards: gateway.shards(),
      /** Whether every shard of this process is ready; in a fleet it may have none. */
      isConnected: gateway.isConnected(),
      isTokenRefused: tokenWatch.isRefused(),
    }),
    /** Begins to erase the servers on this process's shards that the bot left long enough ago. Never throws. */
    eraseLeftGuilds: () => guilds.eraseDue(),
    stop,
  };
}

/** Listens to the raw events, before discord.js builds objects from them, and even for channels that it ignores. */
function listen(
  { client, handles }: Pick<Gateway, "client" | "handles">,
  underWay: Pick<RunningTasks, "add">,
  dispatch: { readonly interaction: Dispatch; readonly message: MessageDispatch },
): void {
  const events = [
    [GatewayDispatchEvents.InteractionCreate, dispatch.interaction],
    [GatewayDispatchEvents.MessageCreate, dispatch.message],
  ] as const;
  /** Shards that lost their connection. When they are connected again, Discord first sends the events that it held back. */
  const reconnecting = new Set<number>();
  client.on(Events.ShardReconnecting, (shard) => reconnecting.add(shard));
  for (const event of [GatewayDispatchEvents.Ready, GatewayDispatchEvents.Resumed] as const) {
    client.ws.on(event, (_: unknown, shard: number) => reconnecting.delete(shard));
  }
  for (const [event, handle] of events) {
    // `isLate` is set only for events that did not arrive in the client's own session.
    client.ws.on(event, (payload: unknown, shard: number, isLate?: boolean) => {
      const { id }: { readonly id?: unknown } = Object(payload);
      const isOurs = handles(shard, { id: String(id), isOwn: isLate === undefined });
      const wasHeldBack = isLate ?? reconnecting.has(shard);
      const answer = (confirmed: boolean) => (confirmed ? handle(payload, wasHeldBack) : undefined);
      const answering = typeof isOurs === "boolean" ? answer(isOurs) : isOurs.then(answer);
      if (answering) {
        underWay.add(answering);
      }
    });
  }
}
