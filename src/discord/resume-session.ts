// A session that another process has begun. Discord keeps what comes for it meanwhile, and it goes on until the client has a
// session of its own for the shard. The client does not resume it itself: a resumed session does not say which servers,
// channels and roles there are, and discord.js would never learn of them.
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
import { type PrivateConnection, confirmOnlySaved } from "./gateway-watch.ts";

/** What other events tell, the client learns from its own sessions. */
const PASSED_ON: ReadonlySet<string> = new Set([
  GatewayDispatchEvents.MessageCreate,
  GatewayDispatchEvents.MessageDelete,
  GatewayDispatchEvents.MessageDeleteBulk,
  GatewayDispatchEvents.ChannelDelete,
  GatewayDispatchEvents.ThreadDelete,
]);
/** More are dropped, so that memory stays bounded. */
const MOST_WAITING = 2_000;
/** For the answer to a heartbeat. */
const PATIENCE_MS = 1_000;

const dispatched = z.object({ data: z.object({ t: z.string(), d: z.unknown() }) });

/**
 * Whether an address that was stored is Discord's own gateway, or on the host of an API of another address: the token is
 * sent there.
 */
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
  /** Called when it serves, and when it is over. Default nobody is. */
  readonly onChange?: () => void;
  /** The number of the session's last event that another process would not ask for again. Default is the last that came. */
  readonly savedSequence?: (sessionId: string) => number | null;
  /** Emit events as another shard's, each at once: the client knows the servers. Default is the shard itself. */
  readonly emitAs?: number;
}

export type ResumedSession = ReturnType<typeof resumeSession>;

/**
 * Connects at once. What comes, the client emits as raw events; an event may come here and in one of the client's own
 * sessions. A session that Discord no longer knows is given up.
 */
export function resumeSession(first: GatewaySession, options: ResumeOptions) {
  const { client, token, clock, log, meter, onChange = () => undefined, savedSequence, emitAs } = options;
  const { shardId: shard, shardCount, resumeURL: url } = first;
  let session: GatewaySession | null = first;
  let isOpen = false;
  let isResumed = false;
  let isReplaced = false;
  /** Events that can be handled only when the client knows the shard's servers. Interactions bring along what they need. */
  const waiting: (() => void)[] = [];
  const drained = Promise.withResolvers<void>();
  // All that the strategy asks of a manager.
  const manager = {
    options: {
      ...DefaultWebSocketManagerOptions,
      token,
      intents: 0,
      // A connection whose session is over waits here, where it would identify.
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
        // Events that came just before have still to arrive here.
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
    } else if (PASSED_ON.has(name) && waiting.length < MOST_WAITING && !mayBeHandled(name)) {
      waiting.push(pass);
      if (isReplaced || emitAs !== undefined) {
        passWaiting();
      }
    }
  }

  /** A process that died was still handling messages; nobody knows which. Interactions from then are too old by now. */
  function mayBeHandled(name: string): boolean {
    return name === "MESSAGE_CREATE" && !first.isLeft && !isResumed;
  }

  function passWaiting(): void {
    waiting.splice(0).forEach((pass) => pass());
  }

  /** Asks for a heartbeat's answer: everything that Discord has sent for the session comes before it. */
  function drain(): void {
    if (isReplaced && isResumed) {
      const beat = { op: GatewayOpcodes.Heartbeat, d: session?.sequence ?? null } as const;
      void strategy.send(shard, beat).catch(() => undefined);
    }
  }

  async function disconnect(code: CloseCodes, reason: string): Promise<void> {
    // One that is still connecting would fail where nobody can catch it.
    if (isOpen) {
      await strategy.destroy({ code, reason });
    }
  }

  function close(): void {
    end();
    void disconnect(CloseCodes.Normal, "Replaced by another session");
  }

  return {
    /** What could go on with it now; `undefined` when it is over. */
    session: (): GatewaySession | undefined => session ?? undefined,
    /** Whether events of the shard come from it. */
    isServing: (): boolean => isResumed && session !== null,
    /** Call it when the client has a session of its own. This one ends once its events have arrived. */
    replace(): void {
      isReplaced = true;
      passWaiting();
      drain();
    },
    /** Resolves when nothing of it is missing that comes in the client's own session only after `replace`. */
    async drained(): Promise<void> {
      if (isReplaced) {
        await waitAtMost(clock, PATIENCE_MS, drained.promise, undefined);
      }
    },
    /**
     * Leaves the session for another process; `undefined` where it is over. Nothing comes from now on. Call it when no event
     * is on its way: one that has come is counted a moment before it is handled.
     */
    leave(): GatewaySession | undefined {
      const left: GatewaySession | null = session;
      session = null;
      // The next process does not get them again.
      passWaiting();
      void disconnect(CloseCodes.Resuming, "Another process goes on");
      end();
      // Before anything has come, it is as the last process has left it.
      return left === null ? undefined : { ...left, isLeft: isResumed || first.isLeft };
    },
    close,
  };
}
