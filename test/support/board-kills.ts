// A bot with boards is killed repeatedly. The same seed gives the same kills and faults. Checked against what Discord
// has seen and each board's count of missed slots.
import { mkdtempDisposable } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import type { World } from "../../sandbox/world.ts";
import { createLog } from "../../src/core/log.ts";
import type { BoardRecord } from "../../src/boards/boards-table.ts";
import { openDatabase } from "../../src/database.ts";
import { createBadDay } from "./board-bad-day.ts";
import { badMinutes, FIRST_MINUTES } from "./board-bad-minutes.ts";
import { subscribeBoard, watchBoardPosts } from "./board-posts.ts";
import { checkBoard, type KeptBoard } from "./board-checks.ts";
import { openCheckedWorld } from "./checked-world.ts";
import { MEMORY_FOLDER } from "./memory-folder.ts";

/** The result of a campaign. */
export interface KillReport {
  /** One line for each broken guarantee. */
  readonly broken: readonly string[];
  readonly kills: number;
  /** Kills while the bot waited for an answer. */
  readonly underWay: number;
  /** Kills at the planned request. */
  readonly sprung: number;
  /** Requests that hit an injected fault. */
  readonly faultsMet: number;
  /** Messages that a later process found in the channel. */
  readonly foundAgain: number;
  /** Messages that were sent again under the same nonce. */
  readonly sentAgain: number;
  /** Slots of the boards that post. */
  readonly slots: number;
  /** How many of them were missed because there was no time to send them. */
  readonly missed: number;
}

/** Boards of every mode, in even or odd minutes, so that some are due in each. */
const BOARDS = [
  { mode: "post", isEven: true, channel: "trains", station: "York" },
  { mode: "post", isEven: false, channel: "staff", station: "Leeds" },
  { mode: "edit", isEven: true, channel: "staff", station: "York" },
  { mode: "edit", isEven: false, channel: "trains", station: "Reading" },
  { mode: "replace", isEven: true, channel: "staff", station: "Leeds" },
  { mode: "replace", isEven: false, channel: "trains", station: "York" },
] as const;

const MINUTE_MS = 60_000;
/** Minutes without faults at the end. */
const CALM_MINUTES = 4;

/** Kills a bot this many times, at least once a minute. */
export async function runKills(seed: number, kills: number): Promise<KillReport> {
  await using folder = await mkdtempDisposable(join(MEMORY_FOLDER, "signalbox-kills-"));
  const databaseUrl = `sqlite:${join(folder.path, "signalbox.db")}`;
  await using world = await openCheckedWorld({
    bot: "process",
    env: { DATABASE_URL: databaseUrl },
    // discord.js waits for a channel's bucket in real time, but the clock runs faster.
    settings: { buckets: { "*": { limit: 1_000, windowMs: 1_000 } } },
  });
  const posts = watchBoardPosts(world);
  const boards: KeptBoard[] = [];
  for (const { mode, isEven, channel, station } of BOARDS) {
    const hours = isEven ? {} : { between: "00:01-23:59" };
    const options = { station, mode, every: "2 minutes", view: "text", ...hours };
    boards.push({ id: await subscribeBoard(world, world.channels[channel], options), mode, isEven });
  }

  const fromMs = world.clock.now();
  const day = createBadDay(world, kills);
  let minutes = 0;
  for (const minute of fc.sample(badMinutes, { seed, numRuns: kills, examples: [...FIRST_MINUTES] })) {
    minutes += 1;
    await day.playMinute(fromMs + minutes * MINUTE_MS, minute);
    if (day.kills === kills) {
      break;
    }
  }
  for (let calm = 1; calm <= CALM_MINUTES; calm += 1) {
    await day.playMinute(fromMs + (minutes + calm) * MINUTE_MS);
  }
  const toMs = world.clock.now();
  await world.bot.stop();

  const ids = boards.map(({ id }) => id);
  const records = await readRecords(world, databaseUrl, ids);
  const verdicts = boards.map((board) => {
    const { id } = board;
    const ever = posts.ever.filter(({ boardId }) => boardId === id);
    return checkBoard({
      board,
      record: records.get(id),
      slots: slotsOf(board, fromMs, toMs),
      savedMs: fromMs - (fromMs % MINUTE_MS),
      ever,
      standing: posts.standing(id),
      ticks: day.ticks,
    });
  });
  return {
    broken: verdicts.flatMap(({ broken }) => broken),
    kills: day.kills,
    underWay: day.underWay,
    sprung: day.sprung,
    faultsMet: day.faultsMet,
    foundAgain: world.bot.log.filter((line) => line.includes("message recovered")).length,
    sentAgain: countSentAgain(world),
    slots: verdicts.reduce((sum, { slots }) => sum + slots, 0),
    missed: verdicts.reduce((sum, { missed }) => sum + missed, 0),
  };
}

/** Every second minute from the minute in which the board was saved until `toMs`. */
function slotsOf({ isEven }: KeptBoard, fromMs: number, toMs: number): readonly number[] {
  const first = Math.floor(fromMs / MINUTE_MS);
  const count = Math.floor(toMs / MINUTE_MS) - first + 1;
  return Array.from({ length: count }, (_, index) => first + index)
    .filter((minute) => minute % 2 === (isEven ? 0 : 1))
    .map((minute) => minute * MINUTE_MS);
}

async function readRecords(
  { clock }: World,
  url: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BoardRecord>> {
  const database = await openDatabase({ url, clock, log: createLog({ level: "silent", secrets: [] }) });
  const records = await Promise.all(ids.map((id) => database.boards.get(id)));
  await database.close();
  return new Map(records.flatMap((record) => (record ? [[record.id, record]] : [])));
}

function countSentAgain({ discord }: World): number {
  const nonces = discord.requests.flatMap(({ method, body }) =>
    method === "POST" && typeof body === "object" && body !== null && "nonce" in body ? [body.nonce] : [],
  );
  return nonces.length - new Set(nonces).size;
}
