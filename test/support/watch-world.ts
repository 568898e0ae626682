// The environment of the watch runner in tests: a real database, channels in memory, invented boards, and bot processes
// that can end in the middle of anything.
import { onTestFinished } from "vitest";
import { createLog } from "../../src/core/log.ts";
import type { Block, ContentBlock, Reply } from "../../src/core/reply.ts";
import {
  type KnownAnswer,
  type WatchedQuestion,
  questionKey,
} from "../../src/boards/planning/board-contents.ts";
import type { WatchData } from "../../src/boards/planning/board-data.ts";
import type { BoardRow } from "../../src/rail/departures.ts";
import { type Messenger, MessengerError } from "../../src/core/ports.ts";
import { createStations } from "../../src/rail/stations.ts";
import { type WatchRunnerDependencies, createWatchRunner } from "../../src/watches/watch-runner.ts";
import type { WatchSettings } from "../../src/watches/watches.ts";
import type { Database } from "../../src/database.ts";
import { openMemoryDatabase } from "../open.ts";
import type { WatchRecord } from "../../src/watches/watches-table.ts";
import type { NetworkEntry, SourceName } from "../../src/sources/transport-data.ts";
import type { KnownNetwork } from "../../src/watches/network-status.ts";
import { beginLife } from "./life.ts";
import { type FakeDiscord, createFakeDiscord } from "./fake-messenger.ts";
import { createStillClock } from "./still-clock.ts";
import { todayMs, watchSettings } from "./watches.ts";
import { CREDITS } from "../../src/sources/source-words.ts";

const stations = createStations();
const log = createLog({ level: "silent", secrets: [] });
const MINUTE_MS = 60_000;

/** One process of the bot. */
export interface WatchLife {
  /** Runs a tick; settles when its work is done or the process has ended. */
  tick(progress?: () => void): Promise<void>;
  readonly isOver: boolean;
}

/** The differences from an active watch of the 07:30 from York to Leeds, in direct messages to person "7". */
export type AddedWatch = Partial<WatchRecord> & { readonly changed?: Partial<WatchSettings> };

/** Opens a world at 06:20 on Saturday 21 November 2026. */
export async function openWatchWorld({ nonceMs }: { readonly nonceMs?: number | undefined } = {}) {
  const clock = createStillClock(todayMs("06:20"));
  const database = await openMemoryDatabase({ clock, log });
  const discord = createFakeDiscord(clock, nonceMs);
  const data = createFakeRows(() => clock.now());
  const lines = createFakeNetwork(() => clock.now(), "tfl");
  const railway = createFakeNetwork(() => clock.now(), "rail-data");

  return {
    clock,
    database,
    discord,
    data,
    lines,
    railway,
    async add(id: string, { changed, ...record }: AddedWatch = {}): Promise<void> {
      await database.watches.add({
        id,
        ownerId: "7",
        createdAtMs: clock.now(),
        askedGuildId: "1",
        askedChannelId: "11",
        guildId: undefined,
        channelId: undefined,
        state: "active",
        pausedBecause: undefined,
        stateAtMs: clock.now(),
        settings: JSON.stringify(watchSettings(changed)),
        ...record,
      });
    },
    /** Advances the clock to a UK time of that day. */
    turnTo: (time: string) => clock.advance(todayMs(time) - clock.now()),
    begin: () =>
      startLife({
        clock,
        database,
        discord,
        data: data.data,
        lines: lines.isOff ? undefined : lines.status,
        railway: railway.isOff ? undefined : railway.status,
      }),
    close: () => database.close(),
  };
}

/** Like `openWatchWorld`, but closed after the test. */
export async function watchWorld(): Promise<WatchWorld> {
  const world = await openWatchWorld();
  onTestFinished(() => world.close());
  return world;
}

export type WatchWorld = Awaited<ReturnType<typeof openWatchWorld>>;

/** All texts of a message, with its buttons in brackets and without the age of its data. */
export function wordsOf({ blocks }: Reply): string {
  return blocks
    .flatMap((block: Block): readonly (Block | ContentBlock)[] =>
      block.type === "container" ? block.blocks : [block],
    )
    .map((block) =>
      block.type === "buttons"
        ? block.buttons.map(({ label }) => `[${label}]`).join(" ")
        : block.type === "text"
          ? block.text
          : block.type,
    )
    .filter((text) => !/^-# (?:As of|Last changed|Rail Delivery)/.test(text))
    .join("\n");
}

/** Fake boards with the test's rows, the same for every question. */
function createFakeRows(now: () => number) {
  const known = new Map<string, KnownAnswer>();
  const failing = new Map<string, number>();
  const fake = {
    rows: new Array<BoardRow>(),
    /** Whether the service answers. */
    mayAsk: true,
    /** Whether the turn of the questions has come in the plan. */
    isInTurn: true,
    asked: new Array<string>(),
    watched: new Array<readonly WatchedQuestion[]>(),
    /** Forgets all answers, as after a restart. */
    forget(): void {
      known.clear();
      failing.clear();
    },
  };
  const data: WatchData = {
    watch: async (asks) => void fake.watched.push(asks),
    async ask(wanted) {
      const keys = fake.isInTurn ? wanted.map(({ question }) => questionKey(question)) : [];
      const nowMs = now();
      for (const key of keys) {
        failing.set(key, failing.get(key) ?? nowMs);
      }
      for (const key of fake.mayAsk ? keys : []) {
        failing.delete(key);
        fake.asked.push(key);
        known.set(key, {
          rows: fake.rows,
          credit: CREDITS.transport,
          dataMs: nowMs,
          askedAtMs: nowMs,
          coversUntilMs: nowMs + 120 * MINUTE_MS,
        });
      }
      return new Set(fake.mayAsk ? keys : []);
    },
    known: (question) => known.get(questionKey(question)),
    failingSinceMs: (question) => failing.get(questionKey(question)),
  };
  return Object.assign(fake, { data });
}

/**
 * The fake state of a network. Nothing is known before the first tick that asks. While `isAway` is set, asking fails
 * and older data stays.
 */
function createFakeNetwork(now: () => number, source: SourceName) {
  let known: KnownNetwork | undefined;
  const fake = {
    entries: new Array<NetworkEntry>(),
    isAway: false,
    /** Whether the bot has no such source; applies to the next process. */
    isOff: false,
    asked: 0,
    forget: () => void (known = undefined),
  };
  const status: NonNullable<WatchRunnerDependencies["lines"]> = {
    async ask() {
      fake.asked += 1;
      known = fake.isAway
        ? known && { ...known, isOld: true }
        : { entries: fake.entries, credit: CREDITS[source], dataMs: now(), isOld: false };
    },
    known: () => known,
  };
  return Object.assign(fake, { status });
}

interface LifeDependencies {
  readonly clock: ReturnType<typeof createStillClock>;
  readonly database: Database;
  readonly discord: FakeDiscord;
  readonly data: WatchData;
  readonly lines: WatchRunnerDependencies["lines"];
  readonly railway: WatchRunnerDependencies["railway"];
}

function startLife({ clock, database, discord, data, lines, railway }: LifeDependencies): WatchLife {
  const life = beginLife();
  const guard = <T extends object>(thing: T): T => life.guard(thing);
  const runner = createWatchRunner({
    watches: guard(database.watches),
    incidents: guard(database.incidents),
    data: guard(data),
    lines,
    railway,
    messenger: guard(
      withConversations(
        discord.messenger(() => life.end()),
        discord,
      ),
    ),
    stations,
    clock,
    log,
  });
  return {
    tick: (progress) => Promise.race([runner.run(progress), life.ended]),
    get isOver() {
      return life.isOver;
    },
  };
}

/** Gives each person a conversation with their own id, even if they accept no direct messages. */
function withConversations(
  messenger: Messenger,
  { closed }: FakeDiscord,
): WatchRunnerDependencies["messenger"] {
  return {
    ...messenger,
    conversation: async (userId) => userId,
    async post(channelId, reply, options) {
      if (closed.has(channelId)) {
        throw new MessengerError("dm-closed", "closed");
      }
      return messenger.post(channelId, reply, options);
    },
  };
}
