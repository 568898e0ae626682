// Measures the time from an interaction to its callback: our bot and a bare discord.js bot, each in its own process,
// used in turn. Both send the same bytes: the answer to /help, which needs nothing from outside. The time runs from
// handing the event to the gateway until the callback arrives. Processor time is measured too, because a busy machine
// changes it least. Our bot writes a log line for each interaction to a file, as in production; the last row is the
// cost of a line.
import { mkdtempDisposable, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFor } from "../src/core/asker.ts";
import { createLog, createLogOutput } from "../src/core/log.ts";
import { noMeter } from "../src/core/meter.ts";
import { noteAnswer } from "../src/discord/explain-error.ts";
import { openWorld, type World } from "../sandbox/world.ts";
import { openInteractionLoad, type InteractionLoad } from "./interaction-load.ts";
import { processorMs } from "./process-cost.ts";
import { openRival } from "./rival.ts";
import { median, percentile, rounded, type BenchRow } from "./row.ts";

const COMMAND = "help";
/** Enough for V8 to compile hot code and for the heaps to reach their size. */
const WARM_UP_ROUNDS = 2;
const ROUNDS = 11;
/** The slowest ten decide p99. */
const IN_SEQUENCE = 1_000;
const AT_ONCE = 1_000;
/** The share of one processor: a busier load generator may itself limit the rate. */
const GOAL_GENERATOR_SHARE = 0.8;

/** A bot under test and its load generator. */
interface Subject {
  readonly pid: number | undefined;
  readonly load: InteractionLoad;
}

/**
 * Returns rows for p50, p99, the rate, the processor time, and the check that the load generator does not limit the
 * rate.
 */
export async function interactionRows(): Promise<readonly BenchRow[]> {
  await using ourLoad = await openInteractionLoad();
  await using theirLoad = await openInteractionLoad();
  await using folder = await mkdtempDisposable(join(tmpdir(), "signalbox-bench-"));
  await using logFile = await open(join(folder.path, "log"), "a");
  await using world = await openWorld({
    bot: "process",
    startsBot: false,
    env: envOf(ourLoad),
    botLogFile: logFile.fd,
  });
  await using rival = await openRival(COMMAND, { env: envOf(theirLoad) });
  ourLoad.standBefore(world.discord);
  theirLoad.standBefore(rival.world.discord);
  await Promise.all([world.bot.start(), rival.start()]);
  await askOnce(world);
  await rival.answerWith(dataOfLastCallback(world));
  await askOnce(rival.world);
  ourLoad.copyLast();
  theirLoad.copyLast();
  const ours: Subject = { pid: world.bot.pid, load: ourLoad };
  const theirs: Subject = { pid: rival.pid, load: theirLoad };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    await inTurn([ours, theirs]);
    await burstInTurn([ours, theirs], round);
  }

  const p50: Pair[] = [];
  const p99: Pair[] = [];
  const bursts: (readonly [Burst, Burst])[] = [];
  const cost: Pair[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = costsOf(ours, theirs);
    const [ourTimes, theirTimes] = await inTurn([ours, theirs]);
    p50.push([percentile(ourTimes, 0.5), percentile(theirTimes, 0.5)]);
    p99.push([percentile(ourTimes, 0.99), percentile(theirTimes, 0.99)]);
    bursts.push(await burstInTurn([ours, theirs], round));
    const after = costsOf(ours, theirs);
    cost.push([after[0] - before[0], after[1] - before[1]]);
  }
  const rates = bursts.map(([our, their]): Pair => [our.perSecond, their.perSecond]);
  const perInteraction = cost.map(([our, their]): Pair => [costOfOne(our), costOfOne(their)]);
  return [
    row("interaction to callback, p50", "ms", p50, "≤ 1.00 × a bare discord.js bot", (ratio) => ratio <= 1),
    row("interaction to callback, p99", "ms", p99, "≤ 1.10 × a bare discord.js bot", (ratio) => ratio <= 1.1),
    row("interactions, one process", "1/s", rates, "≥ 1.0 × a bare discord.js bot", (ratio) => ratio >= 1),
    generatorRow(
      "ours",
      bursts.map(([our]) => our.generatorShare),
    ),
    generatorRow(
      "theirs",
      bursts.map(([, their]) => their.generatorShare),
    ),
    row(
      "processor time of an interaction",
      "µs",
      perInteraction,
      "≤ 1.00 × a bare discord.js bot",
      (ratio) => ratio <= 1,
    ),
    runFor(undefined, () => lineRow(logFile.fd, world.bot.secrets), {
      id: "1170000000000000002",
      sinceMs: 0,
    }),
  ];
}

const LINES = 2_000;
/** An interaction takes 200 or more. */
const GOAL_LINE_MICROSECONDS = 20;

/** Measures the cost of an interaction's log line alone. */
function lineRow(file: number, secrets: readonly string[]): BenchRow {
  const log = createLog({ level: "info", secrets, destination: createLogOutput(file) });
  const line = {
    guild: "1170000000000000000",
    user: "1170000000000000001",
    channel: undefined,
    milliseconds: 12,
  };
  const times = Array.from({ length: ROUNDS }, () => {
    const startMs = performance.now();
    for (let index = 0; index < LINES; index += 1) {
      noteAnswer({ log, meter: noMeter }, { task: COMMAND, outcome: "answered" }, line);
    }
    return ((performance.now() - startMs) * 1_000) / LINES;
  });
  const value = median(times);
  return {
    name: "log line of an interaction",
    unit: "µs",
    value: rounded(value),
    rival: null,
    ratio: null,
    goal: `≤ ${GOAL_LINE_MICROSECONDS}`,
    holds: value <= GOAL_LINE_MICROSECONDS,
  };
}

type Pair = readonly [ours: number, theirs: number];

function row(
  name: string,
  unit: string,
  pairs: readonly Pair[],
  goal: string,
  reaches: (ratio: number) => boolean,
): BenchRow {
  const ratio = median(pairs.map(([ours, theirs]) => ours / theirs));
  return {
    name,
    unit,
    value: rounded(median(pairs.map(([ours]) => ours))),
    rival: rounded(median(pairs.map(([, theirs]) => theirs))),
    ratio: rounded(ratio),
    goal,
    holds: reaches(ratio),
  };
}

function envOf({ apiUrl }: InteractionLoad) {
  return { LOG_LEVEL: "info", DISCORD_API_BASE_URL: apiUrl };
}

/** Uses the command as a member, so that there is an interaction to copy. */
async function askOnce(world: World): Promise<void> {
  await world.member("Ada").slash(world.channels.general, COMMAND);
}

/**
 * Sends to both bots in turn, starting with a different one each time, so that both see the same state of the machine.
 */
async function inTurn(subjects: readonly [Subject, Subject]): Promise<readonly [number[], number[]]> {
  const times: readonly [number[], number[]] = [[], []];
  for (let index = 0; index < IN_SEQUENCE; index += 1) {
    for (const which of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      times[which].push(await subjects[which].load.send());
    }
  }
  return times;
}

/** Sends a burst to each bot; which one goes first changes with the round. */
async function burstInTurn(
  [ours, theirs]: readonly [Subject, Subject],
  round: number,
): Promise<readonly [Burst, Burst]> {
  if (round % 2 === 0) {
    const our = await burst(ours);
    return [our, await burst(theirs)];
  }
  const their = await burst(theirs);
  return [await burst(ours), their];
}

interface Burst {
  readonly perSecond: number;
  /** The share of one processor that the load generator, this process, used. */
  readonly generatorShare: number;
}

/** Sends many interactions at once. */
async function burst({ load }: Subject): Promise<Burst> {
  const startMs = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: AT_ONCE }, () => load.send()));
  const { user, system } = process.cpuUsage(before);
  const lastedMs = performance.now() - startMs;
  return { perSecond: (AT_ONCE * 1_000) / lastedMs, generatorShare: (user + system) / 1_000 / lastedMs };
}

/** Milliseconds of processor time so far. */
function costsOf(ours: Subject, theirs: Subject): Pair {
  return [processorMs(ours.pid), processorMs(theirs.pid)];
}

/** Microseconds for each interaction, from the milliseconds of a round. */
function costOfOne(roundMs: number): number {
  return (roundMs * 1_000) / (IN_SEQUENCE + AT_ONCE);
}

function generatorRow(whose: string, shares: readonly number[]): BenchRow {
  const value = median(shares);
  return {
    name: `load generator while it asks ${whose}`,
    unit: "cores",
    value: rounded(value),
    rival: null,
    ratio: null,
    goal: `≤ ${GOAL_GENERATOR_SHARE}: more, and the generator limits`,
    holds: value <= GOAL_GENERATOR_SHARE,
  };
}

/** The message in the last callback, which the rival is to send byte for byte. */
function dataOfLastCallback(world: World): unknown {
  const body = world.discord.requests.findLast(({ path }) => path.endsWith("/callback"))?.body;
  if (typeof body !== "object" || body === null || !("data" in body)) {
    throw new Error("our bot has not answered with a message");
  }
  return body.data;
}
