// The environment of a board runner in tests: a real database, channels in memory, invented data, and bot processes
// that can end in the middle of anything.
import { onTestFinished } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { type Reply, buttonTo, plainReply } from "../../src/core/reply.ts";
import { type WantedQuestion, questionKey } from "../../src/boards/planning/board-contents.ts";
import type { BoardData } from "../../src/boards/planning/board-data.ts";
import type { BoardSettings } from "../../src/boards/boards.ts";
import { createBoardRunner } from "../../src/boards/sending/board-runner.ts";
import { type PresentBoard, boardSlotArgs, findBoardSlot } from "../../src/boards/board-post-view.ts";
import { nextSlot } from "../../src/time/slots.ts";
import { createStations } from "../../src/rail/stations.ts";
import type { BoardRecord } from "../../src/boards/boards-table.ts";
import type { Database } from "../../src/database.ts";
import { openMemoryDatabase } from "../open.ts";
import { board, boardRow, ukTime } from "./boards.ts";
import { beginLife } from "./life.ts";
import { type FakeMessage, componentIdsOf, createFakeDiscord } from "./fake-messenger.ts";
import { createStillClock } from "./still-clock.ts";
import { boardSettings, subscription } from "./subscriptions.ts";

const stations = createStations();
const log = createLog({ level: "silent", secrets: [] });

export const MINUTE_MS = 60_000;

/** The start of each test: Saturday 21 November 2026, 17:20 in the UK. */
export const START_MS = ukTime("2026-11-21 17:20").epochMilliseconds;

/** A board of York every five minutes, all day, that edits one message. */
export const SETTINGS: BoardSettings = boardSettings({
  callingAt: [],
  look: "text",
  schedule: { timing: { every: 5 }, days: [1, 2, 3, 4, 5, 6, 7], zone: "Europe/London" },
});

/** One process of the bot. */
export interface BoardLife {
  /** Runs a tick; settles when its work is done or the process has ended. */
  tick(progress?: () => void): Promise<void>;
  /** Ends the process at once: nothing that it is doing is ever finished. */
  end(): void;
  readonly isOver: boolean;
}

/** Opens a world at {@link START_MS}. All its state is in memory. */
export async function openBoardWorld({ nonceMs }: { readonly nonceMs?: number } = {}) {
  const clock = createStillClock(START_MS);
  const database = await openMemoryDatabase({ clock, log });
  const discord = createFakeDiscord(clock, nonceMs);
  const data = createFakeData(() => clock.now());

  async function add(id: string, { changed, ...record }: AddedBoard = {}): Promise<void> {
    const settings = { ...SETTINGS, ...changed };
    const seen = subscription({
      id,
      guildId: "g1",
      channelId: `c-${id}`,
      createdBy: "u1",
      createdAtMs: START_MS,
      stateAtMs: START_MS,
      nextSlotMs: nextSlot(settings.schedule, START_MS),
    });
    await database.boards.add({ ...seen, settings: JSON.stringify(settings), ...record });
  }

  async function read(id: string): Promise<BoardRecord> {
    const record = await database.boards.get(id);
    if (record === undefined) {
      throw new Error(`there is no board ${id}`);
    }
    return record;
  }

  return {
    clock,
    database,
    discord,
    data,
    add,
    read,
    begin: () => startLife({ clock, database, discord, data: data.data }),
    /** All messages ever sent for a board. */
    sent: (id: string) => discord.messages.filter((each) => findMark(each)?.boardId === id),
    close: () => database.close(),
  };
}

/** Like `openBoardWorld`, but closed after the test. */
export async function boardWorld(): Promise<BoardWorld> {
  const world = await openBoardWorld();
  onTestFinished(() => world.close());
  return world;
}

export type BoardWorld = Awaited<ReturnType<typeof openBoardWorld>>;

/** The differences from an active board of York without a message. */
export type AddedBoard = Partial<BoardRecord> & { readonly changed?: Partial<BoardSettings> };

/** The board and slot that a message's **Refresh** button carries. */
export function findMark({ reply }: Pick<FakeMessage, "reply">) {
  return findBoardSlot(componentIdsOf(reply));
}

/** The first text of a message. */
export function wordsOf(reply: Reply): string {
  const [first] = reply.blocks;
  return first?.type === "text" ? first.text : "";
}

/** Fake board data, which is new whenever `version` changes. */
function createFakeData(now: () => number) {
  const fake = {
    /** The version that boards show. */
    version: 0,
    /** Whether there is any data. */
    isThere: true,
    /** The age of the data. */
    ageMs: 0,
    /** Whether a question gets its turn. */
    mayAsk: (_key: string): boolean => true,
    /** The reason for old data. */
    staleReason: "spent" as ReturnType<BoardData["staleReason"]>,
    asked: new Array<readonly WantedQuestion[]>(),
    planned: new Array<readonly BoardSettings[]>(),
  };
  const data: BoardData = {
    plan: async (boards) => void fake.planned.push(boards),
    async ask(wanted) {
      fake.asked.push(wanted);
      return new Set(wanted.map(({ question }) => questionKey(question)).filter(fake.mayAsk));
    },
    content: (settings) => ({
      settings,
      board: fake.isThere
        ? board([boardRow({ platform: String(fake.version) })], {
            dataAt: ukTime("2026-11-21 17:20").add({ milliseconds: now() - START_MS - fake.ageMs }),
          })
        : undefined,
      nextDataMs: undefined,
    }),
    contentForPerson: async (settings) => data.content(settings),
    staleReason: () => fake.staleReason,
  };
  return Object.assign(fake, { data });
}

const present: PresentBoard = ({ board: shown, closed }, { id, slotMs = 0 }) => {
  const hash = closed === undefined ? (shown?.rows[0]?.platform ?? "no data") : `closed:${closed}`;
  const target = {
    command: "board/show",
    action: "refresh",
    args: boardSlotArgs.encode({ boardId: id, slotMs }),
  };
  return { hash, reply: async () => plainReply([hash, [buttonTo("Refresh", target)]]) };
};

interface LifeDependencies {
  readonly clock: ReturnType<typeof createStillClock>;
  readonly database: Database;
  readonly discord: ReturnType<typeof createFakeDiscord>;
  readonly data: BoardData;
}

function startLife({ clock, database, discord, data }: LifeDependencies): BoardLife {
  const life = beginLife();
  const guard = <T extends object>(thing: T): T => life.guard(thing);
  const runner = createBoardRunner({
    table: guard(database.boards),
    publishings: guard(database.publishings),
    data: guard(data),
    messenger: guard(discord.messenger(() => life.end())),
    present,
    connection: { channelName: (id) => (discord.gone.has(id) ? undefined : `name-of-${id}`) },
    stations,
    clock,
    log,
  });
  return {
    tick: (progress) => Promise.race([runner.run(progress), life.ended]),
    end: () => life.end(),
    get isOver() {
      return life.isOver;
    },
  };
}
