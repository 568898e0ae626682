// Interaction → callback: our bot and a bare discord.js bot, each in a process of its own, asked in turn.
// Both send the same bytes: /help, whose answer needs nothing from outside. Measured at the sandbox, from handing the event over to the callback's arrival.
import { openWorld, type World } from "../sandbox/world.ts";
import { openRival } from "./rival.ts";
import { median, percentile, rounded, type BenchRow } from "./row.ts";

const COMMAND = "help";
const ROUNDS = 7;
const IN_SEQUENCE = 400;
const AT_ONCE = 1_000;

/** Rows for p50, p99 and the rate. */
export async function interactionRows(): Promise<readonly BenchRow[]> {
  await using ours = await openWorld({ bot: "process", env: { LOG_LEVEL: "error" } });
  await using rival = await openRival(COMMAND);
  await rival.start();
  await ask(ours);
  await rival.answerWith(dataOfLastCallback(ours));
  const worlds = [ours, rival.world] as const;
  for (const world of worlds) {
    await inSequence(world);
    await allAtOnce(world);
  }

  const p50: Pair[] = [];
  const p99: Pair[] = [];
  const rate: Pair[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ourTimes, theirTimes] = await inTurn(worlds);
    p50.push([percentile(ourTimes, 0.5), percentile(theirTimes, 0.5)]);
    p99.push([percentile(ourTimes, 0.99), percentile(theirTimes, 0.99)]);
    rate.push([await allAtOnce(ours), await allAtOnce(rival.world)]);
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

/** One of ours, one of theirs, and so on, so that both meet the same moods of the machine. */
async function inTurn(worlds: readonly [World, World]): Promise<readonly [number[], number[]]> {
  const times: readonly [number[], number[]] = [[], []];
  for (let index = 0; index < IN_SEQUENCE; index += 1) {
    times[0].push(await ask(worlds[0]));
    times[1].push(await ask(worlds[1]));
  }
  worlds.forEach((world) => world.discord.forgetRequests());
  return times;
}

async function inSequence(world: World): Promise<void> {
  for (let index = 0; index < IN_SEQUENCE; index += 1) {
    await ask(world);
  }
  world.discord.forgetRequests();
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
