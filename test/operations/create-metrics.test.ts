import { describe, expect, it } from "vitest";
import { type Readings, createMetrics } from "../../src/operations/metrics.ts";

const STANDING: Readings = {
  shards: [
    { id: 0, ready: true },
    { id: 1, ready: false },
  ],
  latencyMs: 42,
  guilds: 7,
  plan: { limit: 1000, used: 12 },
};

/** The lines of our own. */
async function linesOf(metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> {
  const { text } = await metrics.read();
  return text.split("\n").filter((line) => line.startsWith("signalbox_"));
}

describe("metrics", () => {
  it("count answers, requests and runs by what they were and how they ended", async () => {
    const metrics = createMetrics("1.2.3", async () => STANDING);
    metrics.meter.answered("departures", "answered", 20);
    metrics.meter.answered("departures", "answered", 2_000);
    metrics.meter.answered("departures:later", "refused", 5);
    metrics.meter.asked("transport", "liveBoard", "200", 120);
    metrics.meter.asked("transport", "liveBoard", "timeout", 10_000);
    metrics.meter.ran("boards", "failed", 30);
    metrics.meter.answeredElsewhere();
    metrics.meter.duplicateShards(2);
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'signalbox_answers_total{task="departures",outcome="answered"} 2',
        'signalbox_answers_total{task="departures:later",outcome="refused"} 1',
        'signalbox_answer_duration_seconds_bucket{le="0.025",outcome="answered"} 1',
        'signalbox_answer_duration_seconds_sum{outcome="answered"} 2.02',
        'signalbox_service_requests_total{service="transport",verb="liveBoard",outcome="200"} 1',
        'signalbox_service_requests_total{service="transport",verb="liveBoard",outcome="timeout"} 1',
        'signalbox_service_request_duration_seconds_count{service="transport"} 2',
        'signalbox_job_runs_total{job="boards",outcome="failed"} 1',
        "signalbox_foreign_answers_total 1",
        "signalbox_duplicate_shards 2",
        'signalbox_build_info{version="1.2.3"} 1',
      ]),
    );
  });

  it("say how the bot stands when they are read, and nothing of what is not known", async () => {
    let standing = STANDING;
    const metrics = createMetrics("1.2.3", async () => standing);
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'signalbox_shard_ready{shard="0"} 1',
        'signalbox_shard_ready{shard="1"} 0',
        "signalbox_gateway_latency_seconds 0.042",
        "signalbox_guilds 7",
        "signalbox_plan_calls_limit 1000",
        "signalbox_plan_calls_used 12",
      ]),
    );
    standing = { ...STANDING, shards: [{ id: 0, ready: true }], latencyMs: undefined, plan: undefined };
    const later = (await linesOf(metrics)).join("\n");
    expect(later).toContain('signalbox_shard_ready{shard="0"} 1');
    expect(later).not.toMatch(/shard="1"|latency|plan/);
  });

  it("tell of the process too", async () => {
    const { text, contentType } = await createMetrics("1.2.3", async () => STANDING).read();
    expect(contentType).toMatch(/^text\/plain/);
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  });
});
