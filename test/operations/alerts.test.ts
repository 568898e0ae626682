// The rules in ops/alerts.yaml, evaluated by Prometheus: each fires for its own problem, and none for a healthy bot.
// test/e2e/monitoring.test.ts checks that a running bot has the metrics that they name.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  OPS,
  RULES,
  type Series,
  TARGET as BOT,
  isPromtoolMissing,
  checkAlerts,
  promtool,
} from "../support/promtool.ts";

/** The series that make each alert fire within two hours. */
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

describe("the alerts", () => {
  it("each have a case in this test", () => {
    const names = Array.from(
      readFileSync(RULES, "utf8").matchAll(/^ +- alert: (\w+)$/gm),
      ([, name]) => name,
    );
    expect(names).toEqual(Object.keys(FIRING));
  });

  it.skipIf(isPromtoolMissing)("pass Prometheus' own checks, and so does the scrape configuration", () => {
    expect(promtool(["check", "rules", RULES])).toBe("");
    expect(promtool(["check", "config", join(OPS, "prometheus.yaml")])).toBe("");
  });

  it.skipIf(isPromtoolMissing)("each fire alone for their own problem", () => {
    const cases = Object.entries(FIRING).map(([alert, series]) => ({
      series,
      expected: [
        { alert, minute: 110, count: 1 },
        { alert: "*", minute: 110, count: 1 },
      ],
    }));
    expect(checkAlerts(cases)).toBe("");
  });

  it.skipIf(isPromtoolMissing)(
    "report a bot whose container is gone, so that it is no target any more",
    () => {
      const series = { [`up{${BOT}}`]: "1x60 _x60" };
      const expected = [
        { alert: "*", minute: 60, count: 0 },
        { alert: "SignalboxDown", minute: 110, count: 1 },
      ];
      expect(checkAlerts([{ series, expected }])).toBe("");
    },
  );

  it.skipIf(isPromtoolMissing)(
    "report an hourly job that fails each time, but not one that fails once",
    () => {
      const runs = (outcome: string) =>
        `signalbox_job_runs_total{${BOT},name="database",outcome="${outcome}"}`;
      expect(
        checkAlerts([
          {
            series: { [runs("failed")]: "_x59 1x59 2x59 3x59" },
            expected: [
              { alert: "*", minute: 110, count: 0 },
              { alert: "SignalboxJobFailing", minute: 200, count: 1 },
            ],
          },
          {
            series: { [runs("done")]: "1x59 2x59 3x119", [runs("failed")]: "_x179 1x59" },
            expected: [200, 230].map((minute) => ({ alert: "*", minute, count: 0 })),
          },
        ]),
      ).toBe("");
    },
  );

  it.skipIf(isPromtoolMissing)(
    "are silent for a healthy bot with an occasional failure or late board",
    () => {
      const series: Series = {
        [`up{${BOT}}`]: "1x120",
        [`signalbox_leader{${BOT}}`]: "1x120",
        [`signalbox_answers_total{${BOT},task="departures",outcome="answered"}`]: "0+5x120",
        [`signalbox_answers_total{${BOT},task="departures",outcome="failed"}`]: "0x50 1x70",
        [`signalbox_board_slots_total{${BOT},outcome="missed"}`]: "3x120",
        [`signalbox_board_slots_total{${BOT},outcome="sent"}`]: "0+10x120",
        [`signalbox_boards_late{${BOT}}`]: "0x59 1 0x60",
        [`nodejs_eventloop_lag_p99_seconds{${BOT}}`]: "0.02x120",
      };
      const expected = Array.from({ length: 12 }, (_, index) => ({
        alert: "*",
        minute: index * 10,
        count: 0,
      }));
      expect(checkAlerts([{ series, expected }])).toBe("");
    },
  );
});
