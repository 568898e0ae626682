// The rules in ops/alerts.yaml, judged by Prometheus itself: each fires for what it is about, and none for a bot that is
// well. test/e2e/monitoring.test.ts shows that a running bot has the metrics that they name.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const OPS = fileURLToPath(new URL("../../ops/", import.meta.url));
const RULES = join(OPS, "alerts.yaml");
const isMissing = spawnSync("promtool", ["--version"]).error !== undefined;

/** Series in promtool's notation, by minutes: `1x60` stays 1, `0+5x60` grows by 5 a minute. */
type Series = Readonly<Record<string, string>>;

const BOT = 'job="signalbox",instance="signalbox:8080"';

/** What makes each alert fire within two hours. */
const FIRING: Readonly<Record<string, Series>> = {
  SignalboxDown: { [`up{${BOT}}`]: "0x120" },
  SignalboxShardAway: { [`signalbox_shard_ready{${BOT},shard="1"}`]: "0x120" },
  SignalboxReconnecting: { [`signalbox_gateway_sessions_total{${BOT},event="reconnecting"}`]: "0+1x120" },
  SignalboxTwoProcesses: { [`signalbox_foreign_answers_total{${BOT}}`]: "0+1x120" },
  SignalboxNoLeader: { [`signalbox_leader{${BOT}}`]: "0x120" },
  SignalboxDatabaseAway: { [`signalbox_database_up{${BOT}}`]: "0x120" },
  SignalboxDatabaseFailing: { [`signalbox_database_failures_total{${BOT}}`]: "0+1x120" },
  SignalboxDatabasePoolFull: { [`signalbox_database_waiting{${BOT}}`]: "3x120" },
  SignalboxAnswersFailing: {
    [`signalbox_answers_total{${BOT},task="departures",outcome="failed"}`]: "0+1x120",
    [`signalbox_answers_total{${BOT},task="departures",outcome="answered"}`]: "0+5x120",
  },
  SignalboxBug: { [`signalbox_refusals_total{${BOT},reason="bug"}`]: "0x100 1x20" },
  SignalboxAnswersSlow: {
    [`signalbox_first_answer_duration_seconds_bucket{${BOT},le="2"}`]: "0x120",
    [`signalbox_first_answer_duration_seconds_bucket{${BOT},le="3"}`]: "0+1x120",
    [`signalbox_first_answer_duration_seconds_bucket{${BOT},le="+Inf"}`]: "0+1x120",
  },
  SignalboxEventLoopSlow: { [`nodejs_eventloop_lag_p99_seconds{${BOT}}`]: "0.4x120" },
  SignalboxDiscordRefuses: { [`signalbox_discord_requests_total{${BOT},status="403"}`]: "0+200x120" },
  SignalboxMessagesWaiting: { [`signalbox_messenger_queue_age_seconds{${BOT},urgency="bulk"}`]: "90x120" },
  SignalboxBoardsMissed: { [`signalbox_board_slots_total{${BOT},outcome="missed"}`]: "0x100 2x20" },
  SignalboxBoardsLate: { [`signalbox_boards_late{${BOT}}`]: "4x120" },
  SignalboxJobFailing: { [`signalbox_job_runs_total{${BOT},name="boards",outcome="failed"}`]: "0+1x120" },
  SignalboxServiceFailing: {
    [`signalbox_service_requests_total{${BOT},service="style",verb="process",outcome="timeout"}`]: "0+2x120",
    [`signalbox_service_requests_total{${BOT},service="style",verb="process",outcome="200"}`]: "0+1x120",
  },
  SignalboxPlanNearlyUsed: {
    [`signalbox_plan_calls_left{${BOT},service="transport"}`]: "10x120",
    [`signalbox_plan_calls_limit{${BOT},service="transport"}`]: "1000x120",
  },
  SignalboxPicturesWaiting: { [`signalbox_picture_queue{${BOT},state="waiting"}`]: "30x120" },
  SignalboxVideoAccountBroken: { [`signalbox_video_accounts{${BOT},state="broken"}`]: "1x120" },
  SignalboxPublicationUnknown: { [`signalbox_publications{${BOT},state="outcome-unknown"}`]: "1x120" },
};

const AT = "110m";
const firing = (alert: string): string => `count(ALERTS{alertname="${alert}",alertstate="firing"})`;
const ALL_FIRING = 'count(ALERTS{alertstate="firing"})';

/** Runs promtool's unit tests, and gives what it says of those that fail. Its notation is YAML, of which JSON is a part. */
function failuresOf(tests: readonly object[]): string {
  using folder = mkdtempDisposableSync(join(tmpdir(), "signalbox-alerts-"));
  const file = join(folder.path, "test.yaml");
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: "1m", tests }));
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

function inputOf(series: Series) {
  return Object.entries(series).map(([name, values]) => ({ series: name, values }));
}

describe("the alerts", () => {
  it("each have a case here", () => {
    const names = Array.from(
      readFileSync(RULES, "utf8").matchAll(/^ +- alert: (\w+)$/gm),
      ([, name]) => name,
    );
    expect(names).toEqual(Object.keys(FIRING));
  });

  it.skipIf(isMissing)("and the scrape configuration pass Prometheus' own checks", () => {
    expect(execFileSync("promtool", ["check", "rules", RULES], { encoding: "utf8" })).toContain("SUCCESS");
    const config = join(OPS, "prometheus.yaml");
    expect(execFileSync("promtool", ["check", "config", config], { encoding: "utf8" })).toContain("SUCCESS");
  });

  it.skipIf(isMissing)("each fire for what they are about", () => {
    const cases = Object.entries(FIRING).map(([alert, series]) => ({
      name: alert,
      interval: "1m",
      input_series: inputOf(series),
      promql_expr_test: [
        { expr: firing(alert), eval_time: AT, exp_samples: [{ labels: "{}", value: 1 }] },
        // And it alone.
        { expr: ALL_FIRING, eval_time: AT, exp_samples: [{ labels: "{}", value: 1 }] },
      ],
    }));
    expect(failuresOf(cases)).toBe("");
  });

  it.skipIf(isMissing)("are silent for a bot that is well", () => {
    const well: Series = {
      [`up{${BOT}}`]: "1x120",
      [`signalbox_shard_ready{${BOT},shard="0"}`]: "1x120",
      [`signalbox_leader{${BOT}}`]: "1x120",
      [`signalbox_database_up{${BOT}}`]: "1x120",
      [`signalbox_answers_total{${BOT},task="departures",outcome="answered"}`]: "0+5x120",
      [`signalbox_answers_total{${BOT},task="departures",outcome="failed"}`]: "0x50 1x70",
      [`signalbox_refusals_total{${BOT},reason="bug"}`]: "0x120",
      [`signalbox_board_slots_total{${BOT},outcome="missed"}`]: "3x120",
      [`signalbox_board_slots_total{${BOT},outcome="sent"}`]: "0+10x120",
      [`signalbox_boards_late{${BOT}}`]: "0x59 1 0x60",
      [`signalbox_plan_calls_left{${BOT},service="transport"}`]: "600x120",
      [`signalbox_plan_calls_limit{${BOT},service="transport"}`]: "1000x120",
      [`signalbox_video_accounts{${BOT},state="working"}`]: "2x120",
      [`nodejs_eventloop_lag_p99_seconds{${BOT}}`]: "0.02x120",
    };
    const quiet = Array.from({ length: 12 }, (_, index) => ({
      expr: ALL_FIRING,
      eval_time: `${index * 10}m`,
      exp_samples: [],
    }));
    const cases = [{ interval: "1m", input_series: inputOf(well), promql_expr_test: quiet }];
    expect(failuresOf(cases)).toBe("");
  });
});
