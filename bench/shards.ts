// Measures a hundred shards and 10,000 servers, in one process and in four that share them: memory, the start, and
// database statements while nobody uses the bot.
import { setTimeout as wait } from "node:timers/promises";
import { createBotControl } from "../sandbox/bot/control.ts";
import { openWorld } from "../sandbox/world.ts";
import { freePort } from "../test/support/free-port.ts";
import { startPostgres } from "../test/support/postgres-process.ts";
import { addServers } from "./add-servers.ts";
import { residentMegabytes } from "./process-cost.ts";
import { rowWithin, type BenchRow } from "./row.ts";

const SHARDS = 100;
const SERVERS = 10_000;
/** Discord's max_concurrency; there it is usually 1. */
const IDENTIFY_CONCURRENCY = 16;
const IDENTIFY_WINDOW_MS = 5_000;
const SETTLE_MS = 15_000;
const QUIET_MS = 30_000;
const LONGEST_START_MS = 300_000;
const LOOK_MS = 250;

/** The duration of a start because of Discord's limit alone. */
const PACE_MS = (Math.ceil(SHARDS / IDENTIFY_CONCURRENCY) - 1) * IDENTIFY_WINDOW_MS;
/** Twice that, because processes also start and divide the shards. */
const GOAL_START_MS = 2 * PACE_MS;
/** The container's limit in compose.yaml. */
const GOAL_MB = 512;
const GOAL_STATEMENTS = 20;

/** Returns rows for one process and for four. */
export async function shardRows(): Promise<readonly BenchRow[]> {
  return [...(await measure(1)), ...(await measure(4))];
}

async function measure(processes: number): Promise<readonly BenchRow[]> {
  const server = await startPostgres();
  try {
    await using world = await openWorld({
      bot: "none",
      clock: "running",
      at: new Date().toISOString(),
      settings: {
        shards: SHARDS,
        identifyWindowMs: IDENTIFY_WINDOW_MS,
        identifyConcurrency: IDENTIFY_CONCURRENCY,
      },
      env: { LOG_LEVEL: "error", DATABASE_URL: `${server.url}/postgres` },
    });
    addServers(world, SERVERS);
    const ports = await Promise.all(Array.from({ length: processes }, () => freePort()));
    const bots = ports.map((port) =>
      createBotControl("process", {
        env: { ...world.env, HTTP_PORT: String(port) },
        clock: world.clock,
      }),
    );
    try {
      const startedMs = performance.now();
      const starting = Promise.all(bots.map((bot) => bot.start()));
      await until(async () => (await total(ports, "signalbox_shard_ready")) === SHARDS);
      await starting;
      const startMs = performance.now() - startedMs;
      await wait(SETTLE_MS);
      const statements = "signalbox_database_statement_duration_seconds_count";
      const before = await total(ports, statements);
      await wait(QUIET_MS);
      const perSecond = ((await total(ports, statements)) - before) / (QUIET_MS / 1_000);
      const sizes = bots.map(({ pid }) => residentMegabytes(pid));
      const where = `${SHARDS} shards, ${SERVERS.toLocaleString("en")} servers, ${processes} process${processes === 1 ? "" : "es"}`;
      return [
        rowWithin(`start, ${where}`, "ms", startMs, GOAL_START_MS),
        rowWithin(`largest process, ${where}`, "MB", Math.max(...sizes), GOAL_MB),
        rowWithin(`statements a second, ${where}`, "", perSecond, GOAL_STATEMENTS),
      ];
    } finally {
      await Promise.all(bots.map((bot) => bot.stop()));
    }
  } finally {
    await server.stop();
  }
}

/** The sum of a metric over all processes and labels; a process that does not answer yet counts as 0. */
async function total(ports: readonly number[], name: string): Promise<number> {
  const texts = await Promise.all(
    ports.map(async (port) => {
      try {
        return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      } catch {
        return "";
      }
    }),
  );
  const values = texts.flatMap((text) => [
    ...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "gm")),
  ]);
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}

async function until(isMet: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + LONGEST_START_MS; !(await isMet()); await wait(LOOK_MS)) {
    if (performance.now() > endMs) {
      throw new Error(`not all shards are connected after ${LONGEST_START_MS} ms`);
    }
  }
}
