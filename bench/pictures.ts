// Measures large pictures in the picture tools: the delay of the event loop, and memory. Linux only, because Linux can
// count memory that the bot and the picture process share once.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { START_FLAGS } from "../sandbox/bot/process.ts";
import type { PictureCost } from "./picture-subject.ts";
import { processTreeMegabytes } from "./process-cost.ts";
import { type BenchRow, median, rowWithin } from "./row.ts";
import { writePictures } from "./sample-photographs.ts";

const PROGRAM = fileURLToPath(new URL("picture-subject.ts", import.meta.url));
const ROUNDS = 5;
const SETTLE_MS = 1_000;
/** Rarely, because a process stops while its memory is counted. */
const SAMPLE_MS = 100;

const GOAL_DELAY_MS = 20;
const GOAL_MEGABYTES = 300;
/** The whole answer should take seconds, and the service needs some of them. */
const GOAL_MS = 3_000;

/** Returns rows for the delay, the memory and the time of each picture; there is no rival. */
export async function pictureRows(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-pictures-"));
  const child = fork(PROGRAM, { execArgv: START_FLAGS, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  try {
    await once(child, "message");
    const files = await writePictures(folder);
    await wait(SETTLE_MS);
    const idle = processTreeMegabytes(child.pid);
    let peak = idle;
    const sampling = setInterval(() => {
      peak = Math.max(peak, processTreeMegabytes(child.pid));
    }, SAMPLE_MS);
    const costs = new Map(files.map(({ name }) => [name, new Array<PictureCost>()]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { name, path } of files) {
        costs.get(name)?.push(await pass(child, path));
      }
    }
    clearInterval(sampling);
    const delay = [...costs.values()].flat().at(-1)?.delayP99Ms ?? Number.NaN;
    return [
      rowWithin("pictures pass, event-loop delay p99", "ms", delay, GOAL_DELAY_MS),
      rowWithin("pictures pass, memory over idle, peak of all processes", "MB", peak - idle, GOAL_MEGABYTES),
      ...[...costs].map(([name, passes]) =>
        rowWithin(
          `picture prepared, fitted three times: ${name}, p50`,
          "ms",
          median(passes.map(timeOf)),
          GOAL_MS,
        ),
      ),
    ];
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}

async function pass(child: ChildProcess, path: string): Promise<PictureCost> {
  child.send(path);
  const [cost] = await once(child, "message");
  // Our own program sends nothing else.
  return cost as PictureCost;
}

function timeOf({ milliseconds }: PictureCost): number {
  return milliseconds;
}
