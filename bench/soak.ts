// `npm run soak -- [minutes] [file]`: runs the real bot under steady mixed traffic of 20 interactions a second, each
// sent on time whether or not others are answered. Two dozen boards are due each minute as well. Each minute appends
// one JSON object to the file; each quarter of an hour prints a row. At the end, the last quarter is compared with
// minutes 11 to 20. Linux only, because it reads /proc.
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { timeOfId } from "../sandbox/discord/snowflake.ts";
import { openWorld, type World } from "../sandbox/world.ts";
import { freePort } from "../test/support/free-port.ts";
import { processorMs, processTreeMegabytes, residentMegabytes } from "./process-cost.ts";
import { median, percentile, rounded } from "./row.ts";
import { judgeSoak, printQuarter, QUARTER, type SoakMinute } from "./soak-verdict.ts";
import { openTraffic, type Traffic } from "./soak-traffic.ts";
import type { LeftMemory } from "./watch-memory.ts";

const PRELOAD = fileURLToPath(new URL("watch-memory.ts", import.meta.url));

const RATE = 20;
const WRITE_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
/** A forced collection each minute would keep the bot smaller than it normally is. */
const COLLECT_EVERY_MINUTES = 5;
/** An interaction must be acknowledged within 3 s, so the last ones of a minute are counted in the next. */
const ACKNOWLEDGE_WITHIN_MS = 3_500;
/** Older requests are forgotten: nobody presses those buttons any more. */
const FORGET_AFTER_MS = 15 * MINUTE_MS;
/** The plan is large enough for every question, because data is not measured here. */
const PLAN_CALLS = 1_000_000;
const MEGABYTE = 1024 * 1024;

const minutes = Number(process.argv[2] ?? 120);
const file = process.argv[3] ?? "soak.jsonl";
process.exitCode = (await soak()) ? 0 : 1;

/** Runs the soak test. Returns whether it passed. */
async function soak(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-soak-"));
  const memoryFile = join(folder, "memory.json");
  const port = await freePort();
  try {
    await using world = await openWorld({
      bot: "process",
      clock: "running",
      env: {
        LOG_LEVEL: "warn",
        DATABASE_URL: `sqlite:${join(folder, "soak.db")}`,
        HTTP_PORT: String(port),
        TRANSPORT_BUDGET: `${PLAN_CALLS}/hour`,
        NODE_OPTIONS: `--import ${PRELOAD}`,
        BENCH_MEMORY_FILE: memoryFile,
      },
      onBotLine: (line) => console.error(line),
    });
    world.transport.plan.set({ limit: PLAN_CALLS });
    const traffic = await openTraffic(world);
    return judgeSoak(await drive(world, traffic, { memoryFile, port }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Places {
  readonly memoryFile: string;
  readonly port: number;
}

async function drive(world: World, traffic: Traffic, places: Places): Promise<readonly SoakMinute[]> {
  const { pid } = world.bot;
  const counts = { broken: 0, boards: 0 };
  const resident: number[] = [];
  const files: number[] = [];
  const isBoard = new Set(traffic.boardChannels.map(({ id }) => id));
  world.discord.changes.listen((change) => {
    if ("message" in change && change.type !== "message-deleted" && isBoard.has(change.message.channelId)) {
      counts.boards += 1;
    }
  });
  const looking = setInterval(() => {
    resident.push(residentMegabytes(pid));
    files.push(readdirSync(`/proc/${pid}/fd`).length);
  }, LOOK_EVERY_MS);
  const writing = setInterval(() => {
    traffic.write().catch((error: unknown) => complain(counts, error));
  }, WRITE_EVERY_MS);

  const samples: SoakMinute[] = [];
  const startMs = performance.now();
  let countedMs = world.clock.now();
  let begun = 0;
  let loop = performance.eventLoopUtilization();
  let botMs = processorMs(pid);
  for (let minute = 1; minute <= minutes; minute += 1) {
    for (; begun < minute * 60 * RATE && world.bot.pid === pid; begun += 1) {
      await wait(Math.max(0, startMs + (begun * 1_000) / RATE - performance.now()));
      traffic
        .next()()
        .catch((error: unknown) => complain(counts, error));
    }
    if (world.bot.pid !== pid) {
      throw new Error("the bot's process has ended");
    }
    const untilMs = world.clock.now() - ACKNOWLEDGE_WITHIN_MS;
    const metrics = await readMetrics(places.port, "nodejs_");
    const told = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
    const left = minute % COLLECT_EVERY_MINUTES === 0 ? await collect(pid, places.memoryFile) : undefined;
    const used = performance.eventLoopUtilization(loop).utilization;
    const sample: SoakMinute = {
      minute,
      resident: rounded(median(resident)),
      tree: rounded(processTreeMegabytes(pid, Infinity)),
      heapAfterGc: left === undefined ? null : rounded(left.heapUsed / MEGABYTE),
      externalAfterGc: left === undefined ? null : rounded(left.external / MEGABYTE),
      resourcesAfterGc: left?.resources ?? null,
      heap: rounded(told("nodejs_heap_size_used_bytes") / MEGABYTE),
      files: median(files),
      handles: told("nodejs_active_handles_total"),
      resources: told("nodejs_active_resources_total"),
      ...answersBetween(world, countedMs, untilMs),
      ...counts,
      refused: Object.values(world.discord.limits.refused).reduce((sum, count) => sum + count, 0),
      botShare: rounded((processorMs(pid) - botMs) / MINUTE_MS),
      driverBusy: rounded(used),
      driverResident: rounded(residentMegabytes(process.pid)),
      lines: world.bot.log.length,
    };
    samples.push(sample);
    appendFileSync(file, `${JSON.stringify(sample)}\n`);
    if (minute % QUARTER === 0) {
      printQuarter(samples.slice(-QUARTER));
    }
    countedMs = untilMs;
    loop = performance.eventLoopUtilization();
    botMs = processorMs(pid);
    Object.assign(counts, { broken: 0, boards: 0 });
    resident.length = 0;
    files.length = 0;
    forget(world, traffic);
  }
  clearInterval(looking);
  clearInterval(writing);
  console.log(await readMetrics(places.port, "signalbox_(answers|job_runs)_total"));
  return samples;
}

function complain(counts: { broken: number }, error: unknown): void {
  counts.broken += 1;
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
}

/** The answers in a period, as the sandbox's Discord recorded them. */
function answersBetween({ discord }: World, fromMs: number, untilMs: number) {
  const asked = [...discord.state.interactions.values()].filter(
    ({ createdAtMs }) => createdAtMs > fromMs && createdAtMs <= untilMs,
  );
  const tookMs = asked.flatMap(({ createdAtMs, acknowledgedAtMs }) =>
    acknowledgedAtMs === undefined ? [] : [acknowledgedAtMs - createdAtMs],
  );
  return {
    asked: asked.length,
    unanswered: asked.length - tookMs.length,
    p50: rounded(percentile(tookMs, 0.5)),
    p99: rounded(percentile(tookMs, 0.99)),
  };
}

/** Reads the bot's metrics whose lines begin like this. */
async function readMetrics(port: number, beginning: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const lines = (await response.text()).split("\n");
  return lines.filter((line) => new RegExp(`^${beginning}`).test(line)).join("\n");
}

/** Makes the bot collect its garbage, and returns the remaining memory. */
async function collect(pid: number | undefined, memoryFile: string): Promise<LeftMemory> {
  rmSync(memoryFile, { force: true });
  process.kill(pid ?? Number.NaN, "SIGUSR2");
  while (!existsSync(memoryFile)) {
    await wait(5);
  }
  // Our own preload writes nothing else.
  return JSON.parse(readFileSync(memoryFile, "utf8")) as LeftMemory;
}

/** Frees the driver's own memory: old messages, files and requests. Boards keep their messages. */
function forget({ discord, clock }: World, traffic: Traffic): void {
  const beforeMs = clock.now() - FORGET_AFTER_MS;
  const { state } = discord;
  const talk = [...traffic.channels, ...state.directChannels.values()];
  for (const { messages } of talk) {
    for (const { id, createdAtMs } of messages.values()) {
      if (createdAtMs < beforeMs) {
        messages.delete(id);
      }
    }
  }
  const isTalk = new Set(talk.map(({ id }) => id));
  for (const { id, channelId } of state.attachments.values()) {
    if (isTalk.has(channelId) && timeOfId(id) < beforeMs) {
      state.attachments.delete(id);
    }
  }
  discord.forgetRequests();
}
