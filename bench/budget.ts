// Measures what the budget and the cache add to a question: microseconds, compared with a network call's milliseconds.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { systemClock } from "../src/core/clock.ts";
import { type Log, createLog } from "../src/core/log.ts";
import { createBudget } from "../src/plan/budget.ts";
import { createAnswers } from "../src/sources/answers.ts";
import { openDatabase } from "../src/database.ts";
import { openEngine } from "../src/storage/open-engine.ts";
import { startPostgres } from "../test/support/postgres-process.ts";
import { median, rounded, rowWithin, type BenchRow } from "./row.ts";

const ROUNDS = 7;
const TAKES = 200;
const ASKS = 20_000;
/** Calls of the last day that no longer count. A plan of 500 a minute leaves about this many. */
const OLD_CALLS = 500_000;
const GOAL_US = 5_000;
const GOAL_CACHED_US = 50;

/** Returns rows for counting a call on SQLite and on PostgreSQL, and for a cached answer next to the bare call. */
export async function budgetRows(): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-bench-"));
  try {
    return [
      await takeRow("SQLite, on disk", `sqlite:${join(folder, "bench.db")}`),
      ...(await postgresRows()),
      await cachedRow(),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function postgresRows(): Promise<readonly BenchRow[]> {
  try {
    const server = await startPostgres();
    try {
      return [await takeRow("PostgreSQL, on this machine", `${server.url}/postgres`)];
    } finally {
      await server.stop();
    }
  } catch (error) {
    console.error(`no figure on PostgreSQL, which does not start here: ${String(error)}`);
    return [];
  }
}

async function takeRow(where: string, url: string): Promise<BenchRow> {
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url, clock: systemClock, log });
  await addOldCalls(url, log);
  const terms = { calls: TAKES * (ROUNDS + 1), windowMs: 3_600_000 };
  const budget = createBudget({ spending: database.spending, terms, clock: systemClock, log });
  const timesUs: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const us = await perCall(TAKES, () => budget.take("person"));
    timesUs.push(...(round === 0 ? [] : [us]));
  }
  await database.close();
  return rowWithin(
    `budget check after ${OLD_CALLS.toLocaleString("en-GB")} old calls, ${where}`,
    "µs",
    median(timesUs),
    GOAL_US,
  );
}

async function addOldCalls(url: string, log: Log): Promise<void> {
  const { queries } = await openEngine({ url, clock: systemClock, log, exclusive: false });
  const dayAgoMs = systemClock.now() - 24 * 3_600_000;
  await sql`insert into spending ("service", "at", "weight") with recursive calls(number) as
    (select 1 union all select number + 1 from calls where number < ${sql.lit(OLD_CALLS)})
    select 'transport', ${sql.lit(dayAgoMs)} + number, 1 from calls`.execute(queries);
  await queries.destroy();
}

/** The rival is the same question without a cache. */
async function cachedRow(): Promise<BenchRow> {
  const answers = createAnswers({ clock: systemClock, freshMs: 3_600_000, staleMs: 3_600_000 });
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ours = await perCall(ASKS, () => answers.ask("board:departures:YRK", fetchBoard));
    const bare = await perCall(ASKS, fetchBoard);
    pairs.push(...(round === 0 ? [] : [[ours, bare] as const]));
  }
  const value = median(pairs.map(([ours]) => ours));
  return {
    name: "cached answer",
    unit: "µs",
    value: rounded(value),
    rival: rounded(median(pairs.map(([, bare]) => bare))),
    ratio: rounded(median(pairs.map(([ours, bare]) => ours / bare))),
    goal: `≤ ${GOAL_CACHED_US} µs`,
    holds: value <= GOAL_CACHED_US,
  };
}

async function fetchBoard(): Promise<string> {
  return "a board";
}

async function perCall(count: number, act: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  for (let index = 0; index < count; index += 1) {
    await act();
  }
  return ((performance.now() - startMs) * 1_000) / count;
}
