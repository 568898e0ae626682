// Measures the memory of one process in many servers: our bot and a bare discord.js bot, one after the other, with the
// same flags.
import { setTimeout as wait } from "node:timers/promises";
import { openWorld } from "../sandbox/world.ts";
import { addServers } from "./add-servers.ts";
import { residentMegabytes } from "./process-cost.ts";
import { openRival } from "./rival.ts";
import { rounded, type BenchRow } from "./row.ts";

const SERVERS = [1_000, 10_000];
/** Discord allows 2,500. */
const SERVERS_PER_SHARD = 2_000;
/** Memory from the start is released within this time. */
const SETTLE_MS = 10_000;
const GOAL_RATIO = 1.1;
/** The goal for an idle bot: in few servers, the bot itself uses more memory than they do. */
const GOAL_MORE_MB = 25;

export async function manyServersRows(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const servers of SERVERS) {
    const ours = await measureOurs(servers);
    const theirs = await measureTheirs(servers);
    rows.push({
      name: `resident memory in ${servers.toLocaleString("en")} servers`,
      unit: "MB",
      value: rounded(ours),
      rival: rounded(theirs),
      ratio: rounded(ours / theirs),
      goal: `≤ ${GOAL_RATIO} × a bare discord.js bot, or ≤ ${GOAL_MORE_MB} MB more`,
      holds: ours <= Math.max(GOAL_RATIO * theirs, theirs + GOAL_MORE_MB),
    });
  }
  return rows;
}

const shardsFor = (servers: number): number => Math.ceil(servers / SERVERS_PER_SHARD);

async function measureOurs(servers: number): Promise<number> {
  await using world = await openWorld({
    bot: "process",
    startsBot: false,
    settings: { shards: shardsFor(servers) },
    env: { LOG_LEVEL: "error" },
  });
  addServers(world, servers);
  await world.bot.start();
  await wait(SETTLE_MS);
  return residentMegabytes(world.bot.pid);
}

async function measureTheirs(servers: number): Promise<number> {
  await using rival = await openRival("about", { settings: { shards: shardsFor(servers) } });
  addServers(rival.world, servers);
  await rival.start();
  await wait(SETTLE_MS);
  return residentMegabytes(rival.pid);
}
