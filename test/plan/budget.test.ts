import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { CLOCK_TOLERANCE_MS } from "../../src/core/clock.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { WINDOW_MARGIN_MS, countedMs, createBudget, reservedForPeople } from "../../src/plan/budget.ts";
import type { Purpose } from "../../src/plan/spending-table.ts";
import { openMemoryDatabase } from "../open.ts";
import { cases } from "../support/cases.ts";
import { failureOf, succeeds } from "../support/outcomes.ts";

const HOUR_MS = 3_600_000;
const log = createLog({ level: "silent", secrets: [] });

/** Opens a budget on a manual clock; `another` creates more budgets with the same count. */
async function open(calls: number, windowMs = HOUR_MS) {
  const clock = createSandboxClock({ atMs: Date.UTC(2026, 10, 18, 17, 20), mode: "still" });
  const database = await openMemoryDatabase({ clock, log });
  onTestFinished(() => database.close());
  const { spending } = database;
  const terms = { calls, windowMs };
  return {
    another: () => createBudget({ spending, terms, clock, log }),
    budget: createBudget({ spending, terms, clock, log }),
    clock,
    spending,
  };
}

describe("a budget", () => {
  it("allows as many calls as the plan has, then says how long to wait", async () => {
    const { budget, clock } = await open(2);
    await budget.take("person");
    await clock.advance(60_000);
    await budget.take("person");
    const refusal = await failureOf(budget.take("person"));
    expect(refusal).toMatchObject({ service: "transport", kind: "budget-spent" });
    expect(refusal.retryAfterMs).toBe(HOUR_MS + WINDOW_MARGIN_MS - 60_000);
    await clock.advance(refusal.retryAfterMs ?? 0);
    await budget.take("person");
    await expect(budget.take("person")).rejects.toThrow(ServiceError);
  });

  it.each([2 * HOUR_MS, 24 * HOUR_MS, 240 * HOUR_MS, -HOUR_MS])(
    "allows no more calls if its clock jumps by %i ms, and all of them again a window later",
    async (jumpMs) => {
      const { budget, clock } = await open(10);
      for (let call = 0; call < 6; call += 1) {
        await budget.take("person");
      }
      await clock.advance(HOUR_MS / 2);
      await clock.jump(jumpMs);
      expect((await budget.state()).used).toBe(6);
      const taken = await Promise.all(Array.from({ length: 9 }, () => succeeds(budget.take("person"))));
      expect(taken.filter(Boolean)).toHaveLength(4);
      await clock.advance(HOUR_MS + WINDOW_MARGIN_MS);
      expect((await budget.state()).left).toBe(10);
    },
  );

  it("frees calls that expired at the service while the machine slept", async () => {
    const { budget, clock } = await open(2);
    await budget.take("person");
    await budget.take("person");
    await clock.advance(3 * 24 * HOUR_MS);
    expect((await budget.state()).left).toBe(2);
    expect(await succeeds(budget.take("person"))).toBe(true);
  });

  it.each([
    [1, 0],
    [2, 1],
    [5, 1],
    [6, 2],
    [30, 6],
    [1_000, 200],
  ])("of %i calls reserves %i for people", async (calls, reserve) => {
    expect(reservedForPeople(calls)).toBe(reserve);
    const { budget } = await open(calls);
    for (let call = 0; call < calls - reserve; call += 1) {
      await budget.take("board");
    }
    const refusal = await failureOf(budget.take("board"));
    expect(refusal.retryAfterMs).toBe(HOUR_MS + WINDOW_MARGIN_MS);
    for (let call = 0; call < reserve; call += 1) {
      await budget.take("person");
    }
    await expect(budget.take("person")).rejects.toThrow(ServiceError);
  });

  it("counts the weight of calls, and promises nothing for a call that never fits", async () => {
    const { budget } = await open(5);
    await budget.take("person", 4);
    await expect(budget.take("person", 2)).rejects.toThrow(ServiceError);
    await budget.take("person", 1);
    expect((await failureOf(budget.take("person", 6))).retryAfterMs).toBeUndefined();
  });

  it("reports its state", async () => {
    const { budget, clock } = await open(30, 24 * HOUR_MS);
    expect(await budget.state()).toEqual({
      limit: 30,
      windowMs: 24 * HOUR_MS,
      used: 0,
      left: 30,
    });
    await budget.take("person", 3);
    const freesAt = Temporal.Instant.fromEpochMilliseconds(clock.now() + 24 * HOUR_MS + WINDOW_MARGIN_MS);
    await clock.advance(1_000);
    const state = await budget.state();
    expect(state).toMatchObject({ used: 3, left: 27 });
    expect(state.nextFreeAt?.equals(freesAt)).toBe(true);
    await budget.reserveForBoards(10);
    expect(await budget.state()).toMatchObject({ used: 3, left: 17 });
    await budget.take("board", 20);
    expect(await budget.state()).toMatchObject({ used: 23, left: 7 });
  });
});

it("counts a call longer for a service whose requests may take longer", () => {
  const terms = { calls: 30, windowMs: HOUR_MS };
  expect(countedMs(terms, "style")).toBe(countedMs(terms) + 55_000);
});

it("does not send a call that took the database so long to count that it may stop counting too early", async () => {
  const { budget, clock, spending } = await open(10);
  const take = spending.take.bind(spending);
  spending.take = async (spend) => {
    await clock.advance(15_001);
    return take(spend);
  };
  await expect(budget.take("person")).rejects.toMatchObject({ service: "storage", kind: "unavailable" });
});

describe("a plan that is used up according to the service", () => {
  const closedForMs = async ({ budget, clock }: Awaited<ReturnType<typeof open>>) => {
    const { closedUntil, left } = await budget.state();
    expect(left).toBe(0);
    return (closedUntil?.epochMilliseconds ?? 0) - clock.now();
  };

  it("is closed for five minutes if no calls were counted, then opens automatically", async () => {
    const opened = await open(100);
    await opened.budget.closeFor(undefined);
    expect(await closedForMs(opened)).toBe(5 * 60_000);
    expect((await failureOf(opened.budget.take("person"))).retryAfterMs).toBe(5 * 60_000);
    await opened.clock.advance(5 * 60_000);
    await opened.budget.take("person");
    expect((await opened.budget.state()).closedUntil).toBeUndefined();
  });

  it("is closed until the next counted call expires", async () => {
    const opened = await open(100);
    await opened.budget.take("person");
    await opened.clock.advance(45 * 60_000);
    await opened.budget.closeFor(undefined);
    expect(await closedForMs(opened)).toBe(15 * 60_000 + WINDOW_MARGIN_MS);
  });

  it("is closed for an hour if it is a daily plan, because nobody knows when the service's day ends", async () => {
    const opened = await open(30, 24 * HOUR_MS);
    await opened.budget.take("person");
    await opened.budget.closeFor(undefined);
    expect(await closedForMs(opened)).toBe(HOUR_MS);
  });

  it.each([
    [20 * 60_000, 20 * 60_000],
    [1_000, 5 * 60_000],
    [1e12, HOUR_MS + WINDOW_MARGIN_MS],
  ])("is closed for the given %i ms within limits: %i", async (askedMs, waitedMs) => {
    const opened = await open(100);
    expect(await opened.budget.closeFor(askedMs)).toBe(waitedMs);
    expect(await closedForMs(opened)).toBe(waitedMs);
  });
});

describe("the rolling window", () => {
  /** A jump of the clock in milliseconds: mostly none, otherwise more than two machines' clocks may differ. */
  const jump = fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: CLOCK_TOLERANCE_MS + 1, max: 10 * 24 * HOUR_MS }) },
    { weight: 1, arbitrary: fc.integer({ min: -HOUR_MS, max: -CLOCK_TOLERANCE_MS - 1 }) },
  );

  /** Attempts at calls. `afterMs` is the time since the last one, and `latencyMs` how long the call takes to the service. */
  const attempts = fc.array(
    fc.record({
      afterMs: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: HOUR_MS })),
      purpose: fc.constantFrom<Purpose>("person", "board"),
      isSecondProcess: fc.boolean(),
      weight: fc.integer({ min: 1, max: 3 }),
      latencyMs: fc.integer({ min: 0, max: 10_000 }),
      jumpMs: jump,
    }),
    { minLength: 1, maxLength: 60 },
  );

  it("never contains more calls at the service than the plan, even if calls race or are slow or the clock jumps", async () => {
    await fc.assert(
      fc.asyncProperty(attempts, fc.integer({ min: 1, max: 12 }), async (planned, calls) => {
        const { budget, another, clock } = await open(calls);
        const second = another();
        const arrived: { readonly atMs: number; readonly weight: number }[] = [];
        for (const { afterMs, purpose, isSecondProcess, weight, latencyMs, jumpMs } of planned) {
          await clock.advance(afterMs);
          await clock.jump(jumpMs);
          const asked = isSecondProcess ? second : budget;
          const refusal = await asked.take(purpose, weight).catch((error: unknown) => error);
          if (refusal instanceof ServiceError) {
            // A retry as soon as it is allowed falls on the very edge of the window.
            await clock.advance(refusal.retryAfterMs ?? 0);
          }
          if (refusal === undefined || (await succeeds(asked.take(purpose, weight)))) {
            arrived.push({ atMs: clock.elapsed() + latencyMs, weight });
          }
        }
        for (const { atMs: endMs } of arrived) {
          const inWindow = arrived.filter(({ atMs }) => atMs > endMs - HOUR_MS && atMs <= endMs);
          expect(inWindow.reduce((sum, { weight }) => sum + weight, 0)).toBeLessThanOrEqual(calls);
        }
      }),
      { numRuns: cases(60) },
    );
  });

  it("refuses no call that has room, and states the exact wait", async () => {
    await fc.assert(
      fc.asyncProperty(attempts, fc.integer({ min: 3, max: 12 }), async (planned, calls) => {
        const { budget, clock } = await open(calls);
        const taken: { readonly atMs: number; readonly weight: number }[] = [];
        const usedAt = (nowMs: number) =>
          taken
            .filter(({ atMs }) => atMs > nowMs - HOUR_MS - WINDOW_MARGIN_MS)
            .reduce((sum, { weight }) => sum + weight, 0);
        for (const { afterMs, weight } of planned) {
          await clock.advance(afterMs);
          const hasRoom = usedAt(clock.now()) + weight <= calls;
          const refusal = await budget.take("person", weight).catch((error: unknown) => error);
          expect(refusal === undefined).toBe(hasRoom);
          const waitMs = refusal instanceof ServiceError ? (refusal.retryAfterMs ?? Number.NaN) : 0;
          // There is room after the wait, but not a millisecond sooner.
          expect(usedAt(clock.now() + waitMs) + weight).toBeLessThanOrEqual(calls);
          expect(hasRoom || usedAt(clock.now() + waitMs - 1) + weight > calls).toBe(true);
          if (hasRoom) {
            taken.push({ atMs: clock.now(), weight });
          }
        }
        expect((await budget.state()).used).toBe(usedAt(clock.now()));
      }),
      { numRuns: cases(60) },
    );
  });
});
