// A bot that watches trains is killed repeatedly on bad mornings. The same seed gives the same kills. Checked against
// what the watchers read at the end of each step of the morning, which must be in one message, and how many sounds
// they heard.
import * as fc from "fast-check";
import type { World } from "../../sandbox/world.ts";
import {
  createKiller,
  killMoments,
  setTrap,
  type KillCounts,
  type KillMoment,
  type RequestKind,
} from "./kills.ts";
import { watchSettled } from "./until.ts";
import {
  becomesTrue,
  counts,
  countSounds,
  expected,
  playMorning,
  MINUTE_MS,
  MORNING,
  openFolder,
  openMorning,
  SOUNDS,
  told,
} from "./watch-morning.ts";

/** The result of a campaign. */
export interface WatchKillReport extends KillCounts {
  /** One line for each broken guarantee. */
  readonly broken: readonly string[];
  /** Messages that a later process found. */
  readonly foundAgain: number;
  /** How many pieces of news there were, for all watchers. */
  readonly tellings: number;
}

const WATCHERS = ["Mary", "Alan"];
/** The service is asked at least every two minutes. */
const MINUTES_TO_KILL = 2;

const REQUESTS = {
  post: { method: "POST", path: /^\/channels\/\d+\/messages$/ },
  edit: { method: "PATCH", path: /^\/channels\/\d+\/messages\/\d+$/ },
  data: { of: "transport", method: "GET", path: /live/ },
} as const satisfies Record<string, RequestKind>;

interface Kill extends KillMoment {
  /** `tell`: the request for the message that is due. */
  readonly at: "tell" | "data";
}

const kills: fc.Arbitrary<Kill> = fc
  .record({
    moment: killMoments,
    at: fc.oneof(
      { weight: 4, arbitrary: fc.constant("tell" as const) },
      { weight: 1, arbitrary: fc.constant("data" as const) },
    ),
  })
  // A tick asks once for both watchers.
  .map(({ moment, at }) => ({ ...moment, at, nth: at === "data" ? 1 : moment.nth }));

/** Plays this many mornings, each with a kill in every step. */
export async function runWatchKills(seed: number, mornings: number): Promise<WatchKillReport> {
  const total = { kills: 0, underWay: 0, foundAgain: 0, tellings: 0 };
  const broken: string[] = [];
  const sampled = fc.sample(kills, { seed, numRuns: mornings * MORNING.length });
  for (let morning = 0; morning < mornings; morning += 1) {
    const own = sampled.slice(morning * MORNING.length);
    const report = await liveKilled(own);
    broken.push(...report.broken.map((line) => `morning ${morning}: ${line}`));
    total.kills += report.kills;
    total.underWay += report.underWay;
    total.foundAgain += report.foundAgain;
    total.tellings += report.tellings;
  }
  return { ...total, broken };
}

async function liveKilled(own: readonly Kill[]): Promise<WatchKillReport> {
  await using folder = await openFolder();
  await using world = await openMorning({ DATABASE_URL: folder.url }, "process", WATCHERS);
  const killer = createKiller(world);
  const sounds = new Map(WATCHERS.map((name) => [name, countSounds(world, name)]));
  const left = own.values();
  const read = new Map<string, (readonly string[])[]>(WATCHERS.map((name) => [name, []]));

  function note(): void {
    for (const name of WATCHERS) {
      read.get(name)?.push(told(world, name));
    }
  }

  let isFirst = true;
  await playMorning(world, async () => {
    if (!isFirst) {
      note();
    }
    isFirst = false;
    const kill = left.next().value;
    if (kill !== undefined) {
      await killInTick(world, kill, () => killer.kill());
    }
  });
  note();

  const wanted = MORNING.map(expected);
  const broken = WATCHERS.flatMap((name) => [
    ...wanted.flatMap((lines, step) => {
      const seen = read.get(name)?.[step] ?? [];
      return seen.join("\n") === lines.join("\n") ? [] : [`step ${step}, ${name} reads: ${seen.join(" / ")}`];
    }),
    ...Object.entries(counts(world, name)).flatMap(([what, count]) =>
      count === 1 ? [] : [`${name} has ${count} ${what}`],
    ),
    ...(sounds.get(name)?.() === SOUNDS ? [] : [`${name} heard ${sounds.get(name)?.()} sounds`]),
  ]);
  return {
    ...killer.counts,
    broken,
    foundAgain: world.bot.log.filter((line) => line.includes("message recovered")).length,
    tellings:
      WATCHERS.length *
      wanted.filter((lines, step) => lines.join() !== (wanted[step - 1] ?? []).join()).length,
  };
}

/** Lets minutes pass until the planned request comes, or it does not; then kills the bot. */
async function killInTick(world: World, kill: Kill, end: () => Promise<void>): Promise<void> {
  const isTold = WATCHERS.some((name) => told(world, name).length > 0);
  const request = kill.at === "data" ? "data" : isTold ? "edit" : "post";
  const trap = setTrap(world, REQUESTS[request], kill);
  for (let minutes = 0; minutes < MINUTES_TO_KILL && !trap.isSprung(); minutes += 1) {
    await world.clock.advance(MINUTE_MS);
    // A bot that is killed in the middle of a tick has said nothing wrong.
    const isTicked = watchSettled(world.tick());
    await becomesTrue(() => isTicked() || trap.isSprung(), 10_000);
  }
  await end();
  trap.remove();
  await world.bot.start();
}
