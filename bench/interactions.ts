// Interaction → callback: our bot and a bare discord.js bot, each in a process of its own, asked in turn.
// Both send the same bytes: /help, whose answer needs nothing from outside. Measured at the sandbox, from handing the
// event over to the callback's arrival; and by what the processes used, which a busy machine changes least.
import { openWorld, type World } from "../sandbox/world.ts";
import { processorMs } from "./process-cost.ts";
import { openRival, type Rival } from "./rival.ts";
import { median, percentile, rounded, type BenchRow } from "./row.ts";

const COMMAND = "help";
/** Until V8 has compiled what runs often, and the heaps have their sizes. */
const WARM_UP_ROUNDS = 2;
const ROUNDS = 11;
/** Ten of them decide p99. */
const IN_SEQUENCE = 1_000;
const AT_ONCE = 1_000;

/** Rows for p50, p99 and the rate. */
export async function interactionRows(): Promise<readonly BenchRow[]> {
  await using ours = await openWorld({ bot: "process", env: { LOG_LEVEL: "error" } });
  await using rival = await openRival(COMMAND);
  await rival.start();
  await ask(ours);
  await rival.answerWith(dataOfLastCallback(ours));
  const worlds = [ours, rival.world] as const;
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    await inTurn(worlds);
    await allAtOnceInTurn(worlds, round);
  }

  const p50: Pair[] = [];
  const p99: Pair[] = [];
  const rate: Pair[] = [];
  const cost: Pair[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = costsOf(ours, rival);
    const [ourTimes, theirTimes] = await inTurn(worlds);
    p50.push([percentile(ourTimes, 0.5), percentile(theirTimes, 0.5)]);
    p99.push([percentile(ourTimes, 0.99), percentile(theirTimes, 0.99)]);
    rate.push(await allAtOnceInTurn(worlds, round));
    const after = costsOf(ours, rival);
    cost.push([after[0] - before[0], after[1] - before[1]]);
  }
  return [
    row("interaction to callback, p50", "ms", p50, "≤ 1.10 × a bare discord.js bot", (ratio) => ratio <= 1.1),
    row(
      "interaction to callback, p99",
      "ms",
      p99,
      "≤ 1.25 × a bare discord.js bot",
      (ratio) => ratio <= 1.25,
    ),
    row("interactions, one process", "1/s", rate, "≥ 0.9 × a bare discord.js bot", (ratio) => ratio >= 0.9),
    row(
      "processor time of an interaction",
      "µs",
      cost.map(([our, their]): Pair => [perInteraction(our), perInteraction(their)]),
      "≤ 1.10 × a bare discord.js bot",
      (ratio) => ratio <= 1.1,
    ),
  ];
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

/** Asks once; milliseconds until the callback arrived. */
async function ask(world: World): Promise<number> {
  const startMs = performance.now();
  await world.member("Ada").slash(world.channels.general, COMMAND);
  const callback = world.discord.requests.findLast(({ path }) => path.endsWith("/callback"));
  return (callback?.arrivedMs ?? Number.NaN) - startMs;
}

/** Ours and theirs by turns, each first every other time, so that both meet the same moods of the machine. */
async function inTurn(worlds: readonly [World, World]): Promise<readonly [number[], number[]]> {
  const times: readonly [number[], number[]] = [[], []];
  for (let index = 0; index < IN_SEQUENCE; index += 1) {
    for (const which of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      times[which].push(await ask(worlds[which]));
    }
  }
  worlds.forEach((world) => world.discord.forgetRequests());
  return times;
}

/** Bursts to ours and to theirs; which of them goes first changes with the round. */
async function allAtOnceInTurn([ours, theirs]: readonly [World, World], round: number): Promise<Pair> {
  if (round % 2 === 0) {
    const our = await allAtOnce(ours);
    return [our, await allAtOnce(theirs)];
  }
  const their = await allAtOnce(theirs);
  return [await allAtOnce(ours), their];
}

/** Milliseconds of processor time so far. */
function costsOf(ours: World, rival: Rival): Pair {
  return [processorMs(ours.bot.pid), processorMs(rival.pid)];
}

/** Microseconds, of the milliseconds that a round took. */
function perInteraction(roundMs: number): number {
  return (roundMs * 1_000) / (IN_SEQUENCE + AT_ONCE);
}

/** Asks many at once; answers per second. */
async function allAtOnce(world: World): Promise<number> {
  const ada = world.member("Ada");
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      ada.slash(world.channels.general, COMMAND, {}, { deadlineMs: 60_000 }),
    ),
  );
  const lastMs = Math.max(...world.discord.requests.map(({ arrivedMs }) => arrivedMs));
  world.discord.forgetRequests();
  return AT_ONCE / ((lastMs - startMs) / 1_000);
}

/** The message inside the newest callback: what the rival is to send, byte for byte. */
function dataOfLastCallback(world: World): unknown {
  const body = world.discord.requests.findLast(({ path }) => path.endsWith("/callback"))?.body;
  if (typeof body !== "object" || body === null || !("data" in body)) {
    throw new Error("our bot has not answered with a message");
  }
  return body.data;
}
