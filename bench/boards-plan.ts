// How the calls of a plan are shared among boards, and how long their data waits for its turn: the real plan and the
// real budget over a turned clock and a service that answers at once.
import { Temporal } from "temporal-polyfill";
import stationList from "uk-railway-stations" with { type: "json" };
import type { TransportClient } from "../src/sources/transport-api/transport-client.ts";
import type { Clock } from "../src/core/clock.ts";
import { createLog } from "../src/core/log.ts";
import { askKey, asksOf, type PlannedBoard } from "../src/boards/planning/board-data.ts";
import type { BoardSettings } from "../src/boards/boards.ts";
import { createBoardData } from "../src/boards/planning/ask-boards.ts";
import { createBudget, reserveOf } from "../src/plan/budget.ts";
import { createAnswers, FRESH_MS } from "../src/sources/answers.ts";
import { createStations } from "../src/rail/stations.ts";
import { openDatabase } from "../src/database.ts";
import { rounded, type BenchRow } from "./row.ts";

const BOARDS = 3_000;
const QUESTIONS = 300;
const EVERY_MINUTES = 5;
const TICK_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 10, 18);
const GOAL_RATIO = 1.1;

interface Run {
  readonly name: string;
  readonly calls: number;
  readonly windowMs: number;
  readonly tickMs: number;
  /** Before this, the first round is under way: nothing is measured. */
  readonly warmUpMs: number;
  readonly lengthMs: number;
}

const RUNS: readonly Run[] = [
  {
    name: "1,000/hour, steady",
    calls: 1_000,
    windowMs: HOUR_MS,
    tickMs: TICK_MS,
    warmUpMs: HOUR_MS,
    lengthMs: 4 * HOUR_MS,
  },
  {
    name: "30/day, first day from nothing",
    calls: 30,
    windowMs: DAY_MS,
    tickMs: MINUTE_MS,
    warmUpMs: 0,
    lengthMs: DAY_MS,
  },
  {
    name: "30/day, steady",
    calls: 30,
    windowMs: DAY_MS,
    tickMs: 5 * MINUTE_MS,
    warmUpMs: 13 * DAY_MS,
    lengthMs: 26 * DAY_MS,
  },
];

/** Two rows for each plan: the most calls in any window, and the mean wait. */
export async function boardsPlanRows(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const run of RUNS) {
    rows.push(...rowsOf(run, await simulate(run)));
  }
  return rows;
}

interface Outcome {
  /** When each call went out. */
  readonly callsAtMs: readonly number[];
  readonly meanWaitMs: number;
}

/**
 * The wait of a question at a moment is the age of what its boards lack: how long ago the first slot was that came
 * after its last answer was asked for; nothing while no slot has come since. Averaged over all questions and all ticks
 * after the warm-up. A question that was never answered waits since its first slot.
 */
async function simulate({ calls, windowMs, tickMs, warmUpMs, lengthMs }: Run): Promise<Outcome> {
  let nowMs = START_MS;
  const clock: Clock = { now: () => nowMs, elapsed: () => nowMs, after: () => () => undefined };
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url: "sqlite::memory:", clock, log });
  const terms = { calls, windowMs };
  const budget = createBudget({ spending: database.spending, terms, clock });
  const callsAtMs: number[] = [];
  const answeredAtMs = new Map<string, number>();
  const board: Pick<TransportClient, "board"> = {
    async board({ crs, kind, via }) {
      await budget.take("board");
      callsAtMs.push(nowMs);
      answeredAtMs.set(askKey({ kind, crs, via }), nowMs);
      const dataAt = Temporal.Instant.fromEpochMilliseconds(nowMs);
      const train = {
        mode: "train" as const,
        status: undefined,
        aimedAt: dataAt.add({ minutes: 5 }),
        expectedAt: undefined,
        platform: undefined,
        operatorCode: undefined,
        operatorName: undefined,
        place: "Leeds",
        trainUid: undefined,
        service: undefined,
      };
      return { crs, stationName: undefined, dataAt, coversUntil: dataAt.add({ hours: 2 }), rows: [train] };
    },
  };
  const answers = createAnswers({ clock, freshMs: FRESH_MS, staleMs: HOUR_MS });
  const stations = createStations();
  const questions = database.boardQuestions;
  const data = createBoardData({ answers, person: board, board, questions, terms, stations, clock, log });

  const boards = makeBoards();
  const asks = [
    ...new Map(boards.flatMap(({ settings }) => asksOf(settings)).map((ask) => [askKey(ask), ask])),
  ];
  let waitMs = 0;
  let samples = 0;
  for (; nowMs < START_MS + lengthMs; nowMs += tickMs) {
    if ((nowMs - START_MS) % (15 * MINUTE_MS) === 0) {
      data.plan(boards);
    }
    const owed = asks.flatMap(([key, ask]) => {
      const sinceMs = firstSlotAfter(answeredAtMs.get(key));
      return sinceMs <= nowMs ? [{ ask, sinceMs }] : [];
    });
    await data.ask(owed);
    if (nowMs - START_MS >= warmUpMs) {
      for (const [key] of asks) {
        waitMs += Math.max(0, nowMs - firstSlotAfter(answeredAtMs.get(key)));
        samples += 1;
      }
    }
  }
  await database.close();
  return { callsAtMs, meanWaitMs: waitMs / samples };
}

function firstSlotAfter(askedAtMs: number | undefined): number {
  const everyMs = EVERY_MINUTES * MINUTE_MS;
  return askedAtMs === undefined ? START_MS : (Math.floor(askedAtMs / everyMs) + 1) * everyMs;
}

/** Ten boards on each question, all day every five minutes. */
function makeBoards(): readonly PlannedBoard[] {
  const codes = stationList.slice(0, QUESTIONS).map(({ crsCode }) => crsCode);
  return Array.from({ length: BOARDS }, (_, index) => {
    const settings: BoardSettings = {
      kind: "departures",
      station: codes[index % QUESTIONS] ?? "YRK",
      callingAt: [],
      callingAtAll: false,
      platforms: [],
      transport: "all",
      walkMinutes: 0,
      rows: 8,
      look: "picture",
      mode: "edit",
      publish: false,
      schedule: { timing: { every: EVERY_MINUTES }, days: [1, 2, 3, 4, 5, 6, 7], zone: "Europe/London" },
    };
    return { id: String(index), settings };
  });
}

function rowsOf({ name, calls, windowMs }: Run, { callsAtMs, meanWaitMs }: Outcome): readonly BenchRow[] {
  const allowed = calls - reserveOf(calls);
  const most = mostInWindow(callsAtMs, windowMs);
  // What perfect turns would cost: each question waits half a round, on average.
  const idealMs = (windowMs * QUESTIONS) / (2 * allowed);
  return [
    {
      name: `boards' calls in any window, ${name}`,
      unit: "calls",
      value: most,
      rival: allowed,
      ratio: rounded(most / allowed),
      goal: `<= ${allowed}`,
      holds: most <= allowed && callsAtMs.length > 0,
    },
    {
      name: `boards' mean wait beyond their slots, ${name}`,
      unit: "windows",
      value: rounded(meanWaitMs / windowMs),
      rival: rounded(idealMs / windowMs),
      ratio: rounded(meanWaitMs / idealMs),
      goal: `<= ${GOAL_RATIO} × S/(2·N) for S = ${QUESTIONS} questions and N = ${allowed} calls`,
      holds: meanWaitMs <= GOAL_RATIO * idealMs,
    },
  ];
}

function mostInWindow(callsAtMs: readonly number[], windowMs: number): number {
  let first = 0;
  let most = 0;
  for (const [index, atMs] of callsAtMs.entries()) {
    while ((callsAtMs[first] ?? 0) <= atMs - windowMs) {
      first += 1;
    }
    most = Math.max(most, index - first + 1);
  }
  return most;
}
