// What whoever watches the process can ask of it over HTTP: whether it works, and what it did.
import { noMeter, type Meter } from "./core/meter.ts";
import { startHealthServer, type Health } from "./health.ts";
import type { Readings } from "./metrics/create-metrics.ts";

/** How the bot stands; what has to be asked for is asked for where it is wanted. */
export interface Standing extends Omit<Readings, "plan"> {
  readonly isTokenRefused: boolean;
  /** Whether the database is not open yet, or has not answered for a minute. */
  readonly isDatabaseAway: () => boolean;
  readonly plan: () => Promise<Readings["plan"]>;
}

/** What is told of the process while it runs. */
export interface Observation {
  readonly meter: Meter;
  close(): Promise<void>;
}

/**
 * Answers on a port as long as it is not closed; without one, nobody is told and nothing is counted. Throws a ConfigError
 * for a port that it cannot have.
 */
export async function observe(
  port: number | undefined,
  version: string,
  standing: () => Standing,
): Promise<Observation> {
  if (port === undefined) {
    return { meter: noMeter, close: async () => undefined };
  }
  // Only whoever is watched needs the library.
  const { createMetrics } = await import("./metrics/create-metrics.ts");
  const metrics = createMetrics(version, async () => {
    const { shards, latencyMs, guilds, plan } = standing();
    return { shards, latencyMs, guilds, plan: await plan() };
  });
  const server = await startHealthServer(port, {
    health: () => judge(standing()),
    metrics: () => metrics.read(),
  });
  return { meter: metrics.meter, close: () => server.close() };
}

/** `failed` names the parts that keep the bot from working. */
function judge({ shards, latencyMs, guilds, isTokenRefused, isDatabaseAway }: Standing): Health {
  const isConnected = shards.length > 0 && shards.every(({ ready }) => ready);
  const failed = [
    ...(isConnected ? [] : ["gateway"]),
    ...(isTokenRefused ? ["token"] : []),
    ...(isDatabaseAway() ? ["database"] : []),
  ];
  return { ok: failed.length === 0, failed, shards, latencyMs, guilds };
}
