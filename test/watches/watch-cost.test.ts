// Watches cost as many calls as boards on the same questions, however many people watch.
import { expect, it, onTestFinished } from "vitest";
import type { TransportRow } from "../../src/sources/transport-data.ts";
import { createLog } from "../../src/core/log.ts";
import { type SourceQuestion, questionKey } from "../../src/boards/planning/board-contents.ts";
import { createBoardData } from "../../src/boards/planning/board-data.ts";
import { createBudget } from "../../src/plan/budget.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { createStations } from "../../src/rail/stations.ts";
import { createWatchRunner } from "../../src/watches/watch-runner.ts";
import { openMemoryDatabase } from "../open.ts";
import { createFakeDiscord } from "../support/fake-messenger.ts";
import { createStillClock } from "../support/still-clock.ts";
import { boardSettings } from "../support/subscriptions.ts";
import { todayMs, watchSettings, watchedTrain } from "../support/watches.ts";

const MINUTE_MS = 60_000;
const log = createLog({ level: "silent", secrets: [] });
const stations = createStations();
const STATIONS = ["YRK", "LDS", "HUL", "DON", "NCL", "KGX", "MAN", "EDB", "BHM", "SHF"];
/** The time during which the trains are watched. */
const HOURS = { from: "07:00", to: "07:30" };

const LEAVE_MS = todayMs("07:30");

/** Fifty trains of the same minute, five at each station. */
const TRAINS = Array.from({ length: 50 }, (_, index) => ({
  station: STATIONS[index % STATIONS.length] ?? "YRK",
  trainUid: `C${String(index).padStart(5, "0")}`,
}));

/** Opens a service where every train is on time, with a counted plan. */
async function open(calls: number, windowMs = 60 * MINUTE_MS) {
  const clock = createStillClock(todayMs("06:58"));
  const database = await openMemoryDatabase({ clock, log });
  onTestFinished(() => database.close());
  const terms = { calls, windowMs };
  const budget = createBudget({ spending: database.spending, terms, clock, log });
  const sent: string[] = [];
  const client = {
    async board({ crs, via, kind }: SourceQuestion) {
      await budget.take("board");
      sent.push(questionKey({ crs, via, kind }));
      const dataAt = Temporal.Instant.fromEpochMilliseconds(clock.now());
      const trains = clock.now() <= LEAVE_MS ? TRAINS.filter(({ station }) => station === crs) : [];
      const rows = trains.map(({ trainUid }) => rowOf(trainUid));
      return {
        source: "transport" as const,
        crs,
        dataAt,
        coversUntil: dataAt.add({ hours: 2 }),
        rows,
      };
    },
  };
  const data = createBoardData({
    answers: createAnswers({ clock, freshMs: MINUTE_MS, staleMs: 60 * MINUTE_MS }),
    person: client,
    board: client,
    questions: database.boardQuestions,
    plans: new Map([["transport" as const, { terms, budget }]]),
    answering: () => "transport" as const,
    stations,
    clock,
    log,
  });
  return { clock, database, data, sent };
}

function rowOf(trainUid: string): TransportRow {
  const aimedAt = Temporal.Instant.fromEpochMilliseconds(LEAVE_MS);
  return {
    mode: "train",
    status: "ON TIME",
    aimedAt,
    expectedAt: aimedAt,
    platform: "4",
    place: "Leeds",
    operatorCode: "NT",
    operatorName: "Northern",
    trainUid,
    startDate: "2026-11-21",
  };
}

/** Runs this many watches for a morning; returns the requests. */
async function runWatches(
  world: Awaited<ReturnType<typeof open>>,
  count: number,
): Promise<readonly string[]> {
  const { clock, database, data, sent } = world;
  for (let index = 0; index < count; index += 1) {
    const what = watchedTrain({ ...TRAINS[index % TRAINS.length], to: undefined });
    await database.watches.add({
      id: `watch${index}`,
      ownerId: String(index % 100),
      createdAtMs: 0,
      stateAtMs: 0,
      askedGuildId: undefined,
      askedChannelId: undefined,
      guildId: undefined,
      channelId: undefined,
      settings: JSON.stringify(watchSettings({ what, leadMinutes: 30 })),
      state: "active",
      pausedBecause: undefined,
    });
  }
  const discord = createFakeDiscord(clock);
  const runner = createWatchRunner({
    watches: database.watches,
    incidents: database.incidents,
    data,
    messenger: { ...discord.messenger(), conversation: async (userId) => userId },
    stations,
    clock,
    log,
  });
  while (clock.now() < todayMs("07:40")) {
    await runner.run();
    clock.advance(20_000);
  }
  // When a train has left, the runner searches for its first message.
  expect(discord.calls.filter((call) => !call.startsWith("ownMessages"))).toEqual([]);
  return sent;
}

/** Runs boards with the same questions, updated every minute; returns the requests. */
async function runBoards({
  clock,
  data,
  sent,
}: Awaited<ReturnType<typeof open>>): Promise<readonly string[]> {
  const defaults = boardSettings({ callingAt: [] });
  const schedule = { ...defaults.schedule, timing: { every: 1 }, hours: HOURS };
  const boards = STATIONS.map((station) => ({ ...defaults, station, schedule }));
  while (clock.now() < todayMs("07:40")) {
    await data.plan(boards);
    const isOpen = clock.now() >= todayMs(HOURS.from) && clock.now() <= LEAVE_MS + 2 * MINUTE_MS;
    const sinceMs = clock.now() - (clock.now() % MINUTE_MS);
    await data.ask(isOpen ? STATIONS.map((crs) => ({ question: { kind: "departures", crs }, sinceMs })) : []);
    clock.advance(20_000);
  }
  return sent;
}

it(
  "300 watches on 50 trains cost no more calls than boards on the same questions",
  { timeout: 60_000 },
  async () => {
    const watches = await runWatches(await open(10_000), 300);
    const boards = await runBoards(await open(10_000));
    expect(new Set(watches)).toEqual(new Set(boards));
    expect(watches.length).toBeLessThanOrEqual(boards.length);
    // About once a minute for each station, as long as its trains are listed.
    expect(watches.length).toBeGreaterThan(STATIONS.length * 20);
  },
);

it("watches share a plan that is too small evenly, and use all of it", { timeout: 60_000 }, async () => {
  const sent = await runWatches(await open(125), 50);
  expect(sent.length).toBeLessThanOrEqual(100);
  const counts = STATIONS.map((crs) => sent.filter((key) => key === `departures:${crs}`).length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(8);
});
