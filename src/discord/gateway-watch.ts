// Detects gateway connections that do not recover; discord.js would retry in the same way for ever.
import {
  type Client,
  CloseCodes,
  Events,
  GatewayOpcodes,
  type SessionInfo,
  Status,
  WebSocketShardDestroyRecovery,
} from "discord.js";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { EXIT_CONFIG, EXIT_FAILURE, type Failure } from "../core/errors.ts";
import type { GatewaySession } from "../storage/gateway-sessions.ts";
import { TOKEN_REFUSED } from "./explain-refusal.ts";

/** Roughly how long Discord keeps a session: "a few minutes". A shard that has not resumed by then starts a new session. */
const SESSION_LIFE_MS = 3 * 60_000;
const CHECK_INTERVAL_MS = 60_000;
const MAX_CHECKS_WITHOUT_SHARD = 10;

/** Starts to watch. Returns a function that stops it. */
export function watchGateway(deps: {
  readonly client: Client;
  /** Whether any shard serves members, in the client's own session or an earlier one, or a restart would not help. */
  readonly isServing: () => boolean;
  /** Whether Discord's API answers. Never rejects. */
  readonly isApiUp: () => Promise<boolean>;
  /** Called when no shard has served for ten minutes in which the API answered. */
  readonly onLost: () => void;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
}): () => void {
  const { client, isServing, isApiUp, onLost, clock, log } = deps;

  /** Disconnected shards, each with a function that cancels the end of its session. */
  const away = new Map<number, () => void>();
  let checksWithoutShard = 0;
  let cancelCheck: (() => void) | undefined;
  let isStopped = false;

  function noteAway(shard: number): void {
    if (!away.has(shard)) {
      away.set(
        shard,
        clock.after(SESSION_LIFE_MS, () => abandonSession(client, shard, log)),
      );
    }
    cancelCheck ??= clock.after(CHECK_INTERVAL_MS, () => void check());
  }

  function noteBack(shard: number): void {
    away.get(shard)?.();
    away.delete(shard);
  }

  /** Counts checks, not time: a machine that slept has lost its connections, and the time asleep says nothing. */
  async function check(): Promise<void> {
    if (isServing()) {
      checksWithoutShard = 0;
      cancelCheck = undefined;
      return;
    }
    checksWithoutShard = (await isApiUp()) ? checksWithoutShard + 1 : 0;
    if (isStopped) {
      return;
    }
    if (checksWithoutShard >= MAX_CHECKS_WITHOUT_SHARD && !isServing()) {
      onLost();
    } else {
      cancelCheck = clock.after(CHECK_INTERVAL_MS, () => void check());
    }
  }

  client.on(Events.ShardReconnecting, noteAway);
  client.on(Events.ShardReady, noteBack);
  client.on(Events.ShardResume, noteBack);
  return () => {
    isStopped = true;
    cancelCheck?.();
    for (const cancel of away.values()) {
      cancel();
    }
  };
}

/** Parts of a shard that are private in discord.js. */
export interface PrivateShard {
  sessionInfo: SessionInfo | null;
  readonly readyTimeout: NodeJS.Timeout | null;
}

export interface PrivateConnection {
  /** Aborts its wait for HELLO, READY or RESUMED. */
  readonly timeoutAbortControllers: Map<unknown, AbortController>;
  destroy(options: {
    reason: string;
    code?: CloseCodes;
    recover?: WebSocketShardDestroyRecovery;
  }): Promise<void>;
  /** Connects for the first time. */
  connect(): Promise<void>;
  send: (payload: { readonly op: GatewayOpcodes; readonly d: unknown }) => Promise<void>;
  /** Connects. discord.js also calls it half a second after a connection has closed. */
  internalConnect: () => Promise<void>;
}

interface PrivateWebSocketManager {
  readonly _ws: {
    readonly options: {
      shardCount: number;
      updateSessionInfo: (shard: number, session: SessionInfo | null) => void;
    };
    readonly strategy: {
      readonly shards: Map<number, PrivateConnection>;
      spawn(shards: readonly number[]): Promise<void>;
    };
    destroy(options: { code: CloseCodes; reason: string }): Promise<void>;
  } | null;
  triggerClientReady(): void;
}

/** Parts of the client that are private in discord.js's types. `manager` is null before the login. */
export function privatePartsOf({ ws }: Client) {
  const parts = ws as unknown as PrivateWebSocketManager;
  const { _ws: manager } = parts;
  return { manager, triggerClientReady: () => parts.triggerClientReady() };
}

/** The client's connections by shard; empty before the login. */
export function connectionsOf(client: Client): Map<number, PrivateConnection> {
  return privatePartsOf(client).manager?.strategy.shards ?? new Map<number, PrivateConnection>();
}

/**
 * Prevents a connection that is being closed from connecting again. If it still waits for READY, discord.js takes the
 * close for a failure, connects again and never settles. If it is between two connections, discord.js does not close it
 * at all.
 */
export function forbidReconnecting(connection: PrivateConnection): void {
  connection.timeoutAbortControllers.clear();
  connection.internalConnect = async () => undefined;
}

/** The next connection goes to the gateway itself, not to the host that READY named for a RESUME, and identifies. */
function abandonSession(client: Client, id: number, log: Log): void {
  const shard = client.ws.shards.get(id);
  // Private in the types.
  const session = shard as unknown as PrivateShard | undefined;
  if (!session?.sessionInfo) {
    return;
  }
  log.warn({ shard: id }, "gateway session abandoned");
  session.sessionInfo = null;
  if (shard?.status === Status.Resuming) {
    // The host accepted the connection but does not answer, and discord.js would wait for ever.
    void connectionsOf(client)
      .get(id)
      ?.destroy({ reason: "RESUME had no answer", recover: WebSocketShardDestroyRecovery.Reconnect });
  }
}

/**
 * Makes heartbeats confirm only events up to `saved`. Discord may forget confirmed events, and if this process dies,
 * another one asks for all events after the last one in the database.
 */
export function confirmOnlySaved(connection: PrivateConnection, saved: () => number | null): void {
  const send = connection.send.bind(connection);
  connection.send = (payload) =>
    send(payload.op === GatewayOpcodes.Heartbeat ? { op: payload.op, d: saved() } : payload);
}

/** Closes all connections. If `isResumable`, Discord keeps the sessions for some minutes, and they are returned. */
export async function leaveGateway(client: Client, isResumable: boolean): Promise<readonly GatewaySession[]> {
  // discord.js reports a connection that it closes itself as reconnecting.
  client.removeAllListeners(Events.ShardReconnecting);
  connectionsOf(client).forEach(forbidReconnecting);
  const { manager } = privatePartsOf(client);
  const shards = client.ws.shards as unknown as ReadonlyMap<number, PrivateShard>;
  if (isResumable && manager !== null) {
    const update = manager.options.updateSessionInfo;
    manager.options.updateSessionInfo = (shard, session) => {
      // discord.js forgets the session before it closes the connection.
      if (session !== null) {
        update(shard, session);
      }
    };
    await manager.destroy({ code: CloseCodes.Resuming, reason: "The bot restarts" });
  }
  // discord.js takes a stack trace for its debug log. Without this, Node would read the whole source map of the bundle
  // for it, which takes 0.1 s.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const destroyed = client.destroy();
  Error.stackTraceLimit = stackTraceLimit;
  await destroyed;
  return isResumable
    ? [...shards.values()].flatMap(({ sessionInfo }) =>
        sessionInfo === null ? [] : [{ ...sessionInfo, isLeft: true }],
      )
    : [];
}

const SHARDING_REQUIRED = 4011;

/** https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const REASONS: Readonly<Record<number, string>> = {
  4004: TOKEN_REFUSED,
  4010: "SHARDS names a shard that Discord does not accept. Count from 0 to one less than SHARD_COUNT.",
  [SHARDING_REQUIRED]:
    "SHARD_COUNT is too low for this many servers. Set it to `auto`, or raise it for all processes.",
  4012: "Discord no longer supports the gateway version that this Signalbox uses. Install a newer Signalbox.",
  4013: "Discord does not know an intent that this Signalbox asks for. Install a newer Signalbox.",
  4014: "Discord does not allow this application an intent that Signalbox asks for. Install a newer Signalbox.",
};

/** In words for the operator. `isShardCountAuto`: the next start asks Discord again how many shards there must be. */
export function explainClose(code: number, isShardCountAuto: boolean): Failure {
  const how = `Discord closed the connection with code ${code}.`;
  return code === SHARDING_REQUIRED && isShardCountAuto
    ? { reason: `Discord wants more shards for this many servers. ${how}`, exitCode: EXIT_FAILURE }
    : { reason: `${REASONS[code] ?? "Discord does not let the bot in."} ${how}`, exitCode: EXIT_CONFIG };
}
