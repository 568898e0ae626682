// The parts of discord.js's client that its types declare private, and what the bot does with them.
import {
  type Client,
  CloseCodes,
  Events,
  GatewayOpcodes,
  type SessionInfo,
  type WebSocketShardDestroyRecovery,
} from "discord.js";
import type { GatewaySession } from "../storage/gateway-sessions.ts";

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

/** `manager` manages the connections; it is null before the login. */
export function internalsOf({ ws }: Client) {
  const parts = ws as unknown as PrivateWebSocketManager;
  const { _ws: manager } = parts;
  return { manager, triggerClientReady: () => parts.triggerClientReady() };
}

/** The client's connections by shard; empty before the login. */
export function connectionsOf(client: Client): Map<number, PrivateConnection> {
  return internalsOf(client).manager?.strategy.shards ?? new Map<number, PrivateConnection>();
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
  const { manager } = internalsOf(client);
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
