// A world with 3,000 boards in as many channels, with 300 questions, all due in the same minute.
import { NEVER_SENT } from "../src/boards/boards-table.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import stationList from "uk-railway-stations" with { type: "json" };
import { openWorld, type World } from "../sandbox/world.ts";
import { createLog } from "../src/core/log.ts";
import type { BoardSettings } from "../src/boards/boards.ts";
import { createShortId } from "../src/core/component-id.ts";
import { nextSlot } from "../src/time/slots.ts";
import { openDatabase, type Database } from "../src/database.ts";
import { boardSettings } from "../test/support/subscriptions.ts";

export const BOARDS = 3_000;
const QUESTIONS = 300;
const BOARDS_PER_GUILD = 50;
/** The plan is large enough for every question, because data is not measured here. */
const PLAN_CALLS = 100_000;
/** The two times at which the boards are due, far enough apart for the age of the data to look different. */
const SLOTS = ["17:25", "17:45"] as const;
const IN_BOTH_SLOTS = {
  callingAt: [],
  mode: "post",
  schedule: { timing: { at: [...SLOTS] }, days: [1, 2, 3, 4, 5, 6, 7], zone: "Europe/London" },
} as const;

/** One of the two slots. */
export type Round = 0 | 1;

/** The world, with the real bot in its own process. */
export interface BoardTown extends AsyncDisposable {
  readonly world: World;
  /** The time at which a round's boards are due, on the world's clock. */
  slotMs(round: Round): number;
  /** Changes the mode of all boards; they keep their current messages. */
  setMode(mode: BoardSettings["mode"]): Promise<void>;
}

/** Opens the world, with the bot ready and no board due for some minutes. */
export async function openBoardTown(): Promise<BoardTown> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const url = `sqlite:${join(folder, "bench.db")}`;
  const world = await openWorld({
    bot: "process",
    clock: "running",
    env: { DATABASE_URL: url, LOG_LEVEL: "warn", TRANSPORT_BUDGET: `${PLAN_CALLS}/hour` },
  });
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url, clock: world.clock, log, exclusive: false });
  world.transport.plan.set({ limit: PLAN_CALLS });
  await world.bot.stop();
  await addBoards(world, database);
  await world.bot.start();

  return {
    world,
    slotMs: (round) => Date.parse(`2026-11-18T${SLOTS[round]}:00Z`),
    async setMode(mode) {
      for (const { id, settings } of await database.boards.active()) {
        await database.boards.change(id, { settings: JSON.stringify({ ...JSON.parse(settings), mode }) });
      }
    },
    async [Symbol.asyncDispose]() {
      await world.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function addBoards(world: World, { boards }: Database): Promise<void> {
  const { discord, clock } = world;
  const { id: userId } = world.member("Ada");
  const codes = stationList.slice(0, QUESTIONS).map(({ crsCode }) => crsCode);
  const nowMs = clock.now();
  let guild = discord.community.guild;
  for (let index = 0; index < BOARDS; index += 1) {
    if (index % BOARDS_PER_GUILD === 0) {
      guild = discord.addGuild({ name: `Town ${index / BOARDS_PER_GUILD}`, memberIds: [userId] });
    }
    const { id: channelId } = discord.addChannel(guild, `board-${index}`);
    const settings = boardSettings({ ...IN_BOTH_SLOTS, station: codes[index % QUESTIONS] ?? "YRK" });
    await boards.add({
      id: createShortId(),
      guildId: guild.id,
      channelId,
      createdBy: userId,
      createdAtMs: nowMs,
      settings: JSON.stringify(settings),
      state: "active",
      pausedBecause: undefined,
      stateAtMs: nowMs,
      changes: undefined,
      nextSlotMs: nextSlot(settings.schedule, nowMs),
      ...NEVER_SENT,
    });
  }
}
