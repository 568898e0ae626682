// Two processes share a PostgreSQL server that stops repeatedly, while boards are due every minute, videos are
// published and trains are late. Checked against what Discord and the video service have seen, and each board's count
// of missed slots. The same seed stops the server at the same times.
import { setTimeout } from "node:timers/promises";
import * as fc from "fast-check";
import type { BotControl } from "../../sandbox/bot/control.ts";
import type { Message } from "../../sandbox/discord/entities.ts";
import { walkComponents } from "../../sandbox/discord/serialise/message.ts";
import type { World } from "../../sandbox/world.ts";
import { createLog } from "../../src/core/log.ts";
import { isOver } from "../../src/videos/publishing/states.ts";
import { slotsBetween } from "./slots-between.ts";
import { findIncidentMark } from "../../src/watches/watch-args.ts";
import { openDatabase, type Database } from "../../src/database.ts";
import type { PublicationRecord } from "../../src/videos/publications-table.ts";
import { openBoardFleet, type BoardFleet } from "./board-fleet.ts";
import { watchBoardPosts } from "./board-posts.ts";
import { createTicks } from "./tick-bots.ts";
import { tickThrough } from "./board-ticks.ts";
import { checkBoard } from "./board-checks.ts";
import {
  addBoards,
  addPublications,
  addWatches,
  BOARDS_PER_GUILD,
  EVERY_MINUTE,
  WATCHED_LATE_MINUTES,
} from "./fleet-load.ts";
import { startPostgres, type PostgresProcess, type PostgresStop } from "./postgres-process.ts";
import { recordPublicationMessages, textOf } from "./video-messages.ts";
import { checkPublication } from "./video-checks.ts";

/** The least number of things that are due while the server keeps stopping. */
export interface ChaosSize {
  readonly slots: number;
  readonly publications: number;
  readonly watches: number;
}

/** The result of a campaign. */
export interface ChaosReport extends ChaosSize {
  /** One line for each broken guarantee. */
  readonly broken: readonly string[];
  readonly missed: number;
  /** Messages that were found in their channel after it was unknown whether they had been sent. */
  readonly foundAgain: number;
  /** Publications with an unknown outcome. */
  readonly unknown: number;
  readonly stops: number;
  /** Log lines about an unavailable database. */
  readonly felt: number;
}

const MINUTE_MS = 60_000;
/** Calm time at the end: claims expire within a minute, data is asked for once a minute, and videos take one. */
const CALM_MS = 3.7 * MINUTE_MS;
/** How much faster than real time the clock runs while the server keeps stopping, and at the end. */
const CHAOS_SPEED = 6;
const CALM_SPEED = 20;
/** An odd number, so that times calculated from it may have fractions. */
const STEP_MS = 333;
const TICK_MS = 5_000;
/** A longer tick means a busy machine, so the clock stops for it. */
const BUSY_TICK_MS = 30_000;
/** In real time: the tick may itself be waiting for the clock. */
const MAX_STANDSTILL_MS = 5_000;
/** In real time: a server that takes longer to return means a busy machine, so the clock stops for it too. */
const MAX_DOWN_MS = 3_000;

interface Stop {
  readonly afterMs: number;
  readonly how: PostgresStop;
  readonly downMs: number;
}

/** In real milliseconds. */
const stops: fc.Arbitrary<Stop> = fc.record({
  afterMs: fc.integer({ min: 5_000, max: 10_000 }),
  how: fc.constantFrom<PostgresStop[]>("fast", "immediate"),
  downMs: fc.integer({ min: 0, max: 2_000 }),
});

/** Runs for as many minutes as this size takes. */
export async function runFleetChaos(seed: number, size: ChaosSize): Promise<ChaosReport> {
  const postgres = await startPostgres();
  try {
    const url = `${postgres.url}/postgres`;
    await using fleet = await openBoardFleet(url, {
      env: { TRANSPORT_DIALECT: "public", TRANSPORT_BUDGET: "10000/hour", VIDEO_UPLOAD: "chunked" },
      video: { windowBytes: () => 15_000, processingMs: 40_000 },
      // discord.js waits for a channel's bucket in real time, but the clock runs faster.
      settings: { buckets: { "*": { limit: 1_000, windowMs: 1_000 } } },
    });
    const { world, bots } = fleet;
    const pids = bots.map(({ pid }) => pid);
    const posts = watchBoardPosts(world);
    const incidents = listenToIncidents(world);
    const fromMs = world.clock.now();
    const chaosMs = Math.ceil(size.slots / (2 * BOARDS_PER_GUILD)) * MINUTE_MS;
    const database = await openStorage(world, url);
    const boardIds = await addBoards(database, fleet);
    const titles = await addPublications(database, fleet, size.publications, chaosMs);
    const messages = recordPublicationMessages(world, (id) => titles.get(id));
    const { watchIds, delayTrains } = await addWatches(database, fleet, size.watches, {
      withinMs: chaosMs,
      afterMs: 2 * CALM_MS,
    });
    await database.close();

    const stopping = stopAgainAndAgain(postgres, fc.sample(stops, { seed, numRuns: 1_000 }));
    const passing = passTime(fleet, stopping.isLong);
    await passing.until(fromMs + chaosMs, CHAOS_SPEED, delayTrains);
    const count = await stopping.end();
    await passing.until(fromMs + chaosMs + CALM_MS, CALM_SPEED, delayTrains);
    await passing.end();

    const toMs = world.clock.now();
    const broken = bots.flatMap((bot, index) => checkProcess(bot, pids[index]));
    for (const bot of bots) {
      await bot.stop();
    }
    const kept = await openStorage(world, url);
    const records = await Promise.all(boardIds.map((id) => kept.boards.get(id)));
    const boards = new Map(records.flatMap((record) => (record ? [[record.id, record]] : [])));
    const publications = new Map<string, PublicationRecord | undefined>();
    for (const id of titles.keys()) {
      publications.set(id, await kept.publications.get(id));
    }
    await kept.close();

    const slots = slotsBetween(EVERY_MINUTE.schedule, fromMs, toMs);
    const postsOf = Map.groupBy(posts.ever, ({ boardId }) => boardId);
    const verdicts = boardIds.map((id) => {
      const ever = postsOf.get(id) ?? [];
      const standing = ever.filter(({ message }) => isStanding(world, message));
      const board = { id, mode: EVERY_MINUTE.mode };
      return checkBoard({ board, record: boards.get(id), slots, ever, standing, ticks: [] });
    });
    for (const [id, record] of publications) {
      const isAtRest = record !== undefined && isOver(record.state);
      const finished = { id, title: titles.get(id) ?? "", asksApproval: false, isAtRest };
      broken.push(...checkPublication({ world, messages, finished, record }));
    }
    const countLines = (words: string): number =>
      bots.flatMap(({ log }) => log).filter((line) => line.includes(words)).length;
    return {
      broken: [
        ...broken,
        ...messages.falseStatements,
        ...verdicts.flatMap((verdict) => verdict.broken),
        ...watchIds.flatMap((id) => checkWatch(id, incidents.get(id))),
      ],
      slots: boardIds.length * slots.filter((slotMs) => slotMs <= fromMs + chaosMs).length,
      missed: verdicts.reduce((sum, verdict) => sum + verdict.missed, 0),
      publications: titles.size,
      unknown: [...publications.values()].filter((record) => record?.state === "outcome-unknown").length,
      watches: watchIds.length,
      foundAgain: countLines("message recovered"),
      stops: count,
      felt: countLines("database connection lost") + countLines('"service":"storage"'),
    };
  } finally {
    await postgres.stop();
  }
}

function openStorage({ clock }: World, url: string): Promise<Database> {
  const log = createLog({ level: "silent", secrets: [] });
  return openDatabase({ url, clock, databaseNow: () => clock.now(), log });
}

/** Makes time pass faster than real time, unless it is held, while both processes tick. */
function passTime({ world, bots }: BoardFleet, isHeld: () => boolean) {
  const { clock } = world;
  const ticks = createTicks(world, bots, TICK_MS);

  return {
    async until(endMs: number, speed: number, step: () => void): Promise<void> {
      while (clock.now() < endMs) {
        await Promise.all([clock.advance(STEP_MS), setTimeout(STEP_MS / speed)]);
        step();
        ticks.beginIfDue();
        const goOnAtMs = performance.now() + MAX_STANDSTILL_MS;
        while (isHeld() || (ticks.longestMs() > BUSY_TICK_MS && performance.now() < goOnAtMs)) {
          await setTimeout(STEP_MS / speed);
        }
      }
    },
    /** Waits until no due work is under way. */
    async end(): Promise<void> {
      for (const bot of bots.filter(({ isRunning }) => isRunning)) {
        await tickThrough(world, { tick: async () => ticks.underWay(bot) });
        await tickThrough(world, bot);
      }
    },
  };
}

function stopAgainAndAgain(postgres: PostgresProcess, wanted: readonly Stop[]) {
  const ended = new AbortController();
  let stoppedAtMs = Infinity;
  async function run(): Promise<number> {
    for (const [index, { afterMs, how, downMs }] of wanted.entries()) {
      await setTimeout(afterMs, undefined, { signal: ended.signal }).catch(() => undefined);
      if (ended.signal.aborted) {
        return index;
      }
      stoppedAtMs = performance.now();
      await postgres.restart(how, downMs);
      stoppedAtMs = Infinity;
    }
    return wanted.length;
  }
  const running = run();
  return {
    isLong: () => performance.now() - stoppedAtMs > MAX_DOWN_MS,
    /** Returns how often the server was stopped; it is running when this settles. */
    end(): Promise<number> {
      ended.abort();
      return running;
    },
  };
}

/** Records all messages ever sent for each watch. */
function listenToIncidents({ discord }: World): ReadonlyMap<string, readonly Message[]> {
  const known = new Map<string, Message[]>();
  discord.changes.listen((change) => {
    if (change.type === "message-created") {
      const { message } = change;
      const ids = [...walkComponents(message.components)].map((component) => String(component["custom_id"]));
      const mark = findIncidentMark(ids);
      if (mark !== undefined) {
        known.set(mark.watchId, [...(known.get(mark.watchId) ?? []), message]);
      }
    }
  });
  return known;
}

function isStanding({ discord }: World, { id, channelId }: Message): boolean {
  return discord.state.channels.get(channelId)?.messages.has(id) === true;
}

function checkWatch(id: string, messages: readonly Message[] = []): readonly string[] {
  const [message] = messages;
  const text = message === undefined ? "" : textOf(message);
  return messages.length === 1 && text.includes(`${WATCHED_LATE_MINUTES} min late`)
    ? []
    : [`watch ${id}: reported in ${messages.length} messages: ${text}`];
}

/** Checks that the original process still runs, and that it logged no errors except about its database. */
function checkProcess(bot: BotControl, pid: number | undefined): readonly string[] {
  const broken =
    bot.isRunning && bot.pid === pid && bot.status.starts === 1 ? [] : [`the process ${pid} ended`];
  return [...broken, ...bot.log.filter(isBadLine)];
}

function isBadLine(line: string): boolean {
  if (!line.startsWith("{")) {
    return true;
  }
  const { level, msg, error } = JSON.parse(line) as {
    readonly level: string;
    readonly msg: string;
    readonly error?: { readonly service?: string; readonly kind?: string };
  }; // as core/log.ts writes it
  const isOfDatabase = error?.service === "storage" && error.kind === "unavailable";
  return msg.includes("nobody handled") || (["error", "fatal"].includes(level) && !isOfDatabase);
}
