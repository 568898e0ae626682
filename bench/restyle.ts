// Measures large pictures in the real bot, from a member to the service and back: the delay of its event loop, its
// memory, and answers to others meanwhile. The service's result is prepared, because the service's time is not
// measured. Linux only, because Linux can count shared memory once.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { StyleStandIn } from "../sandbox/style/server.ts";
import { openWorld, type World } from "../sandbox/world.ts";
import { processTreeMegabytes } from "./process-cost.ts";
import { median, percentile, rowWithin, type BenchRow } from "./row.ts";
import { writePictures } from "./sample-photographs.ts";
import type { LoopDelay } from "./watch-loop.ts";
import { watchSettled } from "../test/support/until.ts";

const PRELOAD = fileURLToPath(new URL("watch-loop.ts", import.meta.url));
const ROUNDS = 5;
const UPLOAD_BYTES = 20 * 1_048_576;
const SETTLE_MS = 2_000;
const ASK_EVERY_MS = 40;
const SAMPLE_MS = 100;
const ANSWER_WITHIN_MS = 60_000;
const GOAL_DELAY_MS = 20;
const GOAL_MEGABYTES = 300;
/** Members notice an answer that takes longer. */
const GOAL_ANSWER_MS = 100;

interface Photograph {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Returns rows for the loop's delay, memory, other answers and the time of a picture, by how the service returns its
 * result.
 */
export async function restyleRows(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-restyle-"));
  const loopFile = join(folder, "loop.json");
  try {
    const files = await writePictures(folder);
    const photographs = files.map(({ name, path }) => ({
      name: `${name.replaceAll(" ", "-")}.${name.endsWith("png") ? "png" : "jpg"}`,
      bytes: new Uint8Array(readFileSync(path)),
    }));
    const [result] = photographs;
    const sendable = photographs.filter(({ bytes }) => bytes.byteLength < UPLOAD_BYTES);
    if (!result) {
      throw new Error("there is no photograph");
    }
    await using world = await openWorld({
      bot: "process",
      clock: "running",
      settings: { attachmentSizeLimitBytes: UPLOAD_BYTES },
      env: { LOG_LEVEL: "error", NODE_OPTIONS: `--import ${PRELOAD}`, BENCH_LOOP_FILE: loopFile },
    });
    world.style.canned = result.bytes;
    await wait(SETTLE_MS);
    const idleMegabytes = processTreeMegabytes(world.bot.pid);
    const rows: BenchRow[] = [];
    for (const shape of ["url", "base64"] as const) {
      rows.push(...(await measure(world, shape, { photographs: sendable, loopFile, idleMegabytes })));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(
  world: World,
  shape: StyleStandIn["shape"],
  {
    photographs,
    loopFile,
    idleMegabytes,
  }: {
    readonly photographs: readonly Photograph[];
    readonly loopFile: string;
    readonly idleMegabytes: number;
  },
): Promise<readonly BenchRow[]> {
  const { bot, style } = world;
  style.shape = shape;
  await wait(SETTLE_MS);
  const quiet = await askWhile(world, wait(SETTLE_MS));
  await readLoop(bot.pid, loopFile);
  const times: number[] = [];
  const busy = await askWhile(world, passAll(world, photographs, ROUNDS, times));
  const loop = await readLoop(bot.pid, loopFile);
  const peak = await peakWhile(bot.pid, () => passAll(world, photographs, 1, []));
  const told = `the result by ${shape}`;
  return [
    rowWithin(`pictures pass, ${told}: event-loop delay p99 in the bot`, "ms", loop.p99, GOAL_DELAY_MS),
    rowWithin(`pictures pass, ${told}: longest event-loop delay in the bot`, "ms", loop.max),
    rowWithin(`pictures pass, ${told}: other answers, p50`, "ms", median(busy), GOAL_ANSWER_MS),
    rowWithin(`pictures pass, ${told}: other answers, p99`, "ms", percentile(busy, 0.99)),
    rowWithin(`no picture passes: other answers, p99`, "ms", percentile(quiet, 0.99)),
    rowWithin(
      `pictures pass, ${told}: memory over idle, peak of all processes`,
      "MB",
      peak - idleMegabytes,
      GOAL_MEGABYTES,
    ),
    rowWithin(`pictures pass, ${told}: a picture from command to answer, p50`, "ms", median(times)),
  ];
}

/** The peak memory of the bot and its children during some work. */
async function peakWhile(pid: number | undefined, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  // Not sampled while the event loop is measured: a process stops while its memory is counted.
  const sampling = setInterval(() => {
    peak = Math.max(peak, processTreeMegabytes(pid));
  }, SAMPLE_MS);
  await work();
  clearInterval(sampling);
  return peak;
}

/** Two members at a time, as many as the queue admits. */
async function passAll(
  world: World,
  photographs: readonly Photograph[],
  rounds: number,
  times: number[],
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const image of photographs) {
      const both = ["Ada", "Alan"].map(async (name) => {
        const startMs = performance.now();
        await restyle(world, name, image);
        times.push(performance.now() - startMs);
      });
      await Promise.all(both);
    }
  }
}

/** Settles when the member has the picture. */
async function restyle(world: World, name: string, image: Photograph): Promise<void> {
  const member = world.member(name);
  const { general } = world.channels;
  const within = { deadlineMs: ANSWER_WITHIN_MS };
  const { message } = await member.slash(general, "style", { image, style: "oil" }, within);
  const done = await member.waitForMessage(
    general,
    ({ id, attachments }) => id === message.id && attachments.length === 2,
    within,
  );
  if (!done.text.includes("Oil paint")) {
    throw new Error(`no picture came: ${done.text}`);
  }
}

/** Sends a small command repeatedly until `work` is done. Returns the milliseconds until each answer. */
async function askWhile(world: World, work: Promise<unknown>): Promise<readonly number[]> {
  const isDone = watchSettled(work);
  const times: number[] = [];
  while (!isDone()) {
    const startMs = performance.now();
    await world.member("Grace").slash(world.channels.trains, "help", {});
    times.push(performance.now() - startMs);
    await wait(ASK_EVERY_MS);
  }
  await work;
  return times;
}

/** Reads what the bot's process has measured since the last time. */
async function readLoop(pid: number | undefined, file: string): Promise<LoopDelay> {
  rmSync(file, { force: true });
  process.kill(pid ?? Number.NaN, "SIGUSR2");
  while (!existsSync(file)) {
    await wait(5);
  }
  // Our own preload writes nothing else.
  return JSON.parse(readFileSync(file, "utf8")) as LoopDelay;
}
