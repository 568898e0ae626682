import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KnownAnswer } from "../../src/boards/planning/board-contents.ts";
import { type Judgement, judgeIncident } from "../../src/watches/judge-incident.ts";
import { parseKnowledge, serialiseKnowledge } from "../../src/watches/train-knowledge.ts";
import { windowOfDay } from "../../src/watches/watch-days.ts";
import type { WatchSettings } from "../../src/watches/watches.ts";
import {
  answerAt,
  todayMs,
  trainRow,
  watchSettings,
  watchedCommute,
  watchedTrain,
} from "../support/watches.ts";

const COMMUTE = watchSettings({ what: watchedCommute(), leadMinutes: 30 });

/** Judges one answer after another, serialising the knowledge in between; then judges once more without an answer. */
function judge(settings: WatchSettings, answers: readonly KnownAnswer[], lastTime?: string): Judgement {
  let last: Judgement | undefined;
  const steps = [
    ...answers.map((answer) => ({ answer, nowMs: answer.dataMs })),
    ...(lastTime === undefined ? [] : [{ answer: undefined, nowMs: todayMs(lastTime) }]),
  ];
  for (const step of steps) {
    const known = last && parseKnowledge(serialiseKnowledge(last.knowledge));
    last = judgeIncident(known, { settings, window: windowOfDay(settings, "2026-11-21"), ...step });
  }
  if (last === undefined) {
    throw new Error("at least one answer is needed");
  }
  return last;
}

const other = (time: string, changed: Parameters<typeof trainRow>[0] = {}) =>
  trainRow({ time, trainUid: `C${time}`, place: "Hull", ...changed });

describe("the next train", () => {
  const cancelled = trainRow({ state: "cancelled" });
  const next = (settings: WatchSettings, ...rows: Parameters<typeof answerAt>[1][]) =>
    judge(settings, [answerAt("07:00", ...rows.filter((row) => row !== undefined))]).trains[0]?.next;

  it("is the first running train to leave from the cancelled train's time on", () => {
    const late = other("07:20", { late: 25 });
    const rows = [
      other("07:29"),
      other("07:31", { state: "cancelled" }),
      other("07:32", { state: "delayed" }),
      other("07:33", { viaCancelled: true }),
    ];
    expect(next(watchSettings(), cancelled, ...rows, other("07:50"), late)).toEqual(late);
    expect(next(watchSettings(), cancelled, other("07:29"))).toBeUndefined();
  });

  it("goes to the same destination if no calling point was chosen", () => {
    const settings = watchSettings({ what: watchedTrain({ to: undefined }) });
    const leeds = other("07:50", { place: "Leeds" });
    expect(next(settings, cancelled, other("07:40"), leeds)).toEqual(leeds);
  });

  it("is also named for a train that has vanished", () => {
    const rest = ["07:01", "07:02"].map((time) => answerAt(time, other("07:50")));
    const [train] = judge(watchSettings(), [answerAt("07:00", trainRow()), ...rest]).trains;
    expect(train).toMatchObject({ troubles: [{ kind: "vanished" }], next: other("07:50") });
  });

  it("is not named for a train that runs or has left", () => {
    expect(next(watchSettings(), trainRow({ late: 20 }), other("07:50"))).toBeUndefined();
    const gone = judge(watchSettings(), [answerAt("07:00", cancelled, other("07:50"))], "07:36");
    expect(gone.trains[0]).toMatchObject({ isGone: true, next: undefined });
  });
});

describe("a train that is cut short", () => {
  it("has trouble in a watch without a destination, and is stored only once", () => {
    const settings = watchSettings({ what: watchedTrain({ to: undefined }) });
    const cut = trainRow({ cancelledPlace: "Hull", laterCancelled: true, route: "via Selby" });
    const { knowledge, trains } = judge(settings, [answerAt("07:00", cut)]);
    expect(trains.map(({ troubles }) => troubles)).toEqual([[{ kind: "cut" }]]);
    const stored = parseKnowledge(serialiseKnowledge(knowledge));
    const window = windowOfDay(settings, "2026-11-21");
    const again = { settings, window, answer: answerAt("07:01", cut), nowMs: todayMs("07:01") };
    expect(judgeIncident(stored, again).knowledge).toBe(stored);
    const toHull = watchSettings({ what: watchedTrain() });
    expect(judge(toHull, [answerAt("07:00", cut)]).trains).toEqual([]);
  });
});

describe("a commute", () => {
  it("consists of the trains in its hours whose lead time has begun, in the order of departure", () => {
    const rows = [
      other("06:59", { late: 9 }),
      other("07:30", { late: 9 }),
      other("07:00", { late: 9 }),
      other("07:31", { late: 9 }),
    ];
    const { trains, knowledge } = judge(COMMUTE, [answerAt("07:00", ...rows)]);
    expect(trains.map(({ row }) => row.trainUid)).toEqual(["C07:00", "C07:30"]);
    expect(Object.keys(knowledge.trains)).toEqual(["C07:00 2026-11-21", "C07:30 2026-11-21"]);
  });

  it("keeps a train that is retimed out of its hours, and ignores one that has already left", () => {
    const early = other("07:01");
    const moved = { ...early, aimedAt: early.aimedAt.subtract({ minutes: 3 }), expectedAt: undefined };
    expect(judge(COMMUTE, [answerAt("06:40", early), answerAt("06:45", moved)]).trains).toMatchObject([
      { plannedAt: early.aimedAt, troubles: [{ kind: "retimed" }] },
    ]);
    expect(Object.keys(judge(COMMUTE, [answerAt("07:05", early)]).knowledge.trains)).toEqual([]);
  });

  it("tells similar trains without ids apart", () => {
    const withoutId = { trainUid: undefined, startDate: undefined };
    const rows = ["07:10", "07:15", "07:20"].map((time) => other(time, withoutId));
    const [, second = trainRow()] = rows;
    const late = other("07:15", { ...withoutId, late: 7 });
    const { trains, knowledge } = judge(COMMUTE, [
      answerAt("07:00", ...rows),
      answerAt("07:01", ...rows.with(1, late).toReversed()),
    ]);
    expect(Object.keys(knowledge.trains)).toHaveLength(3);
    expect(trains).toMatchObject([{ plannedAt: second.aimedAt, troubles: [{ kind: "late", minutes: 7 }] }]);
    // An additional train is not mistaken for one that has left.
    const added = other("07:19", { ...withoutId, late: 9 });
    const both = judge(COMMUTE, [
      answerAt("07:00", other("07:10", withoutId)),
      answerAt("07:12"),
      answerAt("07:13", added),
    ]);
    expect(both.trains).toMatchObject([
      { plannedAt: added.aimedAt, troubles: [{ kind: "late", minutes: 9 }] },
    ]);
  });

  it("reports buses if no train runs within its hours", () => {
    const bus = other("08:50", { mode: "bus" });
    expect(judge(COMMUTE, [answerAt("08:45", bus, other("09:10"))]).trains).toMatchObject([
      { troubles: [{ kind: "bus" }] },
    ]);
  });

  it("is over when its hours are over and all of its trains have left", () => {
    const last = answerAt("08:50", other("09:00", { late: 20 }));
    expect(judge(COMMUTE, [last], "09:10").isOver).toBe(false);
    expect(judge(COMMUTE, [last], "09:26").isOver).toBe(true);
    expect(judge(COMMUTE, [answerAt("08:00")]).isOver).toBe(false);
    expect(judge(COMMUTE, [answerAt("09:05")]).isOver).toBe(false);
    expect(judge(COMMUTE, [answerAt("09:07")]).isOver).toBe(true);
  });
});

describe("knowledge", () => {
  it("does not change with an equal answer or an older one", () => {
    const late = answerAt("07:00", trainRow({ late: 9 }));
    const later = judge(watchSettings(), [late, answerAt("07:05", trainRow({ late: 9 }))]);
    expect(serialiseKnowledge(later.knowledge)).toBe(
      serialiseKnowledge(judge(watchSettings(), [late]).knowledge),
    );
    const back = judge(watchSettings(), [late, { ...answerAt("06:59", trainRow()) }]);
    expect(back.trains).toMatchObject([{ troubles: [{ kind: "late" }] }]);
  });

  it("contains each train once, whichever source reports it, even after it has left", () => {
    const elsewhere = { trainUid: "ldb:1337298YORK____", startDate: undefined, operator: "Northern Trains" };
    const late = trainRow({ time: "07:10", late: 9 });
    const { trains, knowledge } = judge(COMMUTE, [
      answerAt("07:00", late),
      answerAt("07:01", { ...late, ...elsewhere }),
      answerAt("07:18"),
      answerAt("07:19", { ...late, ...elsewhere }),
    ]);
    expect(trains).toMatchObject([{ isGone: true }]);
    expect(Object.keys(knowledge.trains)).toEqual(["C00001 2026-11-21"]);
  });
});

describe("a commute with any board", () => {
  const rows = fc.array(
    fc
      .record({
        time: fc.constantFrom("06:55", "07:00", "07:10", "07:14", "07:30", "09:00"),
        trainUid: fc.constantFrom("C00001", "C00002", undefined),
        mode: fc.constantFrom("train" as const, "bus" as const),
        place: fc.constantFrom("Leeds", "Hull"),
        platform: fc.constantFrom("4", "7", undefined),
        late: fc.integer({ min: -3, max: 40 }),
        state: fc.constantFrom("cancelled" as const, "delayed" as const, "scheduled" as const, undefined),
      })
      .map(({ state, ...row }) => trainRow({ ...row, startDate: undefined, ...(state && { state }) })),
    { maxLength: 8 },
  );
  const mornings = fc.array(fc.tuple(fc.integer({ min: 0, max: 59 }), rows), { minLength: 1, maxLength: 8 });
  const answers = (morning: readonly (readonly [number, readonly Parameters<typeof answerAt>[1][]])[]) =>
    morning
      .toSorted(([a], [b]) => a - b)
      .map(([minute, listed]) =>
        answerAt(`07:${String(minute).padStart(2, "0")}`, ...listed.filter((row) => row !== undefined)),
      );

  it("is judged the same whatever the order of rows, and finally ends", () => {
    fc.assert(
      fc.property(mornings, (morning) => {
        const judged = judge(COMMUTE, answers(morning));
        const turned = morning.map(([minute, listed]) => [minute, listed.toReversed()] as const);
        expect(serialiseKnowledge(judge(COMMUTE, answers(turned)).knowledge)).toBe(
          serialiseKnowledge(judged.knowledge),
        );
        expect(judge(COMMUTE, answers(morning), "13:01").isOver).toBe(true);
      }),
    );
  });
});
