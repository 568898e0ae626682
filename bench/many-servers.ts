// Memory of one process in many servers: our bot and a bare discord.js bot, one after the other, with the same flags.
import { setTimeout as wait } from "node:timers/promises";
import { openWorld, type World } from "../sandbox/world.ts";
import { residentMegabytes } from "./process-cost.ts";
import { openRival } from "./rival.ts";
import { rounded, type BenchRow } from "./row.ts";

const SERVERS = 10_000;
const CHANNELS_PER_SERVER = 20;
/** Discord allows 2,500 servers on each. */
const SHARDS = 5;
/** A server's shard follows from the millisecond in which it was made. */
const FIRST_MADE_AT_MS = Date.UTC(2024, 0, 1);
/** What start-up left over is given back within this time. */
const SETTLE_MS = 10_000;
const GOAL_RATIO = 1.1;

export async function manyServersRows(): Promise<readonly BenchRow[]> {
  const ours = await measureOurs();
  const theirs = await measureTheirs();
  return [
    {
      name: `resident memory in ${SERVERS.toLocaleString("en")} servers`,
      unit: "MB",
      value: rounded(ours),
      rival: rounded(theirs),
      ratio: rounded(ours / theirs),
      goal: `≤ ${GOAL_RATIO} × a bare discord.js bot`,
      holds: ours <= GOAL_RATIO * theirs,
    },
  ];
}

async function measureOurs(): Promise<number> {
  await using world = await openWorld({
    bot: "process",
    startsBot: false,
    shards: SHARDS,
    env: { LOG_LEVEL: "error" },
  });
  addServers(world);
  await world.bot.start();
  await wait(SETTLE_MS);
  return residentMegabytes(world.bot.pid);
}

async function measureTheirs(): Promise<number> {
  await using rival = await openRival("about", { shards: SHARDS });
  addServers(rival.world);
  await rival.start();
  await wait(SETTLE_MS);
  return residentMegabytes(rival.pid);
}

function addServers({ discord }: World): void {
  const { id } = discord.member("Ada");
  for (let index = 0; index < SERVERS; index += 1) {
    const guild = discord.addGuild({
      name: `Server ${index}`,
      memberIds: [id],
      madeAtMs: FIRST_MADE_AT_MS + index,
    });
    for (let number = 0; number < CHANNELS_PER_SERVER; number += 1) {
      discord.addChannel(guild, `channel-${number}`);
    }
  }
}
