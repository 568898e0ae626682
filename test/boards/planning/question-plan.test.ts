import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CATCH_UP_MS,
  WEIGHTS,
  createCallRateLimiter,
  createDemandCounter,
  fairShares,
  planQuestions,
  watchWeights,
} from "../../../src/boards/planning/question-plan.ts";
import type { Schedule, Timing } from "../../../src/time/schedule.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Midnight in London on a Wednesday in winter. */
const MIDNIGHT_MS = Date.UTC(2026, 10, 18);

function schedule(timing: Timing, hours?: Schedule["hours"]): Schedule {
  return { timing, days: [1, 2, 3, 4, 5, 6, 7], hours, zone: "Europe/London" };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

const allDay = schedule({ every: 5 });
const morning = schedule({ every: 5 }, { from: "07:00", to: "09:30" });

/** The 24 hours that begin at this hour of that Wednesday. */
function dayFrom(hour: number) {
  const fromMs = MIDNIGHT_MS + hour * HOUR_MS;
  return { fromMs, toMs: fromMs + DAY_MS };
}

function demandAt(hour: number, ...schedules: readonly Schedule[]) {
  return createDemandCounter(dayFrom(hour))({ schedules: [...schedules], spans: [] });
}

describe("the demand of a question's boards", () => {
  it("is that of the shortest interval, plus each distinct schedule of fixed times once", () => {
    expect(demandAt(12, allDay, schedule({ every: 30 }))).toMatchObject({ slots: 288, activeMs: DAY_MS });
    const times = [schedule({ at: ["07:30", "17:15"] }), schedule({ at: ["07:30", "17:15"] })];
    expect(demandAt(12, ...times).slots).toBe(2);
    expect(demandAt(12, allDay, ...times).slots).toBe(290);
  });

  it("is never more than one answer a minute", () => {
    const everyMinute = schedule({ every: 1 });
    expect(demandAt(12, everyMinute, schedule({ at: ["07:30"] })).slots).toBe(24 * 60);
  });

  it("covers only the hours in which they come", () => {
    expect(demandAt(8, morning)).toEqual({ slots: 31, activeMs: 155 * MINUTE_MS, isActive: true });
    expect(demandAt(6, morning)).toMatchObject({ slots: 31, isActive: false });
    expect(demandAt(9.5, morning).isActive).toBe(true);
    expect(demandAt(10, morning).isActive).toBe(false);
  });
});

const HOUR = { fromMs: 0, toMs: HOUR_MS };
const span = (from: number, to: number) => ({ fromMs: from * MINUTE_MS, toMs: to * MINUTE_MS });

describe("the demand of a question's watches", () => {
  it.each([
    ["nothing", [], { slots: 0, activeMs: 0, isActive: false }],
    ["a span that is over", [span(-20, -10)], { slots: 0, activeMs: 0, isActive: false }],
    ["a span that comes later", [span(61, 90)], { slots: 0, activeMs: 0, isActive: false }],
    ["a span", [span(20, 50)], { slots: 30, activeMs: 30 * MINUTE_MS, isActive: false }],
    [
      "a thousand equal spans",
      Array.from({ length: 1_000 }, () => span(0, 30)),
      { slots: 30, activeMs: 30 * MINUTE_MS, isActive: true },
    ],
    [
      "overlapping spans",
      [span(0, 30), span(40, 50), span(20, 35)],
      { slots: 45, activeMs: 45 * MINUTE_MS, isActive: true },
    ],
    [
      "the whole of a span that has begun",
      [span(-20, 10)],
      { slots: 30, activeMs: 30 * MINUTE_MS, isActive: true },
    ],
    ["no more than the window", [span(-90, 90)], { slots: 60, activeMs: 60 * MINUTE_MS, isActive: true }],
  ])("counts %s", (_, spans, demand) => {
    expect(createDemandCounter(HOUR)({ schedules: [], spans })).toEqual(demand);
  });

  it("adds the demand of boards to that of watches", () => {
    const demand = createDemandCounter(HOUR)({ schedules: [schedule({ every: 5 })], spans: [span(0, 30)] });
    expect(demand).toEqual({ slots: 42, activeMs: HOUR.toMs, isActive: true });
  });

  it("is never more than one a minute, nor less than boards or watches alone want", () => {
    const minute = fc.integer({ min: -120, max: 120 });
    const spans = fc.array(fc.tuple(minute, fc.nat(120)).map(([from, length]) => span(from, from + length)));
    fc.assert(
      fc.property(spans, fc.integer({ min: 1, max: 60 }), (all, minutes) => {
        const count = createDemandCounter(HOUR);
        const of = (schedules: Schedule[], own: typeof all) => count({ schedules, spans: own }).slots;
        const both = of([schedule({ every: minutes })], all);
        expect(both).toBeLessThanOrEqual(60);
        expect(both).toBeGreaterThanOrEqual(Math.max(of([schedule({ every: minutes })], []), of([], all)));
      }),
    );
  });
});

describe("the weights of watches", () => {
  const watched = (key: string, ...ownerIds: string[]) => ({ key, ownerIds });

  it("add up to their owner's share at most, however many watches there are", () => {
    const many = Array.from({ length: 20 }, (_, index) => watched(`q${index}`, "ada"));
    const weights = watchWeights(many, () => WEIGHTS.watched);
    expect(sum([...weights.values()])).toBeCloseTo(6);
    const two = watchWeights([watched("there", "ada"), watched("back", "ada")], () => WEIGHTS.watched);
    expect([...two.values()]).toEqual([3, 3]);
  });

  it("add up over a question's owners to one question's weight at most, and are 0 without owners", () => {
    const many = Array.from({ length: 20 }, (_, index) => watched(`q${index}`, "ada", "grace"));
    const questions = [...many, watched("both", "mary", "alan"), watched("nobody's")];
    const weights = watchWeights(questions, () => WEIGHTS.watched);
    expect(weights.get("q0")).toBeCloseTo(0.6);
    expect(weights.get("both")).toBe(3);
    expect(weights.get("nobody's")).toBe(0);
  });
});

describe("a plan of questions", () => {
  const question = (key: string, weight: number, ...schedules: Schedule[]) => ({
    key,
    weight,
    schedules,
    spans: [],
  });

  it("asks at every slot if there are enough calls for all", () => {
    const plan = planQuestions([question("york", 1, schedule({ every: 60 }))], 24, dayFrom(12));
    expect(plan.shares.get("york")).toMatchObject({ rate: 24, isEnough: true });
    expect(plan.spacingMs).toBe(Infinity);
  });

  it("never lets a board with one slot wait for greedy boards", () => {
    const greedy = Array.from({ length: 20 }, (_, index) => question(`greedy ${index}`, 1, allDay));
    const plan = planQuestions(
      [...greedy, question("modest", 1, schedule({ at: ["07:30"] }))],
      24,
      dayFrom(12),
    );
    expect(plan.shares.get("modest")).toMatchObject({ rate: 1, isEnough: true });
    expect(plan.shares.get("greedy 0")).toMatchObject({ isEnough: false, rate: 23 / 20 });
  });

  it("spends the calls of a morning board in the morning", () => {
    const plan = planQuestions([question("york", 1, morning)], 24, dayFrom(8));
    const share = plan.shares.get("york");
    expect(share).toMatchObject({ rate: 24, isEnough: false });
    expect((share?.intervalMs ?? 0) / MINUTE_MS).toBeCloseTo(155 / 24);
    expect(plan.spacingMs / MINUTE_MS).toBeCloseTo((155 / 24) * ((DAY_MS + CATCH_UP_MS) / DAY_MS));
    expect(planQuestions([question("york", 1, morning)], 24, dayFrom(12)).spacingMs).toBe(Infinity);
  });

  it("gives more to watched questions and less to quiet stations", () => {
    const plan = planQuestions(
      [WEIGHTS.watched, WEIGHTS.normal, WEIGHTS.quiet].map((weight) =>
        question(String(weight), weight, allDay),
      ),
      170,
      dayFrom(12),
    );
    expect([...plan.shares.values()].map(({ rate }) => rate)).toEqual([120, 40, 10]);
  });

  it("stays within the calls, and spends all of them if the demand is higher", () => {
    const schedules = fc.oneof(
      fc.integer({ min: 1, max: 1_440 }).map((every) => schedule({ every })),
      fc.integer({ min: 1, max: 60 }).map((every) => schedule({ every }, { from: "06:30", to: "10:00" })),
      fc.constantFrom("07:30", "08:00", "23:59").map((time) => schedule({ at: [time] })),
    );
    const questions = fc.array(
      fc.record({
        weight: fc.constantFrom(0.25, 1, 3),
        schedules: fc.array(schedules, { minLength: 1, maxLength: 4 }),
      }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(questions, fc.integer({ min: 1, max: 3_000 }), (all, calls) => {
        const window = dayFrom(9);
        const demandOf = createDemandCounter(window);
        const asked = all.map(({ weight, schedules: own }, index) => question(String(index), weight, ...own));
        const wanted = asked.map((each) => ({ ...each, ...demandOf(each) }));
        const plan = planQuestions(asked, calls, window);
        const shares = [...plan.shares.values()];
        const spent = sum(shares.map(({ rate }) => rate));
        const slots = sum(wanted.map((one) => one.slots));
        expect(spent).toBeCloseTo(Math.min(calls, slots));
        wanted.forEach((one, index) =>
          expect(shares[index]?.isEnough).toBe(Math.abs((shares[index]?.rate ?? 0) - one.slots) < 1e-6),
        );
        // The spacing allows exactly the calls that active questions may make.
        const paced = wanted.filter((one, index) => one.isActive && shares[index]?.isEnough === false);
        const perMs = sum(paced.map(({ key }) => 1 / (plan.shares.get(key)?.intervalMs ?? 0)));
        expect((DAY_MS + CATCH_UP_MS) / plan.spacingMs).toBeCloseTo(DAY_MS * perMs);
      }),
      { numRuns: 60 },
    );
  });
});

const demands = fc.array(
  fc.record({
    most: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.double({ min: 0, max: 500, noNaN: true })),
    weight: fc.oneof(fc.constantFrom(0.25, 1, 3), fc.double({ min: 0.01, max: 100, noNaN: true })),
  }),
  { maxLength: 60 },
);
const amounts = fc.double({ min: 0, max: 5_000, noNaN: true });
const near = (one: number, other: number) => Math.abs(one - other) <= 1e-6 * Math.max(1, one, other);

describe("fair shares", () => {
  it("add up to the amount or to the total demand, and give nobody more than they want", () => {
    fc.assert(
      fc.property(demands, amounts, (all, amount) => {
        const shares = fairShares(all, amount);
        const wanted = sum(all.map(({ most }) => most));
        expect(near(sum(shares), Math.min(amount, wanted))).toBe(true);
        shares.forEach((share, index) => {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(all[index]?.most ?? 0);
        });
      }),
    );
  });

  it("fully serve everyone who wants less for their weight than others get", () => {
    fc.assert(
      fc.property(demands, amounts, (all, amount) => {
        const shares = fairShares(all, amount);
        const level = ({ weight }: { readonly weight: number }, index: number) =>
          (shares[index] ?? 0) / weight;
        const short = all
          .map((demand, index) => ({ demand, index }))
          .filter(({ demand, index }) => !near(shares[index] ?? 0, demand.most));
        const levels = short.map(({ demand, index }) => level(demand, index));
        const lowest = Math.min(...levels);
        expect(levels.every((one) => near(one, lowest))).toBe(true);
        // If nobody is short, the lowest level is Infinity.
        all.forEach((demand, index) =>
          expect(level(demand, index)).toBeLessThanOrEqual(lowest * (1 + 1e-6) + 1e-6),
        );
      }),
    );
  });

  it("do not depend on the order of the demands", () => {
    fc.assert(
      fc.property(demands, amounts, (all, amount) => {
        const forwards = fairShares(all, amount);
        const backwards = fairShares(all.toReversed(), amount).toReversed();
        expect(forwards.every((share, index) => near(share, backwards[index] ?? -1))).toBe(true);
      }),
    );
  });

  it("fully serve a board with one slot beside greedy boards", () => {
    const greedy = Array.from({ length: 10 }, () => ({ most: 288, weight: 1 }));
    const [modest, ...others] = fairShares([{ most: 1, weight: 1 }, ...greedy], 24);
    expect(modest).toBe(1);
    expect(others.every((share) => near(share, 2.3))).toBe(true);
  });
});

describe("the rate limiter of calls", () => {
  it("never allows more calls in an hour than the limit, whenever it is asked", () => {
    const gaps = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 3_000_000 })),
      {
        minLength: 50,
        maxLength: 400,
      },
    );
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 200 }), (all, calls) => {
        const spacingMs = (HOUR_MS + CATCH_UP_MS) / calls;
        const rateLimiter = createCallRateLimiter(0);
        const takenAtMs: number[] = [];
        let nowMs = HOUR_MS;
        for (const gapMs of all) {
          nowMs += gapMs;
          while (rateLimiter.take(nowMs, spacingMs)) {
            takenAtMs.push(nowMs);
          }
        }
        const inHourFrom = (fromMs: number) =>
          takenAtMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + HOUR_MS).length;
        expect(Math.max(0, ...takenAtMs.map(inHourFrom))).toBeLessThanOrEqual(calls);
      }),
    );
  });

  it("loses no calls between two ticks", () => {
    const rateLimiter = createCallRateLimiter(0);
    let taken = 0;
    for (let nowMs = 10_000; nowMs <= HOUR_MS; nowMs += 10_000) {
      while (rateLimiter.take(nowMs, 4_500)) {
        taken += 1;
      }
    }
    expect(taken).toBe(HOUR_MS / 4_500);
  });

  it("continues after a restart where it left off", () => {
    const rateLimiter = createCallRateLimiter(HOUR_MS);
    expect(rateLimiter.nextAtMs(HOUR_MS + 60_000, 600_000)).toBe(HOUR_MS + 600_000);
    expect(rateLimiter.take(HOUR_MS + 599_000, 600_000)).toBe(false);
    expect(rateLimiter.take(HOUR_MS + 600_000, 600_000)).toBe(true);
    expect(rateLimiter.take(HOUR_MS + 600_000, 600_000)).toBe(false);
  });

  it("speeds up at once if the spacing becomes shorter", () => {
    const rateLimiter = createCallRateLimiter(0);
    expect(rateLimiter.take(60_000, 7_200_000)).toBe(false);
    expect(rateLimiter.take(60_000 + 390_000, 390_000)).toBe(true);
  });

  it("allows nothing if the spacing is infinite", () => {
    const rateLimiter = createCallRateLimiter(0);
    expect(rateLimiter.take(HOUR_MS, Infinity)).toBe(false);
    expect(rateLimiter.nextAtMs(HOUR_MS, Infinity)).toBe(Infinity);
  });
});
