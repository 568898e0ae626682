// The process's HTTP endpoints for monitoring: its health (/health) and its metrics (/metrics).
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import type { Clock } from "../core/clock.ts";
import { type Meter, noMeter } from "../core/meter.ts";
import { ConfigError, codeOf } from "../core/errors.ts";
import { loadHttp } from "../core/late-libraries.ts";

/** Everything about Discord is absent until the bot has begun to connect. */
interface HealthState {
  readonly shards?: readonly { readonly id: number; readonly ready: boolean }[];
  readonly isConnected?: boolean;
  /** `undefined` until the first heartbeat is answered. */
  readonly latencyMs?: number | undefined;
  readonly guilds?: number;
  readonly isTokenRefused?: boolean;
  /** Whether the database is not open yet, or has not answered for a minute. */
  readonly isDatabaseAway: boolean;
}

/** Starts the endpoints. Without a port, nothing is measured. Throws a ConfigError if the port cannot be used. */
export async function startMonitoring(
  { port, host }: { readonly port: number | undefined; readonly host: string },
  version: string,
  readState: () => HealthState,
): Promise<{ readonly meter: Meter; readonly close: () => Promise<void> }> {
  if (port === undefined) {
    return { meter: noMeter, close: async () => undefined };
  }
  // The library is loaded only if monitoring is on.
  const { createMetrics } = await import("./metrics.ts");
  const metrics = createMetrics();
  metrics.meter.gauges(() => ({
    build_info: [[{ version, node: process.version }, 1]],
    database_up: Number(!readState().isDatabaseAway),
  }));
  // Without these zeros, Prometheus would see no increase at the first bug and the first missed slot.
  metrics.meter.count("refusals_total", { reason: "bug" }, 0);
  metrics.meter.count("board_slots_total", { outcome: "missed" }, 0);
  const sources = { health: () => healthOf(readState()), metrics: () => metrics.read() };
  const server = await startHealthServer({ port, host }, sources);
  return { meter: metrics.meter, close: () => server.close() };
}

function healthOf({ shards = [], isConnected, latencyMs, guilds = 0, ...state }: HealthState): Health {
  const failed = [
    ...(isConnected ? [] : ["gateway"]),
    ...(state.isTokenRefused ? ["token"] : []),
    ...(state.isDatabaseAway ? ["database"] : []),
  ];
  return { ok: failed.length === 0, failed, shards, latencyMs, guilds };
}

/** The content of /health. `ok` decides between the statuses 200 and 503. */
interface Health {
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

export type HealthServer = Awaited<ReturnType<typeof startHealthServer>>;

/** Starts the server. Throws a ConfigError if the port or the address cannot be used. */
export async function startHealthServer(
  { port, host }: { readonly port: number; readonly host: string },
  sources: {
    readonly health: () => Health;
    readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  },
) {
  async function answer({ url, method }: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = method === "GET" || method === "HEAD" ? url?.split("?")[0] : undefined;
    if (path === "/health") {
      const { ok, ...details } = sources.health();
      response
        .writeHead(ok ? 200 : 503, { "content-type": "application/json", "cache-control": "no-store" })
        .end(JSON.stringify({ status: ok ? "ok" : "unavailable", ...details }));
    } else if (path === "/metrics") {
      const { contentType, text } = await sources.metrics();
      response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text);
    } else {
      response.writeHead(404).end();
    }
  }

  const server = loadHttp().createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw explainListening(error);
  }
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function explainListening(error: unknown): unknown {
  const code = codeOf(error);
  if (code === "EADDRINUSE") {
    const sentence =
      "HTTP_PORT is in use by another program, or this bot is already running. Stop that program or bot, choose another port, or leave HTTP_PORT out.";
    return new ConfigError([sentence], { isTransient: true });
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new ConfigError([
      "HTTP_HOST is not an address of this machine. Set 127.0.0.1 for this machine alone, or 0.0.0.0 for all of its addresses.",
    ]);
  }
  return code === "EACCES"
    ? new ConfigError(["HTTP_PORT is reserved by this system. Choose a port above 1023."])
    : error;
}

const PING_INTERVAL_MS = 10_000;
const SILENT_AFTER_MS = 60_000;

/** Whether the database has been silent for a minute. A call sends the next ping if one is due, without waiting. */
export function createDatabaseHealth(
  clock: Pick<Clock, "elapsed">,
  ping: () => Promise<unknown>,
): () => boolean {
  let lastPingMs = -Infinity;
  let isPinging = false;
  /** When the first of the unanswered pings was sent. */
  let unansweredSinceMs: number | undefined;

  async function sendPing(): Promise<void> {
    try {
      await ping();
      unansweredSinceMs = undefined;
    } catch {
      // Other queries fail too, and their failures are logged.
    } finally {
      isPinging = false;
    }
  }

  return () => {
    const nowMs = clock.elapsed();
    if (!isPinging && nowMs - lastPingMs >= PING_INTERVAL_MS) {
      isPinging = true;
      lastPingMs = nowMs;
      unansweredSinceMs ??= nowMs;
      void sendPing();
    }
    return unansweredSinceMs !== undefined && nowMs - unansweredSinceMs >= SILENT_AFTER_MS;
  };
}
