import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CATCH_UP_MS,
  WEIGHTS,
  createDemandCounter,
  planQuestions,
  watchWeights,
} from "../../../src/boards/planning/question-plan.ts";
import type { Schedule, Timing } from "../../../src/time/schedule.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Midnight in London on a Wednesday in winter. */
const MIDNIGHT_MS = Date.UTC(2026, 10, 18);

function schedule(timing: Timing, hours?: Schedule["hours"]): Schedule {
  return { timing, days: [1, 2, 3, 4, 5, 6, 7], hours, zone: "Europe/London" };
}

const allDay = schedule({ every: 5 });
const morning = schedule({ every: 5 }, { from: "07:00", to: "09:30" });

/** The 24 hours that begin at this hour of that Wednesday. */
function dayFrom(hour: number) {
  const fromMs = MIDNIGHT_MS + hour * 60 * MINUTE_MS;
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

describe("the weights of watches", () => {
  const watched = (key: string, ...ownerIds: string[]) => ({ key, ownerIds });

  it("add up to their owner's share at most, however many watches there are", () => {
    const many = Array.from({ length: 20 }, (_, index) => watched(`q${index}`, "ada"));
    const weights = watchWeights(many, () => WEIGHTS.watched);
    expect([...weights.values()].reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(6);
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
        const spent = shares.reduce((sum, { rate }) => sum + rate, 0);
        const slots = wanted.reduce((sum, one) => sum + one.slots, 0);
        expect(spent).toBeCloseTo(Math.min(calls, slots));
        wanted.forEach((one, index) =>
          expect(shares[index]?.isEnough).toBe(Math.abs((shares[index]?.rate ?? 0) - one.slots) < 1e-6),
        );
        // The spacing allows exactly the calls that active questions may make.
        const paced = wanted.filter((one, index) => one.isActive && shares[index]?.isEnough === false);
        const perMs = paced.reduce((sum, { key }) => sum + 1 / (plan.shares.get(key)?.intervalMs ?? 0), 0);
        expect((DAY_MS + CATCH_UP_MS) / plan.spacingMs).toBeCloseTo(DAY_MS * perMs);
      }),
      { numRuns: 60 },
    );
  });
});
