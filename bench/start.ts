// Measures the warm start and idle memory: our bot and a bare discord.js bot, each in its own process, started in turn,
// each of them first in every other round, with the same flags and with Node's compile cache.
import { setTimeout as wait } from "node:timers/promises";
import { openWorld } from "../sandbox/world.ts";
import { residentMegabytes } from "./process-cost.ts";
import { openRival } from "./rival.ts";
import { median, rounded, type BenchRow } from "./row.ts";

const ROUNDS = 7;
/** Memory from the start is released within this time. */
const SETTLE_MS = 1_500;

/**
 * Returns rows for the time from fork to ready, with the commands already registered, and for resident memory after
 * that.
 */
export async function startRows(): Promise<readonly BenchRow[]> {
  await using ours = await openWorld({ bot: "process", env: { LOG_LEVEL: "error" } });
  await ours.bot.stop();
  await using rival = await openRival("about");
  const starts: [number, number][] = [];
  const sizes: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const early = round % 2 === 0 ? await timed(() => ours.bot.start()) : undefined;
    const theirStart = await timed(() => rival.start());
    const ourStart = early ?? (await timed(() => ours.bot.start()));
    await wait(SETTLE_MS);
    starts.push([ourStart, theirStart]);
    sizes.push([residentMegabytes(ours.bot.pid), residentMegabytes(rival.pid)]);
    await ours.bot.stop();
    await rival.stop();
  }
  const startRatio = median(starts.map(([our, their]) => our / their));
  const extra = median(sizes.map(([our, their]) => our - their));
  const megabytes = median(sizes.map(([our]) => our));
  const rivalMegabytes = median(sizes.map(([, their]) => their));
  return [
    {
      name: "warm start to ready",
      unit: "ms",
      value: rounded(median(starts.map(([our]) => our))),
      rival: rounded(median(starts.map(([, their]) => their))),
      ratio: rounded(startRatio),
      goal: "≤ 1.5 × a bare discord.js bot",
      holds: startRatio <= 1.5,
    },
    {
      name: "idle memory, resident",
      unit: "MB",
      value: rounded(megabytes),
      rival: rounded(rivalMegabytes),
      ratio: rounded(megabytes / rivalMegabytes),
      goal: "≤ a bare discord.js bot + 25 MB",
      holds: extra <= 25,
    },
  ];
}

async function timed(act: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
}
