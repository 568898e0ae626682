// Tests that people who flood the bot with requests get only their share, so that boards and other people get theirs.
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { type Asker, runFor } from "../../src/core/asker.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { type BudgetTerms, createBudget } from "../../src/plan/budget.ts";
import { openMemoryDatabase } from "../open.ts";
import { succeeds } from "../support/outcomes.ts";
import { collectLog } from "../support/collect-log.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const A_DAY: BudgetTerms = { calls: 30, windowMs: DAY_MS };
const AN_HOUR: BudgetTerms = { calls: 1_000, windowMs: HOUR_MS };
const A_MONTH: BudgetTerms = { calls: 5_000_000, windowMs: 28 * DAY_MS };

async function open(terms: BudgetTerms, boardsWant = 1e9) {
  const { log, lines } = collectLog();
  const clock = createSandboxClock({ atMs: Date.UTC(2026, 10, 18, 17, 20), mode: "still" });
  const database = await openMemoryDatabase({ clock, log });
  onTestFinished(() => database.close());
  const { spending } = database;
  const budget = createBudget({ spending, terms, clock, log });
  await budget.reserveForBoards(boardsWant);
  const refusalOf = (asker: Asker): Promise<ServiceError | undefined> =>
    runFor(asker, () =>
      budget.take("person").then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ServiceError) {
            return error;
          }
          throw error;
        },
      ),
    );
  /** Makes this many requests at once; returns how many are allowed. */
  async function flood(
    askers: readonly Asker[],
    count: number,
    onTaken: () => void = () => undefined,
  ): Promise<number> {
    const asked = Array.from({ length: count }, (_, index) => askers[index % askers.length] ?? ADA);
    const refusals = await Promise.all(
      asked.map(async (asker) => {
        const refusal = await refusalOf(asker);
        if (refusal === undefined) {
          onTaken();
        }
        return refusal;
      }),
    );
    return refusals.filter((refusal) => refusal === undefined).length;
  }
  /** Makes calls for boards until one is refused; returns how many were allowed. */
  async function takeForBoards(): Promise<number> {
    for (let count = 0; ; count += 1) {
      if (!(await succeeds(budget.take("board")))) {
        return count;
      }
    }
  }
  return { budget, clock, database, lines, spending, refusalOf, flood, takeForBoards };
}

const member = (userId: string, guildId: string | undefined): Asker => ({ userId, guildId });
const ADA = member("ada", "home");
const GRACE = member("grace", "elsewhere");
const ONE = [ADA];
const TEN = Array.from({ length: 10 }, (_, index) => member(`ada${index}`, "home"));
const STRANGER = [member("stranger", undefined)];
/** Members of five other servers. */
const OTHERS = Array.from({ length: 5 }, (_, index) => member(`other${index}`, `server${index}`));

describe("a flood of 1,000 requests", () => {
  // `figures`: calls of the flood, of one member elsewhere, of all five members elsewhere, and then of boards.
  it.each([
    { plan: "30 a day", by: "one member", terms: A_DAY, askers: ONE, figures: [5, 2, 7, 15] },
    { plan: "30 a day", by: "ten members of a server", terms: A_DAY, askers: TEN, figures: [10, 1, 5, 15] },
    { plan: "30 a day", by: "a stranger", terms: A_DAY, askers: STRANGER, figures: [5, 2, 7, 15] },
    { plan: "1,000 an hour", by: "one member", terms: AN_HOUR, askers: ONE, figures: [167, 110, 259, 500] },
    {
      plan: "1,000 an hour",
      by: "ten members of a server",
      terms: AN_HOUR,
      askers: TEN,
      figures: [303, 65, 153, 500],
    },
    {
      plan: "1,000 an hour",
      by: "a stranger",
      terms: AN_HOUR,
      askers: STRANGER,
      figures: [167, 110, 259, 500],
    },
  ])("on $plan by $by leaves others their shares and boards their floor", async (row) => {
    const { terms, askers, figures } = row;
    const { flood, refusalOf, takeForBoards } = await open(terms);
    const taken = await flood(askers, 1_000);
    expect(await Promise.all(OTHERS.map(refusalOf))).toEqual(OTHERS.map(() => undefined));
    const [other = ADA] = OTHERS;
    const ofOne = 1 + (await flood([other], 1_000));
    const ofAll = ofOne + OTHERS.length - 1 + (await flood(OTHERS, 1_000));
    expect([taken, ofOne, ofAll, await takeForBoards()]).toEqual(figures);
  });

  it.each([ONE, TEN, STRANGER])("keeps nobody else waiting, flood %#", async (...askers) => {
    const { flood, refusalOf } = await open(AN_HOUR);
    let flooded = 0;
    const flooding = flood(askers, 1_000, () => void (flooded += 1));
    expect(await Promise.all(OTHERS.map(refusalOf))).toEqual(OTHERS.map(() => undefined));
    expect(flooded).toBeLessThan(askers.length * 10);
    await flooding;
    expect(flooded).toBeGreaterThan(100);
  });

  it.each([ONE, TEN, STRANGER])(
    "that lasts all day on 30 a day leaves an answer for everybody else and half of the plan for boards, flood %#",
    async (...askers) => {
      const { budget, clock, refusalOf } = await open(A_DAY);
      let boards = 0;
      const refused: string[] = [];
      for (let minute = 0; minute < 24 * 60; minute += 10) {
        await Promise.all(askers.map(refusalOf));
        const other = OTHERS[minute / (5 * 60)];
        if (other && (await refusalOf(other))) {
          refused.push(other.userId);
        }
        if (minute % 60 === 0) {
          boards += Number(await succeeds(budget.take("board")));
        }
        await clock.advance(10 * MINUTE_MS);
      }
      expect({ boards, refused }).toEqual({ boards: 15, refused: [] });
    },
  );
});

describe("a share of a plan", () => {
  it("is refused with its own reason and the exact wait, and is logged once a minute with the person and server", async () => {
    const { flood, refusalOf, clock, lines } = await open(AN_HOUR);
    await flood(ONE, 1_000);
    const logged = lines.filter((line) => line.includes("share of the plan"));
    expect(logged.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        msg: "share of the plan used up",
        service: "transport",
        user: "ada",
        guild: "home",
        reason: "own-share",
        byUser: 167,
        byServer: 167,
      }),
    ]);
    const refusal = await refusalOf(ADA);
    expect(refusal).toMatchObject({ kind: "budget-spent", reason: "own-share" });
    const waitMs = refusal?.retryAfterMs ?? 0;
    expect(waitMs).toBeGreaterThan(0);
    await clock.advance(waitMs - 1);
    expect(await refusalOf(ADA)).toMatchObject({ reason: "own-share", retryAfterMs: 1 });
    await clock.advance(1);
    expect(await refusalOf(ADA)).toBeUndefined();
  });

  it("of a server limits its other members, with a reason of its own, but only on that server", async () => {
    const { flood, refusalOf } = await open(A_DAY);
    await flood(TEN, 1_000);
    expect(await refusalOf(member("late", "home"))).toMatchObject({ reason: "server-share" });
    expect(await refusalOf(member("late", "elsewhere"))).toBeUndefined();
  });

  it("is common to everybody outside the bot's servers", async () => {
    const { flood, refusalOf } = await open(A_DAY);
    const strangers = Array.from({ length: 100 }, (_, index) => member(`stranger${index}`, undefined));
    expect(await flood(strangers, 1_000)).toBe(10);
    expect(await refusalOf(ADA)).toBeUndefined();
  });

  it("is forgotten in a restart, unlike the plan's count and the boards' reserve", async () => {
    const { spending, clock, flood, takeForBoards } = await open(A_DAY);
    expect(await flood(ONE, 100)).toBe(5);
    const log = createLog({ level: "silent", secrets: [] });
    const restarted = createBudget({ spending, terms: A_DAY, clock, log });
    const asked = Array.from({ length: 100 }, () => runFor(ADA, () => restarted.take("person")));
    const taken = (await Promise.allSettled(asked)).filter(({ status }) => status === "fulfilled").length;
    // A share of the ten calls that are left for people.
    expect(taken).toBe(3);
    expect(await takeForBoards()).toBeGreaterThanOrEqual(15);
  });

  it("recovers with time", async () => {
    const { flood, clock } = await open(A_DAY);
    expect(await flood(ONE, 100)).toBe(5);
    await clock.advance(12 * HOUR_MS);
    expect(await flood(ONE, 100)).toBe(1);
    await clock.advance(24 * HOUR_MS);
    expect(await flood(ONE, 100)).toBe(4);
  });

  it("is larger if boards need nothing, and leaves calls for new people to the last", async () => {
    const { budget, flood, refusalOf } = await open(A_DAY, 0);
    expect(await flood(ONE, 100)).toBe(10);
    for (let index = 0; index < 20; index += 1) {
      expect(await refusalOf(member(`new${index}`, `server${index}`))).toBeUndefined();
    }
    expect(await refusalOf(GRACE)).toMatchObject({ kind: "budget-spent", reason: undefined });
    expect(await runFor(ADA, () => budget.state())).toMatchObject({ left: 0, share: 0 });
  });

  it.each([
    [A_DAY, 10],
    [{ calls: 1, windowMs: HOUR_MS }, 1],
    [{ calls: 50, windowMs: MINUTE_MS }, 17],
    [AN_HOUR, 334],
    [A_MONTH, 87_676],
  ])("of %o is reported before it is used", async (terms, share) => {
    const { budget, flood } = await open(terms, 0);
    const ask = () => runFor(ADA, () => budget.state());
    expect((await ask()).share).toBe(share);
    expect((await budget.state()).share).toBeUndefined();
    const half = Math.min(500, Math.ceil(share / 2));
    expect(await flood(ONE, half)).toBe(half);
    expect(Math.abs(((await ask()).share ?? 0) - (share - half))).toBeLessThanOrEqual(1);
  });

  it("is not reduced by the bot's own calls or by calls that were refused", async () => {
    const { budget, flood, database } = await open(AN_HOUR);
    await runFor(ADA, () => budget.take("board", 100));
    await runFor(ADA, () => budget.take("person", 2_000)).catch(() => undefined);
    expect(await flood(ONE, 1_000)).toBe(167);
    await database.close();
  });
});

it("a plan of millions of calls is counted in few rows, each until it expires", async () => {
  const { budget, clock, spending } = await open(A_MONTH);
  for (let day = 0; day < 28; day += 1) {
    for (let call = 0; call < 200; call += 1) {
      await budget.take(call % 2 === 0 ? "person" : "board", 100);
    }
    await clock.advance(DAY_MS);
  }
  expect((await budget.state()).used).toBe(28 * 200 * 100);
  await clock.advance(HOUR_MS);
  expect((await budget.state()).used).toBe(27 * 200 * 100);
  expect((await spending.read({ service: "transport", windowMs: 28 * DAY_MS })).used).toBe(27 * 20_000);
});
