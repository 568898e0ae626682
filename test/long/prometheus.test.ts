// A real Prometheus reads a real bot under mixed traffic: every query of the dashboard returns data, and no alert
// fires.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openTraffic } from "../../bench/soak-traffic.ts";
import { openWorld } from "../../sandbox/world.ts";
import { freePort } from "../support/free-port.ts";
import { MEMORY_FOLDER } from "../support/memory-folder.ts";
import { dashboardQueries, isPrometheusMissing, startPrometheus } from "../support/prometheus-server.ts";

const SECONDS = 90;
const PER_SECOND = 4;

/**
 * Queries without data in a world on SQLite where nobody has linked an account and no limit of Discord's was reached.
 */
const MAY_BE_EMPTY = new Set([
  "annotation",
  "Connections to PostgreSQL",
  "Linked video accounts",
  "Waiting for Discord's limits",
]);

test.skipIf(isPrometheusMissing)(
  "every query of the dashboard returns data, and no alert fires",
  async () => {
    const folder = await mkdtemp(join(MEMORY_FOLDER, "signalbox-prometheus-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const port = await freePort();
    await using world = await openWorld({
      bot: "process",
      clock: "running",
      env: { HTTP_PORT: String(port), DATABASE_URL: `sqlite:${join(folder, "signalbox.db")}` },
    });
    await using prometheus = await startPrometheus(port);
    const traffic = await openTraffic(world);
    const acts: Promise<unknown>[] = [];
    for (let turn = 0; turn < SECONDS * PER_SECOND; turn += 1) {
      // The soak test checks the outcome of each action.
      acts.push(
        traffic
          .next()()
          .catch(() => undefined),
      );
      if (turn === (SECONDS * PER_SECOND) / 2) {
        world.discord.gateway.dropSockets();
      }
      await wait(1_000 / PER_SECOND);
    }
    const queries = dashboardQueries();
    expect(queries.length).toBeGreaterThan(50);
    const found = await Promise.all(
      queries.map(async ({ title, query }) => ({ title, query, series: await prometheus.ask(query) })),
    );
    expect(found.filter(({ title, series }) => series === 0 && !MAY_BE_EMPTY.has(title))).toEqual([]);
    expect(await prometheus.ask("up == 1")).toBe(1);
    expect(await prometheus.ask('ALERTS{alertstate="firing"}')).toBe(0);
    await Promise.all(acts);
  },
);
