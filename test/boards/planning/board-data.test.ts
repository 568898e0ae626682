import { describe, expect, it, onTestFinished } from "vitest";
import type { SourceName, TransportRow } from "../../../src/sources/transport-data.ts";
import { ServiceError, type ServiceErrorKind } from "../../../src/core/errors.ts";
import { createLog } from "../../../src/core/log.ts";
import type { SourceQuestion } from "../../../src/boards/planning/board-contents.ts";
import type { BoardSettings } from "../../../src/boards/boards.ts";
import { createBoardData } from "../../../src/boards/planning/board-data.ts";
import type { Timing } from "../../../src/time/schedule.ts";
import { type Plan, WINDOW_MARGIN_MS, createBudget } from "../../../src/plan/budget.ts";
import type { Purpose } from "../../../src/plan/spending-table.ts";
import { FRESH_MS, createAnswers } from "../../../src/sources/answers.ts";
import { type Source, createRouter } from "../../../src/sources/router.ts";
import { createDepartures } from "../../../src/rail/departures.ts";
import { createStations } from "../../../src/rail/stations.ts";
import { openMemoryDatabase } from "../../open.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { boardSettings } from "../../support/subscriptions.ts";
import { train } from "../../sources/transport-api/fake-transport.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const log = createLog({ level: "silent", secrets: [] });
const stations = createStations();

/** The settings of a board that comes every five minutes by default. */
function settings(
  station: string,
  { timing = { every: 5 }, ...changed }: Partial<BoardSettings> & { readonly timing?: Timing } = {},
): BoardSettings {
  const { schedule, ...defaults } = boardSettings({ callingAt: [] });
  return { ...defaults, station, schedule: { ...schedule, timing }, ...changed };
}

const question = (crs: string, via?: string): SourceQuestion => ({ kind: "departures", crs, via });
const firstCodes = (count: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, index) => `A${String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26))}`,
  );
const codes = firstCodes(40);

/** Opens a service that records who asks it, a real budget, and a database that survives a restart. */
async function open(calls = 1_000, windowMs = HOUR_MS) {
  const clock = createStillClock();
  const database = await openMemoryDatabase({ clock, log });
  onTestFinished(() => database.close());
  const terms = { calls, windowMs };
  const budget = createBudget({ spending: database.spending, terms, clock, log });
  const sent: {
    readonly purpose: Purpose;
    readonly key: string;
    readonly atMs: number;
    readonly windowMinutes: number;
  }[] = [];
  const service = {
    fails: undefined as ServiceErrorKind | undefined,
    rows: [] as TransportRow[],
    /** All departures there are. If undefined, there is always one ahead. */
    timetable: undefined as TransportRow[] | undefined,
    isShortSighted: false,
  };
  const client = (purpose: Purpose) => ({
    canAnswer: () => true,
    async board({ crs, via, kind, windowMinutes }: SourceQuestion & { readonly windowMinutes: number }) {
      await budget.take(purpose);
      const key = [crs, ...(via === undefined ? [] : [via])].join(":");
      sent.push({ purpose, key, atMs: clock.now(), windowMinutes });
      if (service.isShortSighted && windowMinutes > 120) {
        throw new ServiceError("transport", "not-found", "no timetable");
      }
      if (service.fails) {
        throw new ServiceError("transport", service.fails, `no ${kind}`);
      }
      const dataAt = Temporal.Instant.fromEpochMilliseconds(clock.now());
      const coming = { ...train("17:30", undefined), aimedAt: dataAt.add({ minutes: 90 }) };
      const coversUntil = dataAt.add({ minutes: windowMinutes });
      const rows = service.timetable?.filter(
        ({ aimedAt }) => Temporal.Instant.compare(aimedAt, coversUntil) < 0,
      ) ?? [...service.rows, coming];
      return { source: "transport" as const, crs, dataAt, coversUntil, rows };
    },
  });
  /** Starts with nothing in memory. `first` is a source that is asked before the transport service. */
  const start = (first?: { readonly source: Source; readonly plan: Plan }) => {
    const answers = createAnswers({ clock, freshMs: FRESH_MS, staleMs: HOUR_MS });
    const clients = { person: client("person"), board: client("board") };
    const transport = { name: "transport" as const, clients };
    const sources = first ? [first.source, transport] : [transport];
    const router = createRouter({ sources, clock, log });
    return {
      answers,
      departures: createDepartures({ transport: client("person"), answers, clock }),
      data: createBoardData({
        answers,
        person: router.clientFor("person"),
        board: router.clientFor("board"),
        questions: database.boardQuestions,
        plans: new Map<SourceName, Plan>([
          ["transport", { terms, budget }],
          ...(first ? [["rail-data", first.plan] as const] : []),
        ]),
        answering: router.answering,
        stations,
        clock,
        log,
      }),
    };
  };
  /** Asks unanswered questions every ten seconds, as the runner does; returns the keys of the requests. */
  async function tick(
    data: ReturnType<typeof start>["data"],
    questions: readonly SourceQuestion[],
    durationMs: number,
  ) {
    const sinceMs = clock.now();
    const before = sent.length;
    for (const endMs = sinceMs + durationMs; clock.now() < endMs; clock.advance(10_000)) {
      await data.ask(questions.map((one) => ({ question: one, sinceMs })));
    }
    return sent.slice(before).map(({ key }) => key);
  }
  return { clock, database, budget, sent, service, start, tick, ...start() };
}

describe("the data of boards", () => {
  it("is requested once for all boards that show it, at the boards' expense", async () => {
    const { data, sent, clock } = await open();
    await data.plan([settings("YRK"), settings("YRK", { rows: 3, platforms: ["4"] }), settings("LDS")]);
    const wanted = [question("YRK"), question("LDS"), question("YRK")].map((one) => ({
      question: one,
      sinceMs: clock.now(),
    }));
    expect(await data.ask(wanted)).toEqual(new Set(["departures:YRK", "departures:LDS"]));
    expect(sent.map(({ purpose, key }) => [purpose, key])).toEqual([
      ["board", "YRK"],
      ["board", "LDS"],
    ]);
    expect(data.content(settings("YRK", { rows: 1 })).board?.rows).toHaveLength(1);
  });

  it("is shared by boards and people, whoever asked for it", async () => {
    const { data, departures, sent, clock } = await open();
    const live = { kind: "departures" as const, rows: 5 };
    await departures.board({ ...live, station: stations.resolve("YRK") });
    expect(await data.ask([{ question: question("YRK"), sinceMs: clock.now() }])).toEqual(
      new Set(["departures:YRK"]),
    );
    await data.ask([{ question: question("LDS"), sinceMs: clock.now() }]);
    await departures.board({ ...live, station: stations.resolve("LDS") });
    expect(sent.map(({ purpose, key }) => [purpose, key])).toEqual([
      ["person", "YRK"],
      ["board", "LDS"],
    ]);
  });

  it("is not requested again within a minute, or for boards that already have it", async () => {
    const { data, tick, sent } = await open();
    await data.plan([settings("YRK")]);
    expect(await tick(data, [question("YRK")], 5 * MINUTE_MS)).toEqual(["YRK"]);
    await tick(data, [question("YRK")], 10_000);
    expect(await tick(data, [question("YRK")], 2 * MINUTE_MS)).toEqual(["YRK"]);
    const times = sent.map(({ atMs }) => atMs);
    expect(times.slice(1).every((atMs, index) => atMs - (times[index] ?? 0) >= MINUTE_MS)).toBe(true);
  });

  it("is new every minute, even if ticks are slightly less than a minute apart", async () => {
    const { data, sent, clock } = await open();
    await data.plan([settings("YRK", { timing: { every: 1 } })]);
    const startMs = clock.now();
    for (let minute = 0; minute < 10; minute += 1) {
      const slotMs = startMs + minute * MINUTE_MS;
      // The tick is 50, 20, 40, 10, 30, 0, 50 … ms late.
      clock.advance(slotMs + ((5 + minute * 3) % 6) * 10 - clock.now());
      await data.ask([{ question: question("YRK"), sinceMs: slotMs }]);
      await data.ask([{ question: question("YRK"), sinceMs: slotMs }]);
    }
    expect(sent).toHaveLength(10);
  });

  it("is undefined until all of a board's questions are answered", async () => {
    const { data, clock } = await open();
    const board = settings("YRK", { callingAt: ["LDS", "HUL"] });
    await data.plan([board]);
    await data.ask([{ question: question("YRK", "LDS"), sinceMs: clock.now() }]);
    expect(data.content(board).board).toBeUndefined();
    await data.ask([{ question: question("YRK", "HUL"), sinceMs: clock.now() }]);
    expect(data.content(board).board?.rows).toHaveLength(1);
  });

  it("is calculated once a minute for all boards with the same settings", async () => {
    const { data, clock } = await open();
    const board = settings("YRK");
    const askNow = () => data.ask([{ question: question("YRK"), sinceMs: clock.now() }]);
    await data.plan([board]);
    await askNow();
    const first = data.content(board);
    clock.advance(59_000);
    expect(data.content(board).board).toBe(first.board);
    expect(data.content({ ...board, rows: 1 }).board).not.toBe(first.board);
    clock.advance(1_000);
    const nextMinute = data.content(board).board;
    expect(nextMinute).not.toBe(first.board);
    await askNow();
    expect(data.content(board).board).not.toBe(nextMinute);
    // The slot at 17:25 has come.
    clock.advance(4 * MINUTE_MS);
    expect(data.content(board).nextDataMs).toBe((first.nextDataMs ?? 0) + 5 * MINUTE_MS);
  });

  it("is kept for boards even if people's questions push it out of the cache", async () => {
    const { data, answers, clock } = await open();
    await data.plan([settings("YRK")]);
    await data.ask([{ question: question("YRK"), sinceMs: clock.now() }]);
    expect(data.content(settings("YRK")).board).toBeDefined();
    for (let index = 0; index < 300; index += 1) {
      await answers.ask(String(index), async () => index);
    }
    expect(data.content(settings("YRK")).board).toBeDefined();
  });

  it("is kept even if more questions are asked at once than the cache has room for", async () => {
    const { data, clock } = await open();
    const all = firstCodes(300);
    await data.plan(all.map((crs) => settings(crs, { timing: { at: ["17:30"] } })));
    const answered = await data.ask(all.map((crs) => ({ question: question(crs), sinceMs: clock.now() })));
    expect(answered.size).toBe(300);
    expect(all.filter((crs) => data.content(settings(crs)).board === undefined)).toEqual([]);
  });
});

describe("a quiet station", () => {
  it("is queried as far ahead as the morning, without extra calls, until trains run again", async () => {
    const { data, tick, clock, service, sent } = await open();
    const board = settings("YRK");
    await data.plan([board]);
    const firstAt = Temporal.Instant.fromEpochMilliseconds(clock.now()).add({ hours: 5 });
    service.timetable = [{ ...train("17:30", undefined), aimedAt: firstAt }];
    await tick(data, [question("YRK")], 10_000);
    expect(data.content(board).board).toMatchObject({ rows: [], next: undefined });
    clock.advance(5 * MINUTE_MS);
    await tick(data, [question("YRK")], 10_000);
    expect(data.content(board).board).toMatchObject({ rows: [], next: { aimedAt: firstAt } });
    expect((await data.contentForPerson(board)).board?.next?.aimedAt).toEqual(firstAt);
    clock.advance(3 * HOUR_MS);
    await tick(data, [question("YRK")], 10_000);
    expect(data.content(board).board?.rows).toHaveLength(1);
    clock.advance(5 * MINUTE_MS);
    await tick(data, [question("YRK")], 10_000);
    expect(sent.map(({ windowMinutes }) => windowMinutes)).toEqual([120, 480, 120, 120]);
  });
});

describe("a person who asks about a quiet station", () => {
  it("gets the first train of the morning from a board's recent answer, without an extra call", async () => {
    const { data, departures, tick, clock, service, sent } = await open();
    await data.plan([settings("YRK")]);
    const now = () => Temporal.Instant.fromEpochMilliseconds(clock.now());
    const firstAt = now().add({ hours: 5 });
    const atPlatform = (platform: string, hours: number) => ({
      ...train(`${hours}:00`.padStart(5, "0"), undefined),
      platform,
      aimedAt: now().add({ hours }),
    });
    service.timetable = [atPlatform("4", 5), atPlatform("1", 12)];
    await tick(data, [question("YRK")], 10_000);
    clock.advance(5 * MINUTE_MS);
    await tick(data, [question("YRK")], 10_000);
    const york = stations.byCrs("YRK");
    expect(york).toBeDefined();
    const look = async (platform?: string) => {
      const before = sent.length;
      const board =
        york && (await departures.board({ kind: "departures", station: york, rows: 5, platform }));
      return [board?.next?.aimedAt, sent.slice(before).map(({ windowMinutes }) => windowMinutes)];
    };
    expect(await look()).toEqual([firstAt, [120]]);
    // The board's answer contains no train from this platform.
    expect(await look("1")).toEqual([firstAt.add({ hours: 7 }), [22 * 60]]);
    clock.advance(11 * MINUTE_MS);
    expect(await look()).toEqual([firstAt, [120, 22 * 60]]);
  });
});

describe("a service that covers only the next two hours", () => {
  it("is asked about the morning once a day, and otherwise for what it covers", async () => {
    const { data, tick, clock, service, sent } = await open();
    await data.plan([settings("YRK")]);
    service.timetable = [];
    service.isShortSighted = true;
    for (let times = 0; times < 3; times += 1) {
      await tick(data, [question("YRK")], 10_000);
      expect(data.content(settings("YRK")).board?.dataAt.epochMilliseconds).toBe(clock.now() - 10_000);
      clock.advance(5 * MINUTE_MS);
    }
    expect(sent.map(({ windowMinutes }) => windowMinutes)).toEqual([120, 480, 120, 120]);
    service.isShortSighted = false;
    clock.advance(24 * HOUR_MS);
    // The known data has expired, so nobody knows that the station is quiet.
    for (let times = 0; times < 2; times += 1) {
      await tick(data, [question("YRK")], 10_000);
      clock.advance(5 * MINUTE_MS);
    }
    expect(sent.slice(4).map(({ windowMinutes }) => windowMinutes)).toEqual([120, 480]);
  });
});

describe("the boards' plan", () => {
  it("is spent evenly over the day, on each question in turn, and is never exceeded", async () => {
    const { data, tick, sent } = await open(30, 24 * HOUR_MS);
    const greedy = codes.slice(0, 8);
    await data.plan(greedy.map((crs) => settings(crs)));
    for (let hour = 0; hour < 48; hour += 1) {
      await tick(
        data,
        greedy.map((crs) => question(crs)),
        HOUR_MS,
      );
    }
    const times = sent.map(({ atMs }) => atMs);
    const inDay = (fromMs: number) =>
      times.filter((atMs) => atMs >= fromMs && atMs < fromMs + 24 * HOUR_MS).length;
    expect(Math.max(...times.map(inDay))).toBe(24);
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(0.9 * HOUR_MS);
    expect(Math.max(...gaps)).toBeLessThan(1.1 * HOUR_MS);
    const rounds = sent.slice(8, 40).map(({ key }) => key);
    expect(rounds.slice(8)).toEqual(rounds.slice(0, -8));
    expect(new Set(rounds).size).toBe(8);
  });

  it("keeps a board with one slot on time beside greedy boards", async () => {
    const { data, tick, clock, sent } = await open(30, 24 * HOUR_MS);
    const greedy = codes.slice(0, 20);
    const modest = settings("YRK", { timing: { at: ["23:30"] } });
    await data.plan([modest, ...greedy.map((crs) => settings(crs))]);
    await tick(
      data,
      greedy.map((crs) => question(crs)),
      6 * HOUR_MS,
    );
    const slotMs = clock.now();
    await tick(data, [...greedy.map((crs) => question(crs)), question("YRK")], 10_000);
    expect(sent.find(({ key }) => key === "YRK")?.atMs).toBe(slotMs);
  });

  it("has an answer for a board as soon as its hours begin", async () => {
    const { data, tick, clock, sent } = await open(30, 24 * HOUR_MS);
    const board = settings("YRK", {
      schedule: { ...settings("YRK").schedule, hours: { from: "18:00", to: "20:00" } },
    });
    // It is 17:20. After the board's hours, its last slot waits for newer data all day long.
    for (let minute = 0; minute < 26 * 60; minute += 1) {
      await data.plan([board]);
      const isOpen = minute >= 40;
      await tick(data, isOpen ? [question("YRK")] : [], MINUTE_MS);
    }
    const [first = 0, ...others] = sent.map(({ atMs }) => atMs);
    const nextDay = others.find((atMs) => atMs > first + 12 * HOUR_MS) ?? 0;
    expect(first).toBe(clock.now() - 26 * HOUR_MS + 40 * MINUTE_MS);
    expect(nextDay - first - 24 * HOUR_MS).toBeLessThanOrEqual(MINUTE_MS);
  });

  it("continues in turn and without a burst after a restart", async () => {
    const { start, tick, sent } = await open(30, 24 * HOUR_MS);
    const questions = codes.slice(0, 8).map((crs) => question(crs));
    const boards = codes.slice(0, 8).map((crs) => settings(crs));
    const before = start().data;
    await before.plan(boards);
    const first = await tick(before, questions, 4 * HOUR_MS);
    const after = start().data;
    await after.plan(boards);
    const second = await tick(after, questions, 4 * HOUR_MS);
    expect([...first, ...second]).toEqual([...new Set([...first, ...second])]);
    const gaps = sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(0.9 * HOUR_MS);
  });

  it("gives the last call to a board with one slot", async () => {
    const { data, budget, clock, sent } = await open(30, 24 * HOUR_MS);
    const greedy = codes.slice(0, 20);
    // People take these calls before it is known that boards need some.
    await budget.take("person", 29);
    await data.plan([settings("YRK", { timing: { at: ["17:20"] } }), ...greedy.map((crs) => settings(crs))]);
    const sinceMs = clock.now() - MINUTE_MS;
    await data.ask([
      ...greedy.map((crs) => ({ question: question(crs), sinceMs })),
      { question: question("YRK"), sinceMs: clock.now() },
    ]);
    expect(sent.map(({ key }) => key)).toEqual(["YRK"]);
  });

  it("waits if people have used it up, and asks as soon as a call is available", async () => {
    const { data, tick, budget, clock, sent } = await open(10);
    const startMs = clock.now();
    await budget.take("person", 10);
    clock.advance(3 * MINUTE_MS);
    await data.plan([settings("YRK")]);
    expect(await data.ask([{ question: question("YRK"), sinceMs: clock.now() }])).toEqual(new Set());
    expect(data.staleReason(settings("YRK"))).toBe("spent");
    expect(data.content(settings("YRK")).whyUnknown).toBe("spent");
    expect(data.failingSinceMs(question("YRK"))).toBe(clock.now());
    await tick(data, [question("YRK")], HOUR_MS + WINDOW_MARGIN_MS + 10_000);
    expect(sent.map(({ atMs }) => atMs - startMs)).toEqual([HOUR_MS + WINDOW_MARGIN_MS]);
  });

  it("pauses for a minute after the service fails, because each attempt costs a call", async () => {
    const { data, tick, service } = await open();
    const questions = codes.map((crs) => question(crs));
    await data.plan(codes.map((crs) => settings(crs)));
    service.fails = "unavailable";
    expect((await tick(data, questions, 3 * MINUTE_MS)).length).toBeLessThanOrEqual(3 * 4);
    expect(new Set(codes.map((crs) => data.staleReason(settings(crs))))).toEqual(new Set(["failed"]));
    service.fails = undefined;
    expect(new Set(await tick(data, questions, 2 * MINUTE_MS)).size).toBe(codes.length);
  });

  it("continues with other questions if one cannot be answered", async () => {
    const { data, tick, service } = await open();
    await data.plan([settings("YRK"), settings("LDS")]);
    service.fails = "not-found";
    expect(await tick(data, [question("YRK"), question("LDS")], 10_000)).toEqual(["YRK", "LDS"]);
    expect(await tick(data, [question("YRK"), question("LDS")], 50_000)).toEqual([]);
    expect(data.staleReason(settings("YRK"))).toBe("failed");
    expect(data.content(settings("YRK")).whyUnknown).toBe("failed");
    service.fails = undefined;
    expect(await tick(data, [question("YRK")], 10_000)).toEqual(["YRK"]);
    expect(data.staleReason(settings("YRK"))).toBeUndefined();
    expect(data.staleReason(settings("YRK", { callingAt: ["LDS"] }))).toBe("spent");
  });

  it("is missing since the first attempt that got no answer, until one comes", async () => {
    const { data, tick, service, clock } = await open();
    const asked = codes.slice(0, 6).map((crs) => question(crs));
    await data.plan(codes.map((crs) => settings(crs)));
    const missing = () => new Set(asked.map((one) => data.failingSinceMs(one)));
    const startMs = clock.now();
    service.fails = "unavailable";
    for (let minute = 0; minute < 5; minute += 1) {
      await tick(data, asked, MINUTE_MS);
      expect(missing()).toEqual(new Set([startMs]));
    }
    service.fails = undefined;
    await tick(data, asked, 2 * MINUTE_MS);
    expect(missing()).toEqual(new Set([undefined]));
  });

  it("is not missing before its turn in a small plan, after another process asked, or once nobody watches", async () => {
    const { data, tick, start, service, clock } = await open(30, 24 * HOUR_MS);
    const asked = codes.slice(0, 3).map((crs) => question(crs));
    const boards = codes.slice(0, 3).map((crs) => settings(crs));
    const missing = (from: typeof data) => asked.map((one) => from.failingSinceMs(one));
    await data.plan(boards);
    service.fails = "unavailable";
    const startMs = clock.now();
    expect(await tick(data, asked, 10_000)).toEqual(["AAA"]);
    service.fails = undefined;
    for (let minute = 0; minute < 5; minute += 1) {
      await tick(data, asked, MINUTE_MS);
      expect(missing(data)[0]).toBe(startMs);
    }
    expect(missing(data)).toEqual([startMs, undefined, undefined]);
    const other = start().data;
    await other.plan(boards);
    await tick(other, asked, 10_000);
    expect(missing(other)).toEqual([undefined, undefined, undefined]);
    clock.advance(3 * MINUTE_MS);
    expect(missing(data)[0]).toBeUndefined();
  });

  it.each([30, 1_000])(
    "is missing for all whose turn has come while a plan of %i calls is used up",
    async (calls) => {
      const { data, tick, budget, clock } = await open(calls, 24 * HOUR_MS);
      const asked = codes.slice(0, 6).map((crs) => question(crs));
      await data.plan(codes.slice(0, 6).map((crs) => settings(crs)));
      await tick(data, asked, MINUTE_MS);
      clock.advance(3 * HOUR_MS);
      await budget.closeFor(24 * HOUR_MS);
      const startMs = clock.now();
      for (let minute = 0; minute < 5; minute += 1) {
        await tick(data, asked, MINUTE_MS);
        const missing = asked.map((one) => data.failingSinceMs(one) ?? Infinity);
        // In the smaller plan, the question that was asked three hours ago still has to wait.
        expect(missing.filter((sinceMs) => sinceMs <= startMs + 10_000)).toHaveLength(calls === 30 ? 5 : 6);
      }
    },
  );

  it("never throws, whatever the service and the database do", async () => {
    const { data, service, database, clock } = await open();
    await data.plan([settings("YRK")]);
    service.fails = "unexpected-answer";
    expect(await data.ask([{ question: question("YRK"), sinceMs: clock.now() }])).toEqual(new Set());
    await database.close();
    clock.advance(2 * MINUTE_MS);
    expect(await data.ask([{ question: question("YRK"), sinceMs: clock.now() }])).toEqual(new Set());
  });

  it("belongs to the source that answers, and a failure of that source does not use up the next one's plan", async () => {
    const { start, sent, clock, database } = await open(30, 24 * HOUR_MS);
    const terms = { calls: 5_000, windowMs: HOUR_MS };
    const plan = {
      terms,
      budget: createBudget({ service: "rail-data", spending: database.spending, terms, clock, log }),
    };
    const railway = { asked: 0, fails: false };
    const client = {
      canAnswer: () => true,
      async board({ crs }: { readonly crs: string }) {
        railway.asked += 1;
        if (railway.fails) {
          throw new ServiceError("rail-data", "unavailable", "no");
        }
        const dataAt = Temporal.Instant.fromEpochMilliseconds(clock.now());
        const rows = [{ ...train("17:30", undefined), aimedAt: dataAt.add({ minutes: 90 }) }];
        const coversUntil = dataAt.add({ hours: 2 });
        return { source: "rail-data" as const, crs, dataAt, coversUntil, rows };
      },
    };
    const clients = { person: client, board: client };
    const { data } = start({ source: { name: "rail-data", clients }, plan });
    const stationCodes = codes.slice(0, 20);
    const boards = stationCodes.map((code) => settings(code, { timing: { every: 1 } }));
    /** Lets every board ask for new data each minute; returns how often rail data was asked. */
    async function pass(minutes: number): Promise<number> {
      const before = railway.asked;
      for (let minute = 0; minute < minutes; minute += 1) {
        const sinceMs = clock.now();
        await data.plan(boards);
        for (let tick = 0; tick < 6; tick += 1, clock.advance(10_000)) {
          await data.ask(stationCodes.map((code) => ({ question: question(code), sinceMs })));
        }
      }
      return railway.asked - before;
    }
    expect(await pass(10)).toBe(200);
    expect(sent).toEqual([]);
    railway.fails = true;
    // A few questions are in progress at a time; then rail data is retried every three minutes.
    expect(await pass(150)).toBeLessThanOrEqual(50 * 4);
    // 24 calls a day for boards: one an hour.
    expect([1, 2, 3]).toContain(sent.length);
    expect(data.staleReason(settings("AAA"))).toBeDefined();
    railway.fails = false;
    await pass(4);
    expect(await pass(10)).toBe(200);
    expect(data.content(settings("AAA")).board?.credit).toContain("Rail Delivery Group");
  });
});

describe("a clock that was far ahead and is right again", () => {
  it("has no lasting effect on what boards ask, show and promise", async () => {
    const { data, tick, clock, service } = await open();
    const board = settings("YRK");
    await data.plan([board]);
    clock.advance(9 * HOUR_MS);
    await tick(data, [question("YRK")], 2 * MINUTE_MS);
    service.fails = "unavailable";
    await tick(data, [question("YRK")], MINUTE_MS);
    service.fails = undefined;
    expect(data.content(board).board).toBeDefined();
    clock.advance(-9 * HOUR_MS);
    expect(data.content(board).board).toBeUndefined();
    await data.plan([board]);
    const nowMs = clock.now();
    expect(await tick(data, [question("YRK")], 10_000)).toEqual(["YRK"]);
    expect(await tick(data, [question("YRK")], 40_000)).toEqual([]);
    const { board: shown, nextDataMs = 0 } = data.content(board);
    expect(shown?.dataAt.epochMilliseconds).toBe(nowMs);
    expect(nextDataMs - nowMs).toBeLessThanOrEqual(5 * MINUTE_MS);
  });
});

describe("the time of the next data", () => {
  it("is the board's next slot if there are enough calls for all", async () => {
    const { data, clock } = await open();
    const board = settings("YRK", { timing: { every: 30 } });
    await data.plan([board]);
    await data.ask([{ question: question("YRK"), sinceMs: clock.now() }]);
    // It is 17:20.
    expect(data.content(board).nextDataMs).toBe(clock.now() + 10 * MINUTE_MS);
  });

  it("is the question's turn if calls are scarce, and proves right", async () => {
    const { data, clock, tick, sent } = await open(30, 24 * HOUR_MS);
    const boards = codes.slice(0, 6).map((crs) => settings(crs));
    const questions = boards.map(({ station }) => question(station));
    await data.plan(boards);
    await tick(data, questions, 7 * HOUR_MS);
    const nowMs = clock.now();
    const promised = boards.map((board) => data.content(board).nextDataMs ?? 0);
    await tick(data, questions, 7 * HOUR_MS);
    for (const [index, { station }] of boards.entries()) {
      const next = sent.find(({ key, atMs }) => key === station && atMs >= nowMs);
      expect(Math.abs((next?.atMs ?? 0) - (promised[index] ?? 0))).toBeLessThan(10 * MINUTE_MS);
    }
  });

  it("is undefined for messages that are never updated", async () => {
    const { data, clock } = await open();
    const board = { ...settings("YRK"), mode: "post" } as const;
    await data.plan([board]);
    await data.ask([{ question: question("YRK"), sinceMs: clock.now() }]);
    expect(data.content(board).board).toBeDefined();
    expect(data.content(board).nextDataMs).toBeUndefined();
  });

  it("is undefined if no active board asks", async () => {
    const { data } = await open();
    expect(data.content(settings("YRK"))).toMatchObject({ board: undefined, nextDataMs: undefined });
  });
});

describe("a person who looks at a board", () => {
  it("asks at people's expense, and not again within a minute", async () => {
    const { data, sent, clock } = await open();
    const board = settings("YRK", { callingAt: ["LDS", "HUL"] });
    expect((await data.contentForPerson(board)).board?.rows).toHaveLength(1);
    clock.advance(30_000);
    await data.contentForPerson(board);
    expect(sent.map(({ purpose, key }) => [purpose, key])).toEqual([
      ["person", "YRK:LDS"],
      ["person", "YRK:HUL"],
    ]);
  });

  it("gets old data and the reason for it if the service fails", async () => {
    const { data, service, clock } = await open();
    await data.contentForPerson(settings("YRK"));
    service.fails = "timeout";
    clock.advance(12 * MINUTE_MS);
    const { board } = await data.contentForPerson(settings("YRK"));
    expect(board?.stale).toMatchObject({ ageMinutes: 12, why: "timeout" });
    expect(data.content(settings("YRK")).board?.stale).toBeUndefined();
  });

  it("gets the error if there is no data", async () => {
    const { data, service } = await open();
    service.fails = "timeout";
    await expect(data.contentForPerson(settings("YRK"))).rejects.toMatchObject({ kind: "timeout" });
  });
});
