// Members use a bot that is killed while it answers. The same seed gives the same kills. Checked against the
// interactions that Discord has recorded, the messages that members got, and the rows in the database.
import { mkdtempDisposable } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { vi } from "vitest";
import type { OptionInputs, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Member } from "../../sandbox/discord/actors/member.ts";
import type { World } from "../../sandbox/world.ts";
import { createLog } from "../../src/core/log.ts";
import { readSubscription } from "../../src/boards/boards.ts";
import { readWatch } from "../../src/watches/watches.ts";
import { openDatabase } from "../../src/database.ts";
import { openCheckedWorld } from "./checked-world.ts";
import {
  createKiller,
  killMoments,
  setTrap,
  type KillCounts,
  type KillMoment,
  type RequestKind,
} from "./kills.ts";
import { MEMORY_FOLDER } from "./memory-folder.ts";
import { watchSettled } from "./until.ts";

/** The result of a campaign. */
export interface AnswerKillReport extends KillCounts {
  /** One line for each broken guarantee. */
  readonly broken: readonly string[];
  /** Interactions without an answer because the process was killed. */
  readonly unanswered: number;
  /** Boards and watches that a process saved before it was killed, without telling the member. */
  readonly savedWithoutAnswer: number;
}

const REQUESTS = {
  callback: { method: "POST", path: /^\/interactions\/[^/]+\/[^/]+\/callback$/ },
  edit: { method: "PATCH", path: /^\/webhooks\/\d+\/[^/]+\/messages\// },
  welcome: { method: "POST", path: /^\/channels\/\d+\/messages$/ },
  data: { of: "transport", method: "GET", path: /live/ },
} as const satisfies Record<string, RequestKind>;

/** The commands, and the requests at which each can be interrupted. */
const ACTS = {
  departures: ["callback", "callback", "data"],
  board: ["callback", "callback", "edit", "data"],
  watch: ["callback", "callback", "welcome"],
} as const satisfies Record<string, readonly (keyof typeof REQUESTS)[]>;

interface Step {
  readonly act: keyof typeof ACTS;
  readonly at: keyof typeof REQUESTS;
  readonly moment: KillMoment;
}

const steps: fc.Arbitrary<Step> = fc
  .constantFrom<(keyof typeof ACTS)[]>("departures", "board", "board", "watch", "watch")
  .chain((act) =>
    fc.record({
      act: fc.constant(act),
      at: fc.constantFrom<(keyof typeof REQUESTS)[]>(...ACTS[act]),
      // The first answer is the card; the second says that it is saved.
      moment: killMoments,
    }),
  );

/** Each step asks for a different one. */
const STATIONS = (
  "ABD BHM BRI BTH CBG CDF CRE DAR DBY DON EDB EXD GLC GLQ GRA HUD HUL INV IPS KGX LAN LDS LEI LIV LIN MAN MBR NCL " +
  "NOT NRW OXF PBO PLY PRE RDG RUG SHF SOU STA SWA SWI TAU WKF WOL WVH YRM CAR PMS BTN COV"
).split(" ");
const NAMES = ["Ada", "Grace"];
const WAIT = { timeout: 60_000, interval: 2 };
/** Long enough for the plan to have a call left. */
const BETWEEN_MS = 60_000;

/** A command of a member, and its answer so far. */
interface CommandRun {
  readonly act: Step["act"];
  readonly station: string;
  readonly member: Member;
  /** The message with **Save**, and later its result; for departures, the answer. */
  card: SeenMessage | undefined;
  /** Set when the bot is killed: the member presses nothing more. */
  isInterrupted: boolean;
}

const ANSWERED = /^(?:### Departures from|Saved|Watching)/;

/** Runs one command per kill. */
export async function runAnswerKills(seed: number, kills: number): Promise<AnswerKillReport> {
  await using folder = await mkdtempDisposable(join(MEMORY_FOLDER, "signalbox-answers-"));
  const databaseUrl = `sqlite:${join(folder.path, "signalbox.db")}`;
  await using world = await openCheckedWorld({
    bot: "process",
    env: { DATABASE_URL: databaseUrl },
  });
  const killer = createKiller(world);
  const broken: string[] = [];
  const runs: CommandRun[] = [];
  let savedWithoutAnswer = 0;

  for (const [index, step] of fc.sample(steps, { seed, numRuns: kills }).entries()) {
    const { act, at, moment } = step;
    const name = `${index}: ${act}, killed at ${at} ${moment.nth} (${moment.when})`;
    const run: CommandRun = {
      act,
      station: STATIONS[index % STATIONS.length] ?? "",
      member: world.member(NAMES[index % NAMES.length] ?? ""),
      card: undefined,
      isInterrupted: false,
    };
    runs.push(run);
    const trap = setTrap(world, REQUESTS[at], moment);
    const isOver = watchSettled(ask(world, run));
    await vi.waitUntil(() => isOver() || trap.isSprung(), WAIT);
    run.isInterrupted = true;
    await killer.kill();
    trap.remove();

    const isAnswered = hasAnswer(run);
    const rows = await countRows(world, databaseUrl, run);
    if (rows > 1 || (act !== "departures" && isAnswered && rows === 0)) {
      broken.push(`${name}: ${isAnswered ? "reported as saved" : "unanswered"}, ${rows} rows`);
    }
    savedWithoutAnswer += !isAnswered && rows === 1 ? 1 : 0;
    await world.bot.start();
    await world.clock.advance(BETWEEN_MS);
    run.isInterrupted = false;
    try {
      if (!isAnswered) {
        await ask(world, run);
      }
    } catch (error) {
      broken.push(`${name}: second attempt: ${String(error)}`);
    }
  }

  broken.push(...killer.unanswered().map((id) => `interaction ${id}: no answer, although no process died`));
  await world.bot.stop();
  for (const run of runs.filter(({ act }) => act !== "departures")) {
    const rows = await countRows(world, databaseUrl, run);
    if (rows !== 1) {
      broken.push(`${run.act} ${run.station}: ${rows} rows at the end`);
    }
  }
  for (const name of NAMES) {
    const member = world.member(name);
    const texts = member.messages(member.dm()).map(({ text }) => text);
    if (new Set(texts).size !== texts.length) {
      broken.push(`${name} got the same answer twice: ${texts.join("\n")}`);
    }
  }
  return { ...killer.counts, broken, unanswered: killer.abandoned.size, savedWithoutAnswer };
}

const COMMANDS: Readonly<Record<Step["act"], (station: string) => readonly [string, OptionInputs]>> = {
  departures: (station) => ["departures", { station, view: "text" }],
  board: (station) => ["board subscribe", { station, every: "1 hour", view: "text" }],
  watch: (to) => ["watch commute", { from: "York", to, hours: "7 to 9:30" }],
};

/** Continues where the command was interrupted. Throws if the bot gives no proper answer. */
async function ask(world: World, run: CommandRun): Promise<void> {
  const { act, station, member } = run;
  const [command, options] = COMMANDS[act](station);
  run.card ??= (await member.slash(world.channels.trains, command, options)).message;
  if (act !== "departures" && !run.isInterrupted) {
    await member.click(run.card, "Save");
  }
  if (!hasAnswer(run)) {
    throw new Error(`the bot says: ${member.look(run.card)?.text}`);
  }
}

/** Whether the message shows the final answer now. */
function hasAnswer({ card, member }: CommandRun): boolean {
  return card !== undefined && ANSWERED.test(member.look(card)?.text ?? "");
}

/** Counts the active boards or watches of this station. */
async function countRows(
  { clock, guild }: World,
  url: string,
  { act, station, member }: CommandRun,
): Promise<number> {
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url, clock, log });
  try {
    if (act === "board") {
      const boards = (await database.boards.ofGuild(guild.id)).filter(({ state }) => state === "active");
      return boards.filter((record) => readSubscription(record).settings.station === station).length;
    }
    const watches = (await database.watches.ofOwner(member.id)).filter(({ state }) => state === "active");
    return watches.filter((record) => JSON.stringify(readWatch(record).settings).includes(`"${station}"`))
      .length;
  } finally {
    await database.close();
  }
}
