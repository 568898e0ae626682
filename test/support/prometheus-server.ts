// A real Prometheus with the project's own rules, which scrapes a bot every second. It is in Debian's package
// `prometheus`.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { freePort } from "./free-port.ts";
import { OPS, RULES } from "./promtool.ts";

export const isPrometheusMissing = spawnSync("prometheus", ["--version"]).error !== undefined;

const answerSchema = z.object({
  status: z.string(),
  error: z.string().optional(),
  data: z.object({ result: z.array(z.unknown()) }).optional(),
});

export interface PrometheusServer extends AsyncDisposable {
  readonly url: string;
  /** Returns the number of series that match a query. Throws with Prometheus' own error if it refuses the query. */
  ask(query: string): Promise<number>;
}

/** Starts Prometheus; settles when it is ready. */
export async function startPrometheus(botPort: number): Promise<PrometheusServer> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-prometheus-"));
  const config = readFileSync(join(OPS, "prometheus.yaml"), "utf8")
    .replaceAll("15s", "1s")
    .replace(/dns_sd_configs:[^]*$/, `static_configs:\n      - targets: ["127.0.0.1:${botPort}"]\n`);
  writeFileSync(join(folder, "prometheus.yaml"), config);
  copyFileSync(RULES, join(folder, "alerts.yaml"));
  const port = await freePort();
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yaml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (child.exitCode === null && !(await isReady())) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    async ask(query) {
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`);
      const { status, error, data } = answerSchema.parse(await answer.json());
      if (status !== "success") {
        throw new Error(`${query}: ${error}`);
      }
      return data?.result.length ?? 0;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const dashboardSchema = z.object({
  annotations: z.object({ list: z.array(z.object({ expr: z.string() })) }),
  panels: z.array(
    z.object({
      title: z.string(),
      targets: z.array(z.object({ expr: z.string() })).default([]),
    }),
  ),
});

/** The queries of ops/grafana.json, as Grafana would send them for all processes. */
export function dashboardQueries(): readonly { readonly title: string; readonly query: string }[] {
  const text = readFileSync(join(OPS, "grafana.json"), "utf8")
    .replaceAll("$instance", ".*")
    .replaceAll("$__rate_interval", "30s");
  const { annotations, panels } = dashboardSchema.parse(JSON.parse(text));
  return [
    ...annotations.list.map(({ expr }) => ({ title: "annotation", query: expr })),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, query: expr }))),
  ];
}
