// Measures 3,000 real boards that are due in the same minute: how fast the bot sends them, whether it stays within
// Discord's limit, and how answers to members are affected meanwhile. First all boards are posted, then all are edited.
// Measured with the sandbox. Linux only, because it reads /proc.
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
/** The bot never sends a slot later than this. */
const LATEST_SECONDS = 120;
/** A round begins this long before its slot. */
const RUN_UP_MS = 3_000;
/** Memory that a round no longer needs is released within this time. */
const SETTLE_MS = 5_000;
/** A longer pause means that something blocks the whole bot. */
const GOAL_PAUSE_MS = 250;
/** The first round grows memory once: cached pictures, connections, and memory that V8 reserves. */
const GOAL_FIRST_GROWTH_MB = 200;
/** Memory that leaked in each round would add up. */
const GOAL_FURTHER_GROWTH_MB = 64;

/** A round of boards as the sandbox saw it. */
interface RoundResult {
  readonly arrivedMs: readonly number[];
  /** The time from the slot until the last board came. */
  readonly latestMs: number;
  /** Boards without exactly one message or edit that Discord accepted. */
  readonly wrong: number;
  readonly busiestSecond: number;
  readonly refused: number;
  readonly answersMs: readonly number[];
  /** The share of one processor. */
  readonly botShare: number;
  readonly sandboxBusyShare: number;
  /** The share of the whole machine. */
  readonly idleShare: number;
}

/**
 * Returns rows for the posts, the edits, the memory, and for interactions meanwhile next to interactions without
 * boards.
 */
export async function boardPostRows(): Promise<readonly BenchRow[]> {
  await using town = await openBoardTown();
  const { bot } = town.world;
  const quiet = await askRepeatedly(town.world, (asked) => asked < QUIET_ASKS);
  const before = residentMegabytes(bot.pid);
  const posts = await watchRound(town, 0);
  await wait(SETTLE_MS);
  const afterPosts = residentMegabytes(bot.pid);
  await town.setMode("edit");
  const edits = await watchRound(town, 1);
  await wait(SETTLE_MS);
  const afterEdits = residentMegabytes(bot.pid);
  town.world.bot.log.forEach((line) => console.error(line));
  return [
    ...roundRows("boards posted", posts),
    ...answerRows("while boards are posted", posts, quiet),
    ...roundRows("boards edited", edits),
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

/** Advances the clock to a round's slot and waits until all its boards have been sent. */
async function watchRound(town: BoardTown, round: Round): Promise<RoundResult> {
  const { world } = town;
  const { discord, clock, bot } = world;
  await clock.set(town.slotMs(round) - RUN_UP_MS);
  discord.forgetRequests();
  let seen = 0;
  const stopListening = discord.changes.listen((change) => {
    // Answers to the member who asks are in another channel.
    const isOfBoard = "message" in change && change.message.channelId !== world.channels.general.id;
    seen += isOfBoard ? 1 : 0;
  });
  const deadlineMs = performance.now() + DEADLINE_MS;
  await until(() => seen > 0, deadlineMs);
  const start = readCosts(bot.pid);
  const answersMs = await askRepeatedly(world, () => seen < BOARDS && performance.now() < deadlineMs);
  const end = readCosts(bot.pid);
  stopListening();
  // Waits for messages that must not come.
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
    wrong: BOARDS - right,
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

/**
 * Sends a command at a fixed interval, whether or not the last one is answered. Returns the milliseconds until each
 * callback.
 */
async function askRepeatedly(world: World, isMore: (asked: number) => boolean): Promise<readonly number[]> {
  const asking: Promise<number>[] = [];
  const startMs = performance.now();
  while (isMore(asking.length)) {
    asking.push(ask(world));
    await wait(Math.max(0, startMs + asking.length * ASK_EVERY_MS - performance.now()));
  }
  return Promise.all(asking);
}

/** Returns Infinity if the bot did not answer in time. */
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

function roundRows(what: string, result: RoundResult): readonly BenchRow[] {
  const { arrivedMs, latestMs, wrong, busiestSecond, refused, botShare, sandboxBusyShare, idleShare } =
    result;
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
    row("lost or doubled", "boards", wrong, "0", wrong === 0),
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

function answerRows(
  when: string,
  { answersMs }: RoundResult,
  quietMs: readonly number[],
): readonly BenchRow[] {
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
