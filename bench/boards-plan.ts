// Measures how a plan's calls are shared among boards, and how long their data waits for its turn: the real plan and
// the real budget, with a simulated clock and a service that answers at once.
import stationList from "uk-railway-stations" with { type: "json" };
import type { TransportClient } from "../src/sources/transport-api/transport-client.ts";
import type { Clock } from "../src/core/clock.ts";
import { createLog } from "../src/core/log.ts";
import { questionKey, questionsOf, type SourceQuestion } from "../src/boards/planning/board-contents.ts";
import type { BoardSettings } from "../src/boards/boards.ts";
import { createBoardData } from "../src/boards/planning/board-data.ts";
import { WINDOW_MARGIN_MS, createBudget, reservedForPeople } from "../src/plan/budget.ts";
import { createAnswers, FRESH_MS } from "../src/sources/answers.ts";
import { liveQuestion } from "../src/rail/departures.ts";
import { createStations } from "../src/rail/stations.ts";
import type { Schedule } from "../src/time/schedule.ts";
import { lastSlot, nextSlot } from "../src/time/slots.ts";
import { openDatabase } from "../src/database.ts";
import { boardSettings } from "../test/support/subscriptions.ts";
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
  /** Nothing is measured before this, while the first round is under way. */
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
    name: "the railway's 5,000,000/28d, steady",
    calls: 5_000_000,
    windowMs: 28 * DAY_MS,
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

/**
 * Returns two rows for each plan: the most calls in any window, and the mean wait; and one for a small server with
 * different schedules.
 */
export async function boardsPlanRows(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const run of RUNS) {
    rows.push(...rowsOf(run, await simulate(run)));
  }
  rows.push(await smallServerRow());
  return rows;
}

interface Outcome {
  /** The time of each call. */
  readonly callsAtMs: readonly number[];
  readonly meanWaitMs: number;
}

/** Opens the real plan and the real budget with a simulated clock and a service that answers at once. */
async function openPlan({ calls, windowMs }: Pick<Run, "calls" | "windowMs">) {
  const time = { nowMs: START_MS };
  const clock: Clock = { now: () => time.nowMs, elapsed: () => time.nowMs, after: () => () => undefined };
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url: "sqlite::memory:", clock, log });
  const terms = { calls, windowMs };
  const budget = createBudget({ spending: database.spending, terms, clock, log });
  const callsAtMs: number[] = [];
  const answeredAtMs = new Map<string, number>();
  const board: Pick<TransportClient, "board"> = {
    async board({ crs, kind, via }) {
      await budget.take("board");
      callsAtMs.push(time.nowMs);
      answeredAtMs.set(questionKey({ kind, crs, via }), time.nowMs);
      const dataAt = Temporal.Instant.fromEpochMilliseconds(time.nowMs);
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
      };
      return {
        source: "transport" as const,
        crs,
        dataAt,
        coversUntil: dataAt.add({ hours: 2 }),
        rows: [train],
      };
    },
  };
  const answers = createAnswers({ clock, freshMs: FRESH_MS, staleMs: HOUR_MS });
  const stations = createStations();
  const questions = database.boardQuestions;
  const data = createBoardData({
    answers,
    person: board,
    board,
    questions,
    plans: new Map([["transport" as const, { terms, budget }]]),
    answering: () => "transport" as const,
    stations,
    clock,
    log,
  });
  return { time, data, board, callsAtMs, answeredAtMs, close: () => database.close() };
}

/**
 * The wait of a question is the age of the data that its boards lack: the time since the first slot after its last
 * answer was requested, or 0 if no slot has come since. It is averaged over all questions and all ticks after the
 * warm-up. A question that was never answered waits since its first slot.
 */
async function simulate(run: Run): Promise<Outcome> {
  const { tickMs, warmUpMs, lengthMs } = run;
  const { time, data, callsAtMs, answeredAtMs, close } = await openPlan(run);
  const boards = makeBoards();
  const questions = [
    ...new Map(
      boards
        .flatMap((settings) => questionsOf(settings))
        .map((question) => [questionKey(question), question]),
    ),
  ];
  let waitMs = 0;
  let samples = 0;
  for (; time.nowMs < START_MS + lengthMs; time.nowMs += tickMs) {
    const { nowMs } = time;
    if ((nowMs - START_MS) % (15 * MINUTE_MS) === 0) {
      await data.plan(boards);
    }
    const pending = questions.flatMap(([key, question]) => {
      const sinceMs = firstSlotAfter(answeredAtMs.get(key));
      return sinceMs <= nowMs ? [{ question, sinceMs }] : [];
    });
    await data.ask(pending);
    if (nowMs - START_MS >= warmUpMs) {
      for (const [key] of questions) {
        waitMs += Math.max(0, nowMs - firstSlotAfter(answeredAtMs.get(key)));
        samples += 1;
      }
    }
  }
  await close();
  return { callsAtMs, meanWaitMs: waitMs / samples };
}

/** The boards of a small server, on the service's free plan. */
const SMALL_SERVER: readonly Pick<Schedule, "timing" | "hours">[] = [
  { timing: { every: 5 } },
  { timing: { every: 30 } },
  { timing: { every: 5 }, hours: { from: "07:00", to: "09:30" } },
  { timing: { at: ["07:30", "17:15"] } },
];
const SMALL_PLAN = { calls: 30, windowMs: DAY_MS };

type Policy = "shares" | "oldest first";

/**
 * How far each board's data is behind its slots, on average, during its hours. The rival asks the question that is
 * oldest relative to its interval, limited by a token bucket that fills at the plan's rate.
 */
async function waitsOf(policy: Policy): Promise<readonly number[]> {
  const { time, data, board, answeredAtMs, close } = await openPlan(SMALL_PLAN);
  const boards = SMALL_SERVER.map((schedule, index) => makeBoard(index, schedule));
  const waits = boards.map(() => ({ sumMs: 0, count: 0 }));
  let tokens = 0;

  async function askOldest(
    pending: readonly { readonly question: SourceQuestion; readonly ageInIntervals: number }[],
  ) {
    const calls = SMALL_PLAN.calls - reservedForPeople(SMALL_PLAN.calls);
    tokens = Math.min(1, tokens + (calls * MINUTE_MS) / (DAY_MS + WINDOW_MARGIN_MS));
    const [oldest] = pending.toSorted((a, b) => b.ageInIntervals - a.ageInIntervals);
    if (oldest && tokens >= 1) {
      await board.board(liveQuestion(oldest.question));
      tokens -= 1;
    }
  }

  for (; time.nowMs < START_MS + 6 * DAY_MS; time.nowMs += MINUTE_MS) {
    const { nowMs } = time;
    await data.plan(boards);
    const behind = boards.map(({ kind, station, schedule }) => {
      const question = { kind, crs: station };
      const answeredMs = answeredAtMs.get(questionKey(question)) ?? START_MS;
      const sinceMs = nextSlot(schedule, answeredMs) ?? Infinity;
      const intervalMs = "every" in schedule.timing ? schedule.timing.every * MINUTE_MS : DAY_MS / 2;
      return { question, sinceMs, ageInIntervals: (nowMs - answeredMs) / intervalMs };
    });
    const pending = behind.filter(({ sinceMs }) => sinceMs <= nowMs);
    await (policy === "shares" ? data.ask(pending) : askOldest(pending));
    for (const [index, settings] of boards.entries()) {
      const key = questionKey({ kind: settings.kind, crs: settings.station });
      const slotMs = lastSlot(settings.schedule, nowMs) ?? 0;
      const wait = waits[index];
      if (wait && nowMs - START_MS >= 2 * DAY_MS && nowMs - slotMs < 5 * MINUTE_MS) {
        const answeredMs = answeredAtMs.get(key) ?? START_MS;
        wait.sumMs += Math.max(0, nowMs - (nextSlot(settings.schedule, answeredMs) ?? nowMs));
        wait.count += 1;
      }
    }
  }
  await close();
  return waits.map(({ sumMs, count }) => sumMs / count);
}

/** Checks whether the shares are still worth their code, by the wait of a small server's worst board. */
async function smallServerRow(): Promise<BenchRow> {
  const value = Math.max(...(await waitsOf("shares"))) / HOUR_MS;
  const rival = Math.max(...(await waitsOf("oldest first"))) / HOUR_MS;
  return {
    name: "the longest of boards' mean waits, a small server on 30/day",
    unit: "hours",
    value: rounded(value),
    rival: rounded(rival),
    ratio: rounded(value / rival),
    goal: "<= 0.5 × asking what is oldest for its interval",
    holds: value <= 0.5 * rival,
  };
}

function firstSlotAfter(askedAtMs: number | undefined): number {
  const everyMs = EVERY_MINUTES * MINUTE_MS;
  return askedAtMs === undefined ? START_MS : (Math.floor(askedAtMs / everyMs) + 1) * everyMs;
}

/** Ten boards for each question, all day every five minutes. */
function makeBoards(): readonly BoardSettings[] {
  return Array.from({ length: BOARDS }, (_, index) => makeBoard(index, { timing: { every: EVERY_MINUTES } }));
}

function makeBoard(index: number, schedule: Pick<Schedule, "timing" | "hours">): BoardSettings {
  return boardSettings({
    station: stationList[index % QUESTIONS]?.crsCode ?? "YRK",
    callingAt: [],
    schedule: { ...schedule, days: [1, 2, 3, 4, 5, 6, 7], zone: "Europe/London" },
  });
}

function rowsOf({ name, calls, windowMs }: Run, { callsAtMs, meanWaitMs }: Outcome): readonly BenchRow[] {
  const allowed = calls - reservedForPeople(calls);
  const most = mostInWindow(callsAtMs, windowMs);
  // The ideal: with perfect turns, each question waits half a round on average.
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
