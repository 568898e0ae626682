// The meter's metrics, in Prometheus's format. The only module that imports prom-client.
import { setTimeout } from "node:timers/promises";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { COUNTERS, DURATIONS, GAUGES, type Meter, type Readings } from "../core/meter.ts";

/** In seconds. */
const BUCKETS: Readonly<Record<keyof typeof DURATIONS, number[]>> = {
  /** Discord waits for 3 s. */
  first_answer_duration_seconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 3],
  /** Pictures and videos take long. */
  answer_duration_seconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 3, 10, 30, 120],
  /** A service has 10 s to answer; a file may take longer. */
  service_request_duration_seconds: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600],
  /** Jobs run every 10 s, and take longer after an outage. */
  job_duration_seconds: [0.01, 0.05, 0.25, 1, 5, 10, 30, 120],
  database_statement_duration_seconds: [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  /** A slot counts as missed after two minutes. */
  board_slot_delay_seconds: [1, 2, 5, 10, 20, 30, 60, 90, 120],
};

/** Prometheus waits for ten seconds. If the database hangs, the other metrics are still sent. */
const READ_TIMEOUT_MS = 3_000;

type Source = Parameters<Meter["gauges"]>[0];

export function createMetrics(): {
  readonly meter: Meter;
  readonly read: () => Promise<{ readonly contentType: string; readonly text: string }>;
} {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // `promtool check metrics` rejects these gauges, because their names end like those of counters.
  for (const what of ["handles", "requests", "resources"]) {
    registry.removeSingleMetric(`nodejs_active_${what}_total`);
  }
  const counters = createEach(COUNTERS, (base) => new Counter({ ...base, registers }));
  const durations = createEach(
    DURATIONS,
    (base, name) => new Histogram({ ...base, buckets: BUCKETS[name], registers }),
  );
  const gauges = createEach(GAUGES, (base) => new Gauge({ ...base, registers }));
  const sources: Source[] = [];

  function setGauge(name: keyof typeof GAUGES, readings: readonly Readings[]): void {
    const gauge = gauges[name];
    gauge.reset();
    const known = readings.flatMap(({ [name]: reading }) => (reading === undefined ? [] : [reading]));
    if (known.length === 0 && GAUGES[name].length === 1) {
      // An unknown value has no line, instead of 0.
      gauge.remove();
    }
    for (const reading of known) {
      const values = typeof reading === "number" ? [[{}, reading] as const] : reading;
      values.forEach(([labels, value]) => gauge.set({ ...labels }, value));
    }
  }

  return {
    meter: {
      count: (name, labels, by = 1) => counters[name].inc(labels, by),
      time: (name, labels, milliseconds) => durations[name].observe(labels, milliseconds / 1000),
      gauges: (source) => void sources.push(source),
    },
    async read() {
      const readings = await Promise.all(sources.map(readInTime));
      names(GAUGES).forEach((name) => setGauge(name, readings));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function readInTime(source: Source): Promise<Readings> {
  const reading = Promise.resolve().then(source);
  return Promise.race([reading.catch(() => ({})), setTimeout(READ_TIMEOUT_MS, {}, { ref: false })]);
}

function createEach<N extends string, M>(
  definitions: Readonly<Record<N, readonly [help: string, ...labels: string[]]>>,
  make: (base: { name: string; help: string; labelNames: string[] }, name: N) => M,
): Readonly<Record<N, M>> {
  const made = names(definitions).map((name) => {
    const [help, ...labelNames] = definitions[name];
    return [name, make({ name: `signalbox_${name}`, help, labelNames }, name)];
  });
  // The entries have exactly these names.
  return Object.fromEntries(made) as Record<N, M>;
}

function names<N extends string>(definitions: Readonly<Record<N, unknown>>): N[] {
  // Our own definitions have exactly these keys.
  return Object.keys(definitions) as N[];
}
