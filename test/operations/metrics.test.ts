import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COUNTERS, DURATIONS, GAUGES } from "../../src/core/meter.ts";
import { createMetrics } from "../../src/operations/metrics.ts";

/** The lines of the bot's own metrics. */
async function linesOf(metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> {
  const { text } = await metrics.read();
  return text.split("\n").filter((line) => line.startsWith("signalbox_"));
}

describe("metrics", () => {
  it("count and time by labels", async () => {
    const metrics = createMetrics();
    const { meter } = metrics;
    meter.count("answers_total", { task: "departures", outcome: "answered" });
    meter.count("answers_total", { task: "departures", outcome: "answered" });
    meter.count("answers_total", { task: "departures:later", outcome: "refused" });
    meter.count("foreign_answers_total", {});
    meter.count("discord_limit_wait_seconds_total", { scope: "user" }, 2.5);
    meter.time("answer_duration_seconds", { task: "departures" }, 20);
    meter.time("answer_duration_seconds", { task: "departures" }, 2_000);
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'signalbox_answers_total{task="departures",outcome="answered"} 2',
        'signalbox_answers_total{task="departures:later",outcome="refused"} 1',
        "signalbox_foreign_answers_total 1",
        'signalbox_discord_limit_wait_seconds_total{scope="user"} 2.5',
        'signalbox_answer_duration_seconds_bucket{le="0.025",task="departures"} 1',
        'signalbox_answer_duration_seconds_sum{task="departures"} 2.02',
        "signalbox_database_failures_total 0",
      ]),
    );
  });

  it("read gauges when they are scraped, and omit unknown values", async () => {
    const metrics = createMetrics();
    let isSecondThere = true;
    metrics.meter.gauges(() => ({
      guilds: isSecondThere ? 7 : undefined,
      shard_ready: [[{ shard: 0 }, 1], ...(isSecondThere ? ([[{ shard: 1 }, 0]] as const) : [])],
    }));
    metrics.meter.gauges(async () => ({ plan_calls_left: [[{ service: "style" }, 12]] }));
    metrics.meter.gauges(async () => ({ plan_calls_left: [[{ service: "transport" }, 900]] }));
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        "signalbox_guilds 7",
        'signalbox_shard_ready{shard="0"} 1',
        'signalbox_shard_ready{shard="1"} 0',
        'signalbox_plan_calls_left{service="style"} 12',
        'signalbox_plan_calls_left{service="transport"} 900',
      ]),
    );
    isSecondThere = false;
    const later = (await linesOf(metrics)).join("\n");
    expect(later).toContain('signalbox_shard_ready{shard="0"} 1');
    expect(later).not.toMatch(/shard="1"|guilds/);
  });

  it("contain the other values if some gauges cannot be read", async () => {
    const metrics = createMetrics();
    metrics.meter.gauges(() => Promise.reject(new Error("the database is away")));
    metrics.meter.gauges(() => {
      throw new Error("a bug");
    });
    metrics.meter.gauges(() => ({ guilds: 7 }));
    expect(await linesOf(metrics)).toContain("signalbox_guilds 7");
  });

  it("are exactly those that docs/monitoring.md explains", () => {
    const page = readFileSync(new URL("../../docs/monitoring.md", import.meta.url), "utf8");
    const rows = page.split("\n").flatMap((line) => /^\| `[a-z].*?(?= \| )/.exec(line) ?? []);
    const explained = rows.flatMap((row) => row.match(/(?<=`)[a-z_]+(?:\{[a-z,]+\})?(?=`)/g) ?? []);
    const all = Object.entries({ ...COUNTERS, ...DURATIONS, ...GAUGES }).map(
      ([name, [, ...labels]]) => `${name}${labels.length > 0 ? `{${labels.join(",")}}` : ""}`,
    );
    expect(explained.toSorted()).toEqual(all.toSorted());
  });

  it("include those of the process", async () => {
    const { text, contentType } = await createMetrics().read();
    expect(contentType).toMatch(/^text\/plain/);
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  });
});
