// Runs promtool, Prometheus' own checker for metrics and alerts. It is in Debian's package `prometheus`.
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const OPS = fileURLToPath(new URL("../../ops/", import.meta.url));
export const RULES = join(OPS, "alerts.yaml");
export const isPromtoolMissing = spawnSync("promtool", ["--version"]).error !== undefined;

/** The labels that Prometheus adds to scraped metrics. */
export const TARGET = 'job="signalbox",instance="signalbox:8080"';

/** Series in promtool's notation, by minutes: `1x60` stays 1, `0+5x60` grows by 5 a minute. */
export type Series = Readonly<Record<string, string>>;

/** Runs promtool and returns its complaints. */
export function promtool(args: readonly string[], input = ""): string {
  const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8", input });
  return status === 0 ? stderr : `${stdout}${stderr}`;
}

/** How many alerts fire in a minute; `*` matches any name, and a `count` of 0 means none. */
interface Firing {
  readonly alert: string;
  readonly minute: number;
  readonly count: number;
}

/** Checks the alerts against series, in which the bot answers unless they say otherwise. Returns what is not as expected. */
export function checkAlerts(
  cases: readonly { readonly series: Series; readonly expected: readonly Firing[] }[],
): string {
  const tests = cases.map(({ series, expected }) => ({
    interval: "1m",
    input_series: Object.entries({ [`up{${TARGET}}`]: "1x600", ...series }).map(([name, values]) => ({
      series: name,
      values,
    })),
    promql_expr_test: expected.map(({ alert, minute, count }) => ({
      expr: `count(ALERTS{alertname=~"${alert.replace("*", ".*")}",alertstate="firing"})`,
      eval_time: `${minute}m`,
      exp_samples: count === 0 ? [] : [{ labels: "{}", value: count }],
    })),
  }));
  using folder = mkdtempDisposableSync(join(tmpdir(), "signalbox-alerts-"));
  const file = join(folder.path, "test.yaml");
  // promtool reads YAML, and JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: "5m", tests }));
  return promtool(["test", "rules", file]);
}

/** Turns the output of `/metrics` into series that stay constant for two hours. */
export function seriesOf(metrics: string): Series {
  const lines = metrics.split("\n").filter((line) => /^[a-z].* [\d.e+-]+$/.test(line));
  const entries = lines.map((line): [string, string] => {
    const [, name = "", labels, value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return [`${name}{${[labels, TARGET].filter(Boolean).join(",")}}`, `${value}x120`];
  });
  return Object.fromEntries(entries);
}
