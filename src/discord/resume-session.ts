// Resumes a gateway session that another process began, and whose events Discord has kept since. It is used until the
// client has its own session for the shard. The client does not resume it itself: a resumed session does not list
// servers, channels and roles, so discord.js would never know them.
import {
  CloseCodes,
  DefaultWebSocketManagerOptions,
  type Client,
  GatewayDispatchEvents,
  GatewayOpcodes,
  SimpleShardingStrategy,
} from "discord.js";
import { z } from "zod";
import { type Clock, waitAtMost } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import type { GatewaySession } from "../storage/gateway-sessions.ts";
import type { ShardManager } from "./client.ts";
import { type PrivateConnection, confirmOnlySaved } from "./client-internals.ts";

/** Events that are passed on besides interactions. The client gets all others in its own sessions. */
const PASSED_ON: ReadonlySet<string> = new Set([
  GatewayDispatchEvents.MessageCreate,
  GatewayDispatchEvents.MessageDelete,
  GatewayDispatchEvents.MessageDeleteBulk,
  GatewayDispatchEvents.ChannelDelete,
  GatewayDispatchEvents.ThreadDelete,
]);
/** Further waiting events are dropped, so that memory stays bounded. */
const MAX_WAITING = 2_000;
const HEARTBEAT_TIMEOUT_MS = 1_000;

const dispatched = z.object({ data: z.object({ t: z.string(), d: z.unknown() }) });

/** Whether the token may be sent to a stored address: only to Discord's own gateway, or to the host of `api`. */
export function isGateway(address: string, api: URL): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {};
  return (protocol === "wss:" && hostname?.endsWith(".discord.gg") === true) || hostname === api.hostname;
}

export interface ResumeOptions {
  readonly client: Client;
  readonly token: string;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  readonly meter: Pick<Meter, "count">;
  /** Called when the session begins to serve, and when it is over. */
  readonly onChange?: () => void;
  /** The session's last event in the database: heartbeats confirm no later one. Default: the last that arrived. */
  readonly savedSequence?: (sessionId: string) => number | null;
  /** The shard number of the emitted events. If set, no event waits: the client already knows the servers. */
  readonly emitAs?: number;
}

export type ResumedSession = ReturnType<typeof resumeSession>;

/**
 * Connects immediately. The client emits the session's events as raw events; an event may arrive both here and in one
 * of the client's own sessions. If Discord no longer knows the session, it is over.
 */
export function resumeSession(first: GatewaySession, options: ResumeOptions) {
  const { client, token, clock, log, meter, onChange = () => undefined, savedSequence, emitAs } = options;
  const { shardId: shard, shardCount, resumeURL: url } = first;
  let session: GatewaySession | null = first;
  let isOpen = false;
  let isResumed = false;
  let isReplaced = false;
  /** Until the client knows the shard's servers. Interactions do not wait: they contain all that is needed. */
  const waiting: (() => void)[] = [];
  const drained = Promise.withResolvers<void>();
  // Only the parts of a manager that the strategy uses.
  const manager = {
    options: {
      ...DefaultWebSocketManagerOptions,
      token,
      intents: 0,
      // If the session is over, the connection would identify next. This makes it wait for ever instead.
      retrieveSessionInfo: () => session ?? new Promise<never>(() => undefined),
      updateSessionInfo(_: number, next: Omit<GatewaySession, "isLeft"> | null) {
        session = next === null || session === null ? null : { ...next, isLeft: false };
        if (session === null) {
          end();
        }
      },
    },
    fetchGatewayInformation: async () => ({ url }),
    getShardCount: async () => shardCount,
    emit(event: string, detail: unknown) {
      const { data } = dispatched.safeParse(detail);
      if (event === "dispatch" && data !== undefined) {
        receive(data.data.t, data.data.d);
      } else if (event === "heartbeat" && isReplaced) {
        // Events that arrived just before the answer are still on their way to `receive`.
        setImmediate(close);
      } else if (event === "hello") {
        isOpen = true;
        if (session === null) {
          close();
        }
      } else if (event === "closed") {
        isOpen = false;
        if (isReplaced) {
          end();
        }
      }
      return true;
    },
  };
  const strategy = new SimpleShardingStrategy(manager as unknown as ShardManager);
  strategy
    .spawn([shard])
    .then(() => {
      // Private in the types.
      const { shards } = strategy as unknown as { readonly shards: ReadonlyMap<number, PrivateConnection> };
      const connection = shards.get(shard);
      if (connection !== undefined && savedSequence !== undefined) {
        confirmOnlySaved(connection, () => savedSequence(first.sessionId));
      }
      return strategy.connect();
    })
    .catch((error: unknown) => log.warn({ error, shard }, "earlier session not resumed"));

  function end(): void {
    session = null;
    drained.resolve();
    onChange();
  }

  function receive(name: string, payload: unknown): void {
    const isLate = !isResumed;
    const pass = (): void => void client.ws.emit(name, payload, emitAs ?? shard, isLate);
    if (name === "RESUMED") {
      isResumed = true;
      log.info({ shard }, "earlier session resumed");
      meter.count("gateway_sessions_total", { event: "resumed" });
      onChange();
      drain();
    } else if (name === "INTERACTION_CREATE") {
      pass();
    } else if (PASSED_ON.has(name) && waiting.length < MAX_WAITING && !mayBeHandled(name)) {
      waiting.push(pass);
      if (isReplaced || emitAs !== undefined) {
        passWaiting();
      }
    }
  }

  /** By a process that died. Only messages matter: interactions from that time are too old to be answered. */
  function mayBeHandled(name: string): boolean {
    return name === "MESSAGE_CREATE" && !first.isLeft && !isResumed;
  }

  function passWaiting(): void {
    waiting.splice(0).forEach((pass) => pass());
  }

  /** Sends a heartbeat. Everything that Discord has sent for the session arrives before the answer to it. */
  function drain(): void {
    if (isReplaced && isResumed) {
      const beat = { op: GatewayOpcodes.Heartbeat, d: session?.sequence ?? null } as const;
      void strategy.send(shard, beat).catch(() => undefined);
    }
  }

  async function disconnect(code: CloseCodes, reason: string): Promise<void> {
    // Destroying a connection that is still opening would throw where nobody can catch it.
    if (isOpen) {
      await strategy.destroy({ code, reason });
    }
  }

  function close(): void {
    end();
    void disconnect(CloseCodes.Normal, "Replaced by another session");
  }

  return {
    /** The session as it could be resumed now; `undefined` when it is over. */
    session: (): GatewaySession | undefined => session ?? undefined,
    /** Whether the shard's events come from this session now. */
    isServing: (): boolean => isResumed && session !== null,
    /** Call it when the client has its own session. This one ends once its events have arrived. */
    replace(): void {
      isReplaced = true;
      passWaiting();
      drain();
    },
    /** Resolves when a session that was replaced has delivered all its events. */
    async drained(): Promise<void> {
      if (isReplaced) {
        await waitAtMost(clock, HEARTBEAT_TIMEOUT_MS, drained.promise, undefined);
      }
    },
    /**
     * Leaves the session to another process, and returns it; `undefined` if it is over. It delivers nothing from now
     * on. Call it when no event is on its way: an event is counted a moment before it is handled.
     */
    leave(): GatewaySession | undefined {
      const left: GatewaySession | null = session;
      session = null;
      // The next process does not get these events again.
      passWaiting();
      void disconnect(CloseCodes.Resuming, "Another process takes over");
      end();
      // If it never resumed, it is still in the state in which the last process left it.
      return left === null ? undefined : { ...left, isLeft: isResumed || first.isLeft };
    },
    close,
  };
}
