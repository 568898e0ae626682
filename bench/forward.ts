// Measures a large video on its way from Discord's CDN to the video service through the bot's own streaming code, in
// turn with curl, which does nothing else. Each run uses a new process, which first forwards a small file to warm up,
// because a real bot has been running for a while. Linux only, because its kernel records peak memory. BENCH_FORWARD_MB
// makes the file smaller, for a quick run.
import { execFile, fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { START_FLAGS } from "../sandbox/bot/process.ts";
import type { ForwardSource } from "./forward-source.ts";
import type { ForwardTask, ForwardTime } from "./forward-subject.ts";
import type { ForwardTarget, TakenFile } from "./forward-target.ts";
import { peakMegabytes, residentMegabytes } from "./process-cost.ts";
import { median, rounded, rowWithin, type BenchRow } from "./row.ts";

const MEGABYTES = Number(process.env["BENCH_FORWARD_MB"] ?? 500);
const ROUNDS = 7;
const WARM_UP_BYTES = 20e6;
const WAYS = ["one form", "pieces"] as const;
/** Memory from the start is released within this time. */
const SETTLE_MS = 1_000;
/**
 * Room for the target's garbage. Otherwise it pauses thirty times a run for a full garbage collection of 5 ms, mostly
 * while the bot waits for an answer.
 */
const TARGET_FLAGS = ["--heap-growing-percent=1000"];
const GOAL_RATIO = 1.05;
const GOAL_MEGABYTES = 24;

/** One forwarded file. */
interface ForwardRun {
  readonly milliseconds: number;
  /** The growth of the process's memory at its peak. */
  readonly grownMegabytes: number;
}

/** Returns rows for the time next to the rival's and for the memory, for each way to upload. */
export async function forwardRows(): Promise<readonly BenchRow[]> {
  const sizeBytes = MEGABYTES * 1e6;
  const sourceProcess = startProgram("forward-source.ts");
  const targetProcess = startProgram("forward-target.ts", TARGET_FLAGS);
  try {
    // Our own programs send messages of these types.
    const [[source], [target]] = (await Promise.all([
      once(sourceProcess, "message"),
      once(targetProcess, "message"),
    ])) as [[ForwardSource], [ForwardTarget]];
    const { baseUrl: to, token, plainUrls } = target;
    const runs = new Map(WAYS.map((way) => [way, new Array<ForwardRun>()]));
    const rivals = new Map(WAYS.map((way) => [way, new Array<number>()]));
    const files: TakenFile[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const way of WAYS) {
        rivals.get(way)?.push(await pipeCurls(`${source.url}?bytes=${sizeBytes}`, plainUrls[way]));
        files.push(await readTaken(targetProcess));
        runs.get(way)?.push(await forward({ way, from: source.url, to, token, sizeBytes }));
        files.push(await readTaken(targetProcess));
      }
    }
    const [first] = files;
    if (first?.sizeBytes !== sizeBytes || files.some(({ sha256 }) => sha256 !== first.sha256)) {
      throw new Error("not every file arrived as it was sent");
    }
    return WAYS.flatMap((way) => rowsOf(way, runs.get(way) ?? [], rivals.get(way) ?? []));
  } finally {
    sourceProcess.kill();
    targetProcess.kill();
  }
}

function startProgram(name: string, execArgv: readonly string[] = []) {
  const path = fileURLToPath(new URL(name, import.meta.url));
  return fork(path, { execArgv: [...execArgv], stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

async function forward(task: ForwardTask): Promise<ForwardRun> {
  const child = startProgram("forward-subject.ts", START_FLAGS);
  try {
    await once(child, "message");
    await wait(SETTLE_MS);
    const idle = residentMegabytes(child.pid);
    await timeOf({ ...task, sizeBytes: WARM_UP_BYTES });
    const milliseconds = await timeOf(task);
    return { milliseconds, grownMegabytes: peakMegabytes(child.pid) - idle };
  } finally {
    child.kill();
  }

  async function timeOf(one: ForwardTask): Promise<number> {
    child.send(one);
    // It sends nothing else.
    const [{ milliseconds }] = (await once(child, "message")) as [ForwardTime];
    return milliseconds;
  }
}

/** The rival: `curl -s A | curl -s -T - B`. Returns milliseconds. */
async function pipeCurls(from: string, to: string): Promise<number> {
  const startMs = performance.now();
  await promisify(execFile)("sh", ["-c", `curl -sf "$0" | curl -sf -T - "$1"`, from, to]);
  return performance.now() - startMs;
}

async function readTaken(target: ChildProcess): Promise<TakenFile> {
  target.send("what came?");
  const [file] = await once(target, "message");
  // It answers with nothing else.
  return file as TakenFile;
}

function rowsOf(way: string, runs: readonly ForwardRun[], rivalMs: readonly number[]): readonly BenchRow[] {
  const ratio = median(runs.map(({ milliseconds }, round) => milliseconds / (rivalMs[round] ?? NaN)));
  const grown = Math.max(...runs.map(({ grownMegabytes }) => grownMegabytes));
  return [
    {
      name: `${MEGABYTES} MB forwarded in ${way}, time`,
      unit: "ms",
      value: rounded(median(runs.map(({ milliseconds }) => milliseconds))),
      rival: rounded(median(rivalMs)),
      ratio: rounded(ratio),
      goal: `≤ ${GOAL_RATIO} × curl -s A | curl -s -T - B`,
      holds: ratio <= GOAL_RATIO,
    },
    rowWithin(
      `${MEGABYTES} MB forwarded in ${way}, growth of memory, largest of ${runs.length}`,
      "MB",
      grown,
      GOAL_MEGABYTES,
    ),
  ];
}
