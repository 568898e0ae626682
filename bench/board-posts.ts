// 3,000 real boards that are due in the same minute: how fast the bot sends them, whether Discord's limit holds, and
// what members feel of it meanwhile. First all are posted, then all are edited. Measured at the sandbox. Linux only,
// whose own account of processes says what the bot costs.
import { cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { World } from "../sandbox/world.ts";
import { BOARDS, openBoardTown, type BoardTown, type Round } from "./board-town.ts";
import { peakMegabytes, processorMs, residentMegabytes } from "./process-cost.ts";
import { median, percentile, rounded, rowWithin, type BenchRow } from "./row.ts";

/** Discord's global limit, in requests a second. */
const LIMIT = 50;
const GOAL_SHARE = 0.96;
const ASK_EVERY_MS = 200;
const QUIET_ASKS = 300;
/** For the slowest hundredth of the answers to members meanwhile. */
const GOAL_ANSWER_MS = 250;
const DEADLINE_MS = 180_000;
/** The bot sends no slot that is older. */
const LATEST_SECONDS = 120;
/** So long before its slot a round begins. */
const RUN_UP_MS = 3_000;
/** What a round left over is given back within this time. */
const SETTLE_MS = 5_000;
/** Longer, and something holds up the whole bot. */
const GOAL_PAUSE_MS = 250;
/** What the first round fills once: pictures that are kept, connections, and memory that V8 keeps for later. */
const GOAL_FIRST_GROWTH_MB = 200;
/** What stays behind at each round would add up. */
const GOAL_FURTHER_GROWTH_MB = 64;

/** What a round of boards looks like at the sandbox. */
interface Wave {
  readonly arrivedMs: readonly number[];
  /** How long after the slot the last one came. */
  readonly latestMs: number;
  /** Boards without exactly one message, or edit, that Discord took. */
  readonly astray: number;
  readonly busiestSecond: number;
  readonly refused: number;
  readonly answersMs: readonly number[];
  /** Of one processor. */
  readonly botShare: number;
  readonly sandboxBusyShare: number;
  /** Of the whole machine. */
  readonly idleShare: number;
}

/** Rows for the posts, the edits, the memory, and for interactions meanwhile beside the same without boards. */
export async function boardPostRows(): Promise<readonly BenchRow[]> {
  await using town = await openBoardTown();
  const { bot } = town.world;
  const quiet = await askAgainAndAgain(town.world, (asked) => asked < QUIET_ASKS);
  const before = residentMegabytes(bot.pid);
  const posts = await watchWave(town, 0);
  await wait(SETTLE_MS);
  const afterPosts = residentMegabytes(bot.pid);
  await town.setMode("edit");
  const edits = await watchWave(town, 1);
  await wait(SETTLE_MS);
  const afterEdits = residentMegabytes(bot.pid);
  town.world.bot.log.forEach((line) => console.error(line));
  return [
    ...waveRows("boards posted", posts),
    ...answerRows("while boards are posted", posts, quiet),
    ...waveRows("boards edited", edits),
    ...answerRows("while boards are edited", edits, quiet),
    rowWithin("bot's memory, growth by 3,000 posts", "MB", afterPosts - before, GOAL_FIRST_GROWTH_MB),
    rowWithin(
      "bot's memory, growth by as many edits more",
      "MB",
      afterEdits - afterPosts,
      GOAL_FURTHER_GROWTH_MB,
    ),
    rowWithin(
      "bot's memory, peak over the beginning",
      "MB",
      peakMegabytes(bot.pid) - before,
      GOAL_FIRST_GROWTH_MB,
    ),
  ];
}

/** Turns the clock to a round's slot and watches until all its boards have been sent. */
async function watchWave(town: BoardTown, round: Round): Promise<Wave> {
  const { world } = town;
  const { discord, clock, bot } = world;
  await clock.set(town.slotMs(round) - RUN_UP_MS);
  discord.forgetRequests();
  let seen = 0;
  const stopListening = discord.changes.listen((change) => {
    // Answers to the one who asks are in another channel.
    const isOfBoard = "message" in change && change.message.channelId !== world.channels.general.id;
    seen += isOfBoard ? 1 : 0;
  });
  const deadlineMs = performance.now() + DEADLINE_MS;
  await until(() => seen > 0, deadlineMs);
  const start = readCosts(bot.pid);
  const answersMs = await askAgainAndAgain(world, () => seen < BOARDS && performance.now() < deadlineMs);
  const end = readCosts(bot.pid);
  stopListening();
  // Until what must not come has had its time.
  await wait(SETTLE_MS);

  const isOfBoard = round === 0 ? isPost : isEdit;
  const sent = discord.requests.filter(isOfBoard);
  const perChannel = Map.groupBy(
    sent.filter(({ status }) => status === 200),
    ({ path }) => path.split("/")[2],
  );
  const right = [...perChannel.values()].filter(({ length }) => length === 1).length;
  const lastedMs = end.atMs - start.atMs;
  return {
    arrivedMs: sent.map(({ arrivedMs }) => arrivedMs),
    latestMs: Math.max(...sent.map(({ atMs }) => atMs)) - town.slotMs(round),
    astray: BOARDS - right,
    busiestSecond: discord.limits.busiestSecond,
    refused: sum(Object.values(discord.limits.refused)),
    answersMs,
    botShare: (end.botMs - start.botMs) / lastedMs,
    sandboxBusyShare: performance.eventLoopUtilization(end.loop, start.loop).utilization,
    idleShare: (end.idleMs - start.idleMs) / (end.machineMs - start.machineMs),
  };
}

function isPost({ method, path }: World["discord"]["requests"][number]): boolean {
  return method === "POST" && /^\/channels\/\d+\/messages$/.test(path);
}

function isEdit({ method, path }: World["discord"]["requests"][number]): boolean {
  return method === "PATCH" && /^\/channels\/\d+\/messages\/\d+$/.test(path);
}

function readCosts(pid: number | undefined) {
  const times = cpus().map((cpu) => cpu.times);
  return {
    atMs: performance.now(),
    botMs: processorMs(pid),
    loop: performance.eventLoopUtilization(),
    idleMs: sum(times.map(({ idle }) => idle)),
    machineMs: sum(times.flatMap((each) => Object.values(each))),
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Asks every so often, whether or not the last question is answered; milliseconds until each callback arrived. */
async function askAgainAndAgain(
  world: World,
  isMore: (asked: number) => boolean,
): Promise<readonly number[]> {
  const asking: Promise<number>[] = [];
  const startMs = performance.now();
  while (isMore(asking.length)) {
    asking.push(ask(world));
    await wait(Math.max(0, startMs + asking.length * ASK_EVERY_MS - performance.now()));
  }
  return Promise.all(asking);
}

/** Infinity where the bot did not answer in time. */
async function ask(world: World): Promise<number> {
  const startMs = performance.now();
  try {
    const { interactionId } = await world.member("Ada").slash(world.channels.general, "about");
    const prefix = `/interactions/${interactionId}/`;
    const callback = world.discord.requests.findLast(({ path }) => path.startsWith(prefix));
    return (callback?.arrivedMs ?? Infinity) - startMs;
  } catch {
    return Infinity;
  }
}

async function until(isMet: () => boolean, deadlineMs: number): Promise<void> {
  while (!isMet()) {
    if (performance.now() > deadlineMs) {
      throw new Error("no board came");
    }
    await wait(10);
  }
}

function waveRows(what: string, wave: Wave): readonly BenchRow[] {
  const { arrivedMs, latestMs, astray, busiestSecond, refused, botShare, sandboxBusyShare, idleShare } = wave;
  const rate = ((arrivedMs.length - 1) * 1_000) / (Math.max(...arrivedMs) - Math.min(...arrivedMs));
  const latest = latestMs / 1_000;
  const pauseMs = longestPause(arrivedMs);
  const row = (name: string, unit: string, value: number, goal: string, holds: boolean): BenchRow => ({
    name: `${BOARDS} ${what}, ${name}`,
    unit,
    value: rounded(value),
    rival: null,
    ratio: null,
    goal,
    holds,
  });
  return [
    {
      ...row("rate", "1/s", rate, `≥ ${GOAL_SHARE} × Discord's limit`, rate >= GOAL_SHARE * LIMIT),
      rival: LIMIT,
      ratio: rounded(rate / LIMIT),
    },
    row("most in any second", "requests", busiestSecond, `≤ ${LIMIT}`, busiestSecond <= LIMIT),
    row("refused with 429", "requests", refused, "0", refused === 0),
    row("lost or doubled", "boards", astray, "0", astray === 0),
    row("the last one after its slot", "s", latest, `≤ ${LATEST_SECONDS} s`, latest <= LATEST_SECONDS),
    row("longest pause", "ms", pauseMs, `≤ ${GOAL_PAUSE_MS} ms`, pauseMs <= GOAL_PAUSE_MS),
    row("bot's processor time", "cores", botShare, "≤ 0.8: more, and the bot limits", botShare <= 0.8),
    row(
      "sandbox's event loop busy",
      "share",
      sandboxBusyShare,
      "≤ 0.8: more, and the sandbox limits",
      sandboxBusyShare <= 0.8,
    ),
    row("machine idle", "share", idleShare, "≥ 0.1: less, and the machine limits", idleShare >= 0.1),
  ];
}

function longestPause(arrivedMs: readonly number[]): number {
  return Math.max(...arrivedMs.map((atMs, index) => atMs - (arrivedMs[index - 1] ?? atMs)));
}

function answerRows(when: string, { answersMs }: Wave, quietMs: readonly number[]): readonly BenchRow[] {
  const p99 = percentile(answersMs, 0.99);
  const row = (name: string, of: (samples: readonly number[]) => number): BenchRow => ({
    name: `interaction to callback ${when}, ${name}`,
    unit: "ms",
    value: rounded(of(answersMs)),
    rival: rounded(of(quietMs)),
    ratio: rounded(of(answersMs) / of(quietMs)),
    goal: `p99 ≤ ${GOAL_ANSWER_MS} ms; beside the same without boards`,
    holds: p99 <= GOAL_ANSWER_MS,
  });
  return [
    row("p50", median),
    row("p99", (samples) => percentile(samples, 0.99)),
    row("slowest", (samples) => Math.max(...samples)),
  ];
}
