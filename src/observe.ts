// What whoever watches the process can ask of it over HTTP: whether it works, and what it did.
import { noMeter, type Meter } from "./core/meter.ts";
import { startHealthServer } from "./health.ts";
import type { Readings } from "./metrics/create-metrics.ts";

/** How the connection stands; `plan` is asked for where it is wanted. */
export interface Standing extends Omit<Readings, "plan"> {
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
    const { plan, ...now } = standing();
    return { ...now, plan: await plan() };
  });
  const server = await startHealthServer(port, {
    health() {
      const { shards, latencyMs, guilds } = standing();
      return { ok: shards.length > 0 && shards.every(({ ready }) => ready), shards, latencyMs, guilds };
    },
    metrics: () => metrics.read(),
  });
  return { meter: metrics.meter, close: () => server.close() };
}
