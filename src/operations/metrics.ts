// Counters and the bot's state, for Prometheus. The only module that imports prom-client.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import type { Meter } from "../core/meter.ts";

export interface Readings {
  readonly shards: readonly { readonly id: number; readonly ready: boolean }[];
  /** `undefined` before the first heartbeat was answered. */
  readonly latencyMs: number | undefined;
  readonly guilds: number;
  /** Calls of the transport plan, in its window; `undefined` without a plan, or while the database is away. */
  readonly plan: { readonly limit: number; readonly used: number } | undefined;
}

/** Seconds. Discord waits 3 for a first answer; pictures and videos take their time. */
const ANSWER_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 3, 10, 30, 120];
/** Seconds. Services have 10, a file as long as it takes. */
const SERVICE_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600];
/** Seconds. Jobs are called every ten, and catch up after an outage. */
const JOB_BUCKETS = [0.01, 0.05, 0.25, 1, 5, 10, 30, 120];

/** `readings` is asked each time that somebody reads. */
export function createMetrics(
  version: string,
  readings: () => Promise<Readings>,
): {
  readonly meter: Meter;
  readonly read: () => Promise<{ readonly contentType: string; readonly text: string }>;
} {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const count = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const time = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  const answers = count("signalbox_answers_total", "Commands, buttons, menus and forms that were answered.", [
    "task",
    "outcome",
  ]);
  const answerTime = time(
    "signalbox_answer_duration_seconds",
    "Time from Discord's event to the complete answer.",
    ["outcome"],
    ANSWER_BUCKETS,
  );
  const requests = count(
    "signalbox_service_requests_total",
    "Requests to the services behind the bot, retries included.",
    ["service", "verb", "outcome"],
  );
  const requestTime = time(
    "signalbox_service_request_duration_seconds",
    "Time of each request to the services behind the bot, until its answer was read.",
    ["service"],
    SERVICE_BUCKETS,
  );
  const foreign = count(
    "signalbox_foreign_answers_total",
    "Interactions that another process with the same token had answered already.",
    [],
  );
  const duplicates = new Gauge({
    name: "signalbox_duplicate_shards",
    help: "Shards of this process that another one runs too.",
    registers,
  });
  const runs = count("signalbox_job_runs_total", "Runs of the bot's jobs.", ["job", "outcome"]);
  const runTime = time(
    "signalbox_job_duration_seconds",
    "Time of each run of the bot's jobs.",
    ["job"],
    JOB_BUCKETS,
  );
  const gauges = createGauges(registers);
  new Gauge({ name: "signalbox_build_info", help: "Always 1.", labelNames: ["version"], registers })
    .labels(version)
    .set(1);

  return {
    meter: {
      answered(task, outcome, milliseconds) {
        answers.inc({ task, outcome });
        answerTime.observe({ outcome }, milliseconds / 1000);
      },
      asked(service, verb, outcome, milliseconds) {
        requests.inc({ service, verb, outcome });
        requestTime.observe({ service }, milliseconds / 1000);
      },
      answeredElsewhere: () => foreign.inc(),
      duplicateShards: (shards) => duplicates.set(shards),
      ran(job, outcome, milliseconds) {
        runs.inc({ job, outcome });
        runTime.observe({ job }, milliseconds / 1000);
      },
    },
    async read() {
      gauges.show(await readings());
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function createGauges(registers: Registry[]): { show(readings: Readings): void } {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const shards = gauge("signalbox_shard_ready", "1 if the shard is connected, 0 if not.", ["shard"]);
  const latency = gauge("signalbox_gateway_latency_seconds", "Average latency of the heartbeats to Discord.");
  const guilds = gauge("signalbox_guilds", "Servers that the bot is in, as far as this process knows.");
  const limit = gauge("signalbox_plan_calls_limit", "Calls that the transport plan allows in its window.");
  const used = gauge(
    "signalbox_plan_calls_used",
    "Calls that count against the transport plan now, from all processes.",
  );
  return {
    show(now) {
      shards.reset();
      for (const { id, ready } of now.shards) {
        shards.set({ shard: id }, ready ? 1 : 0);
      }
      show(latency, now.latencyMs === undefined ? undefined : now.latencyMs / 1000);
      show(guilds, now.guilds);
      show(limit, now.plan?.limit);
      show(used, now.plan?.used);
    },
  };
}

/** What is not known has no line, rather than a nought. */
function show(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) {
    gauge.remove();
  } else {
    gauge.set(value);
  }
}
