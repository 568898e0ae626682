import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KnownAnswer } from "../../src/boards/planning/board-contents.ts";
import type { BoardRow } from "../../src/rail/departures.ts";
import { judgeTrain, troublesOf } from "../../src/watches/judge-train.ts";
import type { TrainKnowledge } from "../../src/watches/train-knowledge.ts";
import { ukTime } from "../support/boards.ts";
import { answerAt, todayMs, trainRow } from "../support/watches.ts";

const SOUGHT = {
  trainUid: "C00001",
  startDate: "2026-11-21",
  place: "Leeds",
  operator: "Northern",
  aimedAt: ukTime("2026-11-21 07:30"),
};
const WITHOUT_ID = { place: "Leeds", operator: "Northern", aimedAt: ukTime("2026-11-21 07:30") };
const withoutId = { trainUid: undefined, startDate: undefined };

/** Judges one answer after another; a train is late from five minutes on. */
function judge(
  answers: readonly KnownAnswer[],
  sought: typeof WITHOUT_ID = SOUGHT,
  isFiltered = true,
): TrainKnowledge {
  let known: TrainKnowledge | undefined;
  for (const answer of answers) {
    known = judgeTrain(sought, known, { answer, nowMs: answer.dataMs, delayMinutes: 5, isFiltered });
  }
  if (known === undefined) {
    throw new Error("at least one answer is needed");
  }
  return known;
}

const FILTERED = { isFiltered: true };
const troubles = (...answers: readonly KnownAnswer[]) => troublesOf(judge(answers), FILTERED);
const kinds = (...answers: readonly KnownAnswer[]) => troubles(...answers).map(({ kind }) => kind);

describe("a train", () => {
  it.each([
    ["on time", trainRow()],
    ["early", trainRow({ late: -3 })],
    ["less than five minutes late", trainRow({ late: 4 })],
    ["without live data", trainRow({ state: "scheduled" })],
  ])("that is %s is in no trouble", (_, row) => {
    expect(troubles(answerAt("07:00", row))).toEqual([]);
  });

  it.each([
    ["late", trainRow({ late: 5 }), [{ kind: "late", minutes: 5 }]],
    ["delayed", trainRow({ state: "delayed" }), [{ kind: "delayed" }]],
    ["cancelled", trainRow({ state: "cancelled" }), [{ kind: "cancelled" }]],
    [
      "not calling where the person gets off",
      trainRow({ viaCancelled: true, late: 9 }),
      [{ kind: "cancelled" }],
    ],
    ["replaced by a bus", trainRow({ mode: "bus", time: "07:35" }), [{ kind: "bus" }]],
    ["retimed", trainRow({ time: "07:24" }), [{ kind: "retimed" }]],
  ])("that is %s is in trouble", (_, row, expected) => {
    expect(troubles(answerAt("07:00", row))).toEqual(expected);
  });

  it("that is cut short is in trouble, unless it still calls where the person gets off", () => {
    const cut = { cancelledPlace: "Leeds", place: "Wakefield", late: 6 };
    const known = (isFiltered: boolean) => judge([answerAt("07:00", trainRow(cut))], SOUGHT, isFiltered);
    const late = { kind: "late", minutes: 6 };
    expect(troublesOf(known(false), { isFiltered: false })).toEqual([{ kind: "cut" }, late]);
    expect(troublesOf(known(true), FILTERED)).toEqual([late]);
    const later = judge([answerAt("07:00", trainRow({ laterCancelled: true }))], SOUGHT, false);
    expect([troublesOf(later, { isFiltered: false }), later.wasTroubled]).toEqual([[{ kind: "cut" }], true]);
  });

  it("stays late while its delay varies a little, and recovers when it is clearly shorter", () => {
    const delays = [5, 4, 3, 6, 3, 2, 4, 5];
    const known = delays.map((_, count) =>
      judge(delays.slice(0, count + 1).map((late, minute) => answerAt(`07:0${minute}`, trainRow({ late })))),
    );
    expect(known.map(({ lateness }) => lateness)).toEqual([5, 4, 3, 6, 3, undefined, undefined, 5]);
  });

  it("recovers from a delay, a cancellation and a bus", () => {
    const bad = [
      { late: 20 },
      { state: "delayed" as const },
      { state: "cancelled" as const },
      { mode: "bus" as const },
    ];
    for (const row of bad) {
      const known = judge([answerAt("07:00", trainRow(row)), answerAt("07:01", trainRow())]);
      expect(troublesOf(known, FILTERED)).toEqual([]);
      expect(known.wasTroubled).toBe(true);
    }
  });

  it("stays as late as it was while no expected time is known", () => {
    expect(
      troubles(answerAt("07:00", trainRow({ late: 9 })), answerAt("07:01", trainRow({ state: "scheduled" }))),
    ).toEqual([{ kind: "late", minutes: 9 }]);
  });

  it("changes its platform relative to the first known one, and back", () => {
    const platforms = [undefined, "4", " 4", undefined, "7", undefined, "9b", "4"];
    const known = platforms.map((_, count) =>
      troubles(
        ...platforms
          .slice(0, count + 1)
          .map((platform, minute) => answerAt(`07:0${minute}`, trainRow({ platform }))),
      ),
    );
    const changed = (to: string) => [{ kind: "platform", from: "4", to }];
    expect(known).toEqual([[], [], [], [], changed("7"), changed("7"), changed("9b"), []]);
  });

  it("has all of its troubles, the worst first", () => {
    expect(
      kinds(
        answerAt("07:00", trainRow()),
        answerAt("07:01", trainRow({ late: 8, platform: "1", time: "07:32" })),
      ),
    ).toEqual(["late", "retimed", "platform"]);
  });
});

describe("a train's identity", () => {
  it("is its id and its start date, whatever else the row says", () => {
    const yesterday = trainRow({ late: 60, startDate: "2026-11-20" });
    const other = trainRow({ late: 60, trainUid: "C00002" });
    const own = trainRow({ time: "07:41", place: "Hull", operator: undefined, late: 6 });
    expect(troubles(answerAt("07:00", yesterday, other, own))).toEqual([
      { kind: "late", minutes: 6 },
      { kind: "retimed" },
    ]);
  });

  it("persists after midnight for a train that started the day before", () => {
    const sought = { ...SOUGHT, startDate: "2026-11-20", aimedAt: ukTime("2026-11-21 00:04") };
    const row = trainRow({ aimedAt: sought.aimedAt, startDate: "2026-11-20", late: 9 });
    const answer = { ...answerAt("00:00", row), dataMs: ukTime("2026-11-20 23:58").epochMilliseconds };
    expect(troublesOf(judge([answer], sought), FILTERED)).toEqual([{ kind: "late", minutes: 9 }]);
  });

  it("is judged by time, place and operator if there are no ids, even if slightly retimed", () => {
    const own = trainRow({ ...withoutId, late: 6 });
    const next = trainRow({ ...withoutId, time: "07:36" });
    const retimed = trainRow({ ...withoutId, time: "07:33", late: 6 });
    const hull = trainRow({ ...withoutId, place: "Hull", late: 60 });
    const both = answerAt("07:00", next, hull, own);
    expect(judge([both], WITHOUT_ID).row?.aimedAt).toEqual(own.aimedAt);
    expect(judge([both, answerAt("07:01", next, hull, retimed)], WITHOUT_ID).row?.aimedAt).toEqual(
      retimed.aimedAt,
    );
    const gone = judge([both, answerAt("07:01", next, hull), answerAt("07:02", next, hull)], WITHOUT_ID);
    expect(gone.isVanished).toBe(true);
  });

  it("is its id as soon as an answer has one", () => {
    const named = trainRow({ time: "07:31" });
    const known = judge(
      [answerAt("07:00", named), answerAt("07:01", trainRow({ time: "07:55" }))],
      WITHOUT_ID,
    );
    expect(known.row?.aimedAt).toEqual(ukTime("2026-11-21 07:55"));
  });

  it("is judged by time and place in another source's answers, and by the id again afterwards", () => {
    const elsewhere = { startDate: undefined, operator: "Northern Trains", late: 9 };
    const own = trainRow({ ...elsewhere, trainUid: "ldb:1337298YORK____" });
    const next = trainRow({ ...elsewhere, trainUid: "ldb:1337299YORK____", time: "07:36", late: 60 });
    const retimed = trainRow({ ...elsewhere, trainUid: "ldb:1337298YORK____", time: "07:33" });
    const [before, during] = [answerAt("07:00", trainRow({ late: 9 })), answerAt("07:01", next, own)];
    const late = [{ kind: "late", minutes: 9 }];
    expect(troubles(before, during)).toEqual(late);
    expect(troubles(before, during, answerAt("07:02", trainRow({ late: 9 })))).toEqual(late);
    expect(troubles(answerAt("07:00", next, retimed))).toEqual([...late, { kind: "retimed" }]);
    const after = judge([before, answerAt("07:01", next), answerAt("07:02", next)]);
    expect(after.isVanished).toBe(true);
  });

  it("is not lost if one answer lacks ids", () => {
    expect(
      kinds(answerAt("07:00", trainRow()), answerAt("07:01", trainRow({ ...withoutId, late: 9 }))),
    ).toEqual(["late"]);
  });
});

describe("a replacement bus", () => {
  it("is recognised without an id at exactly the train's time, and so is the train that comes back", () => {
    const train = answerAt("07:00", trainRow(withoutId));
    const bus = (time: string) => answerAt("07:01", trainRow({ ...withoutId, mode: "bus", time }));
    const back = answerAt("07:02", trainRow(withoutId));
    const judged = (...answers: readonly KnownAnswer[]) => judge(answers, WITHOUT_ID);
    expect(judged(train, bus("07:30"))).toMatchObject({ bus: { mode: "bus" }, missingSinceMs: undefined });
    expect(troublesOf(judged(train, bus("07:30")), FILTERED)).toEqual([{ kind: "bus" }]);
    expect(troublesOf(judged(train, bus("07:30"), back), FILTERED)).toEqual([]);
    expect(judged(train, bus("07:31")).missingSinceMs).toBe(todayMs("07:01"));
    const later = answerAt("07:31", trainRow({ ...withoutId, mode: "bus", time: "07:30" }));
    expect(judged(train, later)).toMatchObject({ isGone: true, bus: undefined });
    // Once it has left, the board may no longer say that it was a bus.
    const bare = answerAt("07:31", trainRow({ ...withoutId, state: "scheduled" }));
    expect(judged(train, bus("07:30"), bare)).toMatchObject({ isGone: true, bus: { mode: "bus" } });
  });

  const cancelled = trainRow({ state: "cancelled" });

  it("is found by the train's id, or near the time of a cancelled train", () => {
    const own = trainRow({ mode: "bus", time: "07:50" });
    const near = trainRow({ mode: "bus", time: "07:40", trainUid: "B00001" });
    expect(kinds(answerAt("07:00", cancelled, near, own))).toEqual(["cancelled", "bus"]);
    expect(judge([answerAt("07:00", cancelled, near, own)]).bus).toEqual(own);
    expect(judge([answerAt("07:00", cancelled, near)]).bus).toEqual(near);
  });

  it("is not one that replaces another train, leaves too late, is cancelled itself, or goes elsewhere", () => {
    const other = trainRow({ trainUid: "C00002", time: "07:35", state: "cancelled" });
    const buses = [
      trainRow({ mode: "bus", time: "07:35", trainUid: "C00002" }),
      trainRow({ mode: "bus", time: "07:51", trainUid: "B00001" }),
      trainRow({ mode: "bus", time: "07:31", trainUid: "B00002", state: "cancelled" }),
    ];
    expect(kinds(answerAt("07:00", cancelled, other, ...buses))).toEqual(["cancelled"]);
    const elsewhere = trainRow({ mode: "bus", time: "07:35", trainUid: "B00001", place: "Hull" });
    expect(judge([answerAt("07:00", cancelled, elsewhere)], SOUGHT, false).bus).toBeUndefined();
  });

  it("does not matter while the train runs", () => {
    const bus = trainRow({ mode: "bus", time: "07:31" });
    expect(kinds(answerAt("07:00", trainRow(), bus))).toEqual([]);
    expect(kinds(answerAt("07:00", trainRow({ time: "07:33" }), bus))).toEqual(["retimed"]);
    const meant = judgeTrain({ ...SOUGHT, mode: "bus", intendedMode: "bus" }, undefined, {
      answer: answerAt("07:00", bus),
      nowMs: 0,
      delayMinutes: 5,
      isFiltered: true,
    });
    expect(troublesOf(meant, FILTERED, "bus")).toEqual([{ kind: "retimed" }]);
  });
});

describe("a train that is no longer listed", () => {
  const seen = answerAt("07:00", trainRow());

  it("has vanished if two answers before its departure do not list it", () => {
    expect(kinds(seen, answerAt("07:01"))).toEqual([]);
    expect(kinds(seen, answerAt("07:01"), answerAt("07:01"))).toEqual([]);
    expect(kinds(seen, answerAt("07:01"), answerAt("07:02"))).toEqual(["vanished"]);
    expect(kinds(seen, answerAt("07:01"), answerAt("07:02"), answerAt("07:03", trainRow()))).toEqual([]);
  });

  it("has vanished even if it was watched but never listed", () => {
    expect(kinds(answerAt("07:01"), answerAt("07:02"))).toEqual(["vanished"]);
  });

  it("has not vanished if the answer does not cover its time", () => {
    const short = (time: string) => ({ ...answerAt(time), coversUntilMs: todayMs("07:30") });
    expect(kinds(seen, short("07:01"), short("07:02"))).toEqual([]);
  });

  it("has left at its departure time, or at the expected time if it is late", () => {
    expect(judge([seen, answerAt("07:28")]).isGone).toBe(true);
    expect(judge([seen, answerAt("07:27")]).isGone).toBe(false);
    const late = answerAt("07:25", trainRow({ late: 12 }));
    expect(judge([late, answerAt("07:39")]).isGone).toBe(false);
    expect(judge([late, answerAt("07:40")])).toMatchObject({ isGone: true, lateness: 12 });
    const vague = answerAt("07:26", trainRow({ state: "scheduled" }));
    expect(judge([late, vague, answerAt("07:39")]).isGone).toBe(false);
  });

  it("is awaited after one answer without it if its delay has an unknown length", () => {
    const delayed = answerAt("07:35", trainRow({ state: "delayed" }));
    expect(judge([delayed, answerAt("07:36"), answerAt("07:36")]).isGone).toBe(false);
    expect(judge([delayed, answerAt("07:36"), answerAt("07:37")]).isGone).toBe(true);
    expect(kinds(delayed, answerAt("07:36"), answerAt("07:37", trainRow({ state: "cancelled" })))).toEqual([
      "cancelled",
    ]);
  });

  it("has not left until its replacement bus has left", () => {
    const bus = trainRow({ mode: "bus", time: "07:40", ...withoutId });
    const known = judge([seen, ...["07:10", "07:12", "07:29", "07:39"].map((time) => answerAt(time, bus))]);
    expect(known).toMatchObject({ isVanished: true, isGone: false, bus: { mode: "bus" } });
    // A board that has lost its data about the bus may list it as a train.
    const bare = trainRow({ time: "07:30", state: "scheduled", ...withoutId });
    const at = judge([seen, answerAt("07:10", bus), answerAt("07:12", bus), answerAt("07:31", bare)]);
    expect(at).toMatchObject({ isVanished: true, isGone: false, bus: { mode: "bus" } });
    const before = judge([seen, answerAt("07:10", bus), answerAt("07:12", bus), answerAt("07:20", bare)]);
    expect(before).toMatchObject({ isVanished: false, bus: undefined });
    const judging = { answer: undefined, delayMinutes: 5, isFiltered: true };
    expect(judgeTrain(SOUGHT, known, { ...judging, nowMs: todayMs("07:45") }).isGone).toBe(false);
    expect(judgeTrain(SOUGHT, known, { ...judging, nowMs: todayMs("07:46") }).isGone).toBe(true);
  });

  it("has left at its departure time, even as a bus", () => {
    const bus = trainRow({ mode: "bus" });
    expect(judge([answerAt("07:00", bus), answerAt("07:30")])).toMatchObject({
      isGone: true,
      isVanished: false,
    });
  });

  it("stays cancelled if it was", () => {
    const cancelled = answerAt("07:00", trainRow({ state: "cancelled" }));
    expect(kinds(cancelled, answerAt("07:01"), answerAt("07:02"))).toEqual(["cancelled"]);
  });
});

describe("time", () => {
  const at = (known: TrainKnowledge, time: string, answer?: KnownAnswer) =>
    judgeTrain(SOUGHT, known, { answer, nowMs: todayMs(time), delayMinutes: 5, isFiltered: true }).isGone;

  it("counts a train as gone if no answers come any more", () => {
    const known = judge([answerAt("07:00", trainRow({ late: 10 }))]);
    expect(at(known, "07:45")).toBe(false);
    expect(at(known, "07:46")).toBe(true);
  });

  it("counts a train that is still listed as gone after half an hour, and a delayed one after hours", () => {
    const known = judge([answerAt("07:00", trainRow())]);
    expect(at(known, "07:50", answerAt("07:50", trainRow()))).toBe(false);
    expect(at(known, "08:06", answerAt("08:06", trainRow()))).toBe(true);
    const delayed = trainRow({ state: "delayed" });
    expect(at(judge([answerAt("07:00", delayed)]), "11:00", answerAt("11:00", delayed))).toBe(false);
    expect(at(judge([answerAt("07:00", delayed)]), "11:31", answerAt("11:30", delayed))).toBe(true);
  });

  it("changes nothing about a train that has left", () => {
    const gone = judge([answerAt("07:00", trainRow()), answerAt("07:30")]);
    const again = { answer: answerAt("07:31", trainRow({ late: 30 })), nowMs: todayMs("07:31") };
    expect(judgeTrain(SOUGHT, gone, { ...again, delayMinutes: 5, isFiltered: true })).toBe(gone);
  });
});

describe("with any answers", () => {
  const rows: fc.Arbitrary<BoardRow> = fc
    .record({
      mode: fc.constantFrom("train" as const, "train" as const, "bus" as const),
      place: fc.constantFrom("Leeds", "Hull"),
      trainUid: fc.constantFrom("C00001", "C00002", undefined),
      startDate: fc.constantFrom("2026-11-21", "2026-11-20", undefined),
      platform: fc.constantFrom("4", "7", undefined),
      operator: fc.constantFrom("Northern", undefined),
      minutes: fc.integer({ min: -30, max: 60 }),
      late: fc.option(fc.integer({ min: -5, max: 90 }), { nil: undefined }),
      state: fc.constantFrom("cancelled" as const, "delayed" as const, "scheduled" as const, undefined),
    })
    .map(({ minutes, late = 0, state, ...row }) =>
      trainRow({ ...row, aimedAt: SOUGHT.aimedAt.add({ minutes }), late, ...(state && { state }) }),
    );
  const sequences = fc.array(
    fc.record({
      rows: fc.array(rows, { maxLength: 6 }),
      waitMs: fc.integer({ min: 0, max: 300_000 }),
      reachMs: fc.integer({ min: 0, max: 7_200_000 }),
      isAnswered: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  );

  function live(
    steps: readonly { rows: readonly BoardRow[]; waitMs: number; reachMs: number; isAnswered: boolean }[],
  ) {
    let known: TrainKnowledge | undefined;
    let nowMs = todayMs("06:30");
    for (const step of steps) {
      nowMs += step.waitMs;
      const answer = {
        rows: step.rows,
        credit: "",
        dataMs: nowMs,
        askedAtMs: nowMs,
        coversUntilMs: nowMs + step.reachMs,
      };
      const judging = {
        nowMs,
        delayMinutes: 5,
        isFiltered: true,
        answer: step.isAnswered ? answer : undefined,
      };
      known = judgeTrain(SOUGHT, known, judging);
    }
    return { known, nowMs };
  }

  it("the order of rows does not matter, and a repeated answer changes nothing", () => {
    fc.assert(
      fc.property(sequences, (steps) => {
        const { known } = live(steps);
        expect(live(steps.map((step) => ({ ...step, rows: step.rows.toReversed() }))).known).toEqual(known);
        expect(live(steps.flatMap((step) => [step, { ...step, waitMs: 0 }])).known).toEqual(known);
      }),
    );
  });

  it("a train has trouble only if some answer gives a cause", () => {
    const isOwn = ({ trainUid, startDate = "2026-11-21" }: BoardRow): boolean =>
      trainUid === "C00001" && startDate === "2026-11-21";
    const isCause = (row: BoardRow): boolean =>
      (isOwn(row) || row.trainUid === undefined) &&
      (row.mode === "bus" ||
        row.state === "cancelled" ||
        row.state === "delayed" ||
        (row.delayMinutes ?? 0) >= 5 ||
        row.platform === "7" ||
        !row.aimedAt.equals(SOUGHT.aimedAt));
    fc.assert(
      fc.property(sequences, (steps) => {
        const { known } = live(steps);
        const answered = steps.filter(({ isAnswered }) => isAnswered);
        const hasCause = answered.some((step) => step.rows.some(isCause) || !step.rows.some(isOwn));
        expect(hasCause || known === undefined || troublesOf(known, FILTERED).length === 0).toBe(true);
      }),
    );
  });

  it("a train recovers when its own row has no trouble, unless it has left", () => {
    fc.assert(
      fc.property(sequences, (steps) => {
        const { known, nowMs } = live(steps);
        const platform = known?.platform;
        const well = trainRow({ aimedAt: known?.plannedAt ?? SOUGHT.aimedAt, ...(platform && { platform }) });
        const answer = {
          rows: [well],
          credit: "",
          dataMs: nowMs,
          askedAtMs: nowMs,
          coversUntilMs: nowMs + 7_200_000,
        };
        const after = judgeTrain(SOUGHT, known, { answer, nowMs, delayMinutes: 5, isFiltered: true });
        expect(known?.isGone === true || troublesOf(after, FILTERED).length === 0).toBe(true);
      }),
    );
  });
});
