// Connects the shards of the client: those that the operator has chosen, or those that this process has leased.
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Client, ClientApplication, ClientUser, Events, type REST, Routes, Status } from "discord.js";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { DiscordConfig } from "../core/config.ts";
import type { Failure } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import type { FactsTable } from "../storage/facts-table.ts";
import type { GatewaySessions, SessionSeal } from "../storage/gateway-sessions.ts";
import type { ShardLeasesTable } from "../storage/leases-table.ts";
import { createClient } from "./client.ts";
import { internalsOf, leaveGateway } from "./client-internals.ts";
import { explainClose, explainRefusal } from "./explain-refusal.ts";
import { type LoginThrottler, createIdentifyThrottler } from "./identify-throttler.ts";
import { type AskAtLogin, createLoginThrottler, logIn } from "./log-in.ts";
import { type ResumedSession, isGateway, resumeSession } from "./resume-session.ts";
import { createShardFleet } from "./shard-fleet.ts";
import { OLD_SHARD, createShardRunner } from "./shard-runner.ts";

export interface Gateway {
  readonly client: Client;
  /** Resolves when the shards serve members. `application`: the bot's own, as Discord sends it. Throws as `logIn`. */
  start(application: { readonly id: string }): Promise<void>;
  /** Leaves Discord so that another process can resume the sessions. Never throws. */
  leave(): Promise<void>;
  shards(): readonly { readonly id: number; readonly ready: boolean }[];
  /** Whether all shards of this process serve members. */
  isConnected(): boolean;
  handles(shard: number, event: GatewayEvent): boolean | Promise<boolean>;
  /** Whether a shard waits until Discord allows another login, which may take a day. */
  isWaitingForLogin(): boolean;
  /** Whether other processes take over the shards as soon as this one leaves. */
  hasOthers(): boolean;
}

interface GatewayEvent {
  /** The id of the message or the interaction. */
  readonly id: string;
  /** Whether it arrived in the client's own session, and not in an earlier one that was resumed. */
  readonly isOwn: boolean;
}

export interface GatewayOptions {
  readonly config: DiscordConfig;
  readonly askAtLogin: AskAtLogin;
  /** `undefined` if the database does not outlive the process. */
  readonly sessions: GatewaySessions | undefined;
  /** `undefined` if the operator has chosen the shards. */
  readonly fleet: FleetOptions | undefined;
  readonly fail: (failure: Failure) => void;
  readonly announce: (line: string) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Called when this process has stopped a shard, e.g. for another process. */
  readonly onStopped: (shard: number) => void;
}

export interface FleetOptions {
  readonly leases: ShardLeasesTable;
  readonly facts: Pick<FactsTable, "storeIfAbsent" | "read" | "change">;
  readonly seal: SessionSeal;
}

export function createGateway(options: GatewayOptions): Gateway {
  return options.fleet === undefined
    ? createConfiguredGateway(options)
    : createFleetGateway(options, options.fleet);
}

function createConfiguredGateway(options: GatewayOptions): Gateway {
  const { config, sessions, fail } = options;
  let throttler: LoginThrottler | undefined;
  const client = createClient(config, {
    ...options,
    async buildIdentifyThrottler(manager) {
      throttler = await createLoginThrottler(manager);
      return throttler;
    },
  });
  const isCountAuto = config.shardCount === "auto";
  let resumed: readonly ResumedSession[] = [];
  const states = (): ReturnType<Gateway["shards"]> =>
    [...client.ws.shards.values()].map(({ id, status }) => ({ id, ready: status === Status.Ready }));

  return {
    client,
    async start() {
      const left = (await sessions?.take(config.shards)) ?? [];
      resumed = left
        // With another shard count, the shard has other servers, which other processes may run.
        .filter(({ shardCount }) => isCountAuto || shardCount === config.shardCount)
        .filter(({ resumeURL }) => isGateway(resumeURL, config.apiBaseUrl))
        .map((session) => resumeSession(session, { ...options, client, token: config.token }));
      await logIn(client, config.token, isCountAuto);
      resumed.forEach((session) => session.replace());
      client.on(Events.ShardDisconnect, ({ code }) => fail(explainClose(code, isCountAuto)));
    },
    async leave() {
      await Promise.all(resumed.map((session) => session.drained()));
      await nextTurn();
      const earlier = resumed.flatMap((session) => session.leave() ?? []);
      const own = await leaveGateway(client, sessions !== undefined);
      // If an earlier session is still in use, the client was not ready, so that session counts.
      const left = new Map([...own, ...earlier].map((session) => [session.shardId, session]));
      await sessions?.store([...left.values()]);
    },
    shards: states,
    isConnected: () => client.ws.shards.size > 0 && states().every(({ ready }) => ready),
    handles: () => true,
    isWaitingForLogin: () => throttler?.isWaitingForLogin() === true,
    hasOthers: () => false,
  };
}

const GROWTH_CHECK_INTERVAL_MS = 3_600_000;

const gatewaySchema = z.object({ shards: z.int() });
const userSchema = z.looseObject({ id: z.string() });

const readRecommended = async (rest: Pick<REST, "get">): Promise<number> =>
  gatewaySchema.parse(await rest.get(Routes.gatewayBot())).shards;

function createFleetGateway(options: GatewayOptions, { leases, facts, seal }: FleetOptions): Gateway {
  const { config, askAtLogin, fail, announce, clock, log, meter } = options;
  const holder = randomUUID();
  let throttler: LoginThrottler | undefined;
  const client = createClient(
    // Placeholders until the fleet has agreed on a shard count.
    { ...config, shards: [1], shardCount: 2 },
    {
      ...options,
      runs: (shard) => runner.runs(shard),
      async buildIdentifyThrottler(manager) {
        throttler = createIdentifyThrottler(manager, { leases, holder, announce, log });
        return throttler;
      },
    },
  );
  const runner = createShardRunner({
    client,
    token: config.token,
    clock,
    log,
    meter,
    mayConnect: (shard) => fleet.mayConnect(shard),
    savedSequence: (sessionId) => fleet.savedSequence(sessionId),
    onChange: () => fleet.noteChange(),
    onStopped: options.onStopped,
  });
  const fleet = createShardFleet({
    runner,
    leases,
    facts,
    openSession: (stored) =>
      seal.open(stored).filter(({ resumeURL }) => isGateway(resumeURL, config.apiBaseUrl)),
    sealSession: (session) => seal.seal(session),
    holder,
    clock,
    log,
  });
  const states = (): ReturnType<Gateway["shards"]> =>
    fleet.shards().map((id) => ({ id, ready: runner.isServing(id) || fleet.isGrowing() }));

  /** Sets the client's user and application, as discord.js does at READY, which a process without a shard never gets. */
  function setUserAndApplication(user: unknown, application: unknown): void {
    // The constructors are protected in the types.
    const User = ClientUser as unknown as new (owner: Client, data: unknown) => ClientUser;
    const Application = ClientApplication as unknown as new (
      owner: Client,
      data: unknown,
    ) => ClientApplication;
    client.user = new User(client, user);
    client.users.cache.set(client.user.id, client.user);
    client.application = new Application(client, application);
  }

  let cancelGrowthCheck: (() => void) | undefined;

  /** Discord recommends more shards as the bot joins servers, and eventually requires them. */
  function scheduleGrowthCheck(): void {
    cancelGrowthCheck = clock.after(GROWTH_CHECK_INTERVAL_MS, () => {
      readRecommended(client.rest)
        .then((recommended) => fleet.propose(recommended))
        .catch((error: unknown) => log.warn({ error }, "recommended shards not read"))
        .finally(scheduleGrowthCheck);
    });
  }

  return {
    client,
    async start(application) {
      const { user, wanted } = await askAtLogin(async (rest) => ({
        user: userSchema.parse(await rest.get(Routes.user())),
        wanted: config.shardCount === "auto" ? await readRecommended(rest) : config.shardCount,
      }));
      const shardCount = await fleet.agree(wanted);
      if (config.shardCount !== "auto" && shardCount !== wanted) {
        log.warn({ shards: shardCount, wanted }, "SHARD_COUNT not used: the fleet has more shards");
      }
      client.options.shardCount = shardCount;
      client.options.shards = [];
      await client.login(config.token).catch((error: unknown) => {
        throw explainRefusal(error);
      });
      setUserAndApplication(user, application);
      internalsOf(client).triggerClientReady();
      client.on(Events.ShardDisconnect, ({ code }) => fail(explainClose(code, true)));
      await fleet.join(shardCount);
      if (config.shardCount === "auto") {
        scheduleGrowthCheck();
      }
    },
    async leave() {
      cancelGrowthCheck?.();
      await fleet.leave();
      await leaveGateway(client, false);
    },
    shards: states,
    isConnected: () => fleet.isJoined() && states().every(({ ready }) => ready),
    handles: (shard, { id, isOwn }) =>
      shard === OLD_SHARD ? fleet.handlesOld(id) : runner.counts(shard, isOwn) && fleet.handles(shard, id),
    isWaitingForLogin: () => throttler?.isWaitingForLogin() === true,
    hasOthers: fleet.hasOthers,
  };
}
