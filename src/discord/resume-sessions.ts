// The sessions that the last process left. Discord has kept what came for them since, and they go on until the client has
// sessions of its own. The client does not resume them itself: a resumed session does not say which servers, channels and
// roles there are, and discord.js would never learn of them.
import {
  CloseCodes,
  DefaultWebSocketManagerOptions,
  type Client,
  GatewayDispatchEvents,
  GatewayOpcodes,
  SimpleShardingStrategy,
} from "discord.js";
import { z } from "zod";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import type { GatewaySession } from "../storage/gateway-sessions.ts";
import type { ShardManager } from "./client.ts";

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

const dispatched = z.object({ data: z.object({ t: z.string(), d: z.unknown() }) });

/**
 * Whether an address that was stored is Discord's own gateway, or on the host of an API of another address: the token is
 * sent there.
 */
export function isGateway(address: string, api: URL): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {};
  return (protocol === "wss:" && hostname?.endsWith(".discord.gg") === true) || hostname === api.hostname;
}

export type ResumedSessions = ReturnType<typeof resumeSessions>;

/**
 * Connects at once. What comes, the client emits as raw events; an event may come here and in one of the client's own
 * sessions. A session that Discord no longer knows is given up.
 */
export function resumeSessions(
  sessions: readonly GatewaySession[],
  deps: {
    readonly client: Client;
    readonly token: string;
    readonly log: Log;
    readonly meter: Pick<Meter, "count">;
  },
) {
  const { client, token, log, meter } = deps;
  /** Events that can be handled only when the client knows its servers. Interactions bring along what they need. */
  const waiting: (() => void)[] = [];
  let isReplaced = false;

  function passWaiting(): void {
    if (isReplaced) {
      waiting.splice(0).forEach((pass) => pass());
    }
  }

  function resume(first: GatewaySession) {
    const { shardId: shard, shardCount, resumeURL: url } = first;
    let session: GatewaySession | null = first;
    let isOpen = false;
    let isResumed = false;
    // All that the strategy asks of a manager.
    const manager = {
      options: {
        ...DefaultWebSocketManagerOptions,
        token,
        intents: 0,
        // A connection whose session is over waits here, where it would identify.
        retrieveSessionInfo: () => session ?? new Promise<never>(() => undefined),
        updateSessionInfo: (_: number, next: GatewaySession | null) => {
          session = next;
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
          session = isReplaced ? null : session;
        }
        return true;
      },
    };
    const strategy = new SimpleShardingStrategy(manager as unknown as ShardManager);
    strategy
      .spawn([shard])
      .then(() => strategy.connect())
      .catch((error: unknown) => log.warn({ error, shard }, "earlier session not resumed"));

    function receive(name: string, payload: unknown): void {
      const isLate = !isResumed;
      const pass = (): void => void client.ws.emit(name, payload, shard, isLate);
      if (name === "RESUMED") {
        isResumed = true;
        log.info({ shard }, "earlier session resumed");
        meter.count("gateway_sessions_total", { event: "resumed" });
        drain();
      } else if (name === "INTERACTION_CREATE") {
        pass();
      } else if (PASSED_ON.has(name) && waiting.length < MOST_WAITING) {
        waiting.push(pass);
        passWaiting();
      }
    }

    /** Asks for a heartbeat's answer: everything that Discord has sent for the session comes before it. */
    function drain(): void {
      if (isReplaced && isResumed) {
        const beat = { op: GatewayOpcodes.Heartbeat, d: session?.sequence ?? null } as const;
        void strategy.send(shard, beat).catch(() => undefined);
      }
    }

    function close(): void {
      session = null;
      // One that is still connecting would fail where nobody can catch it.
      if (isOpen) {
        void strategy.destroy({ code: CloseCodes.Normal, reason: "Replaced by another session" });
      }
    }

    return { drain, close };
  }

  const resumed = sessions.map(resume);
  return {
    /** Call it when the client has its own sessions. Each of these ends once its events have arrived. */
    replace(): void {
      isReplaced = true;
      passWaiting();
      resumed.forEach(({ drain }) => drain());
    },
    close: (): void => resumed.forEach(({ close }) => close()),
  };
}
