import { describe, expect, test } from "vitest";
import { ServiceError, UserError } from "../../src/core/errors.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { type Board, type BoardQuestion, createDepartures } from "../../src/rail/departures.ts";
import type { RailStation } from "../../src/rail/stations.ts";
import { createStillClock } from "../support/still-clock.ts";
import { NOW, type Prepared, at, fakeTransport, train } from "../sources/transport-api/fake-transport.ts";

const YORK: RailStation = { crs: "YRK", name: "York", latitude: 53.958, longitude: -1.093 };
const LEEDS: RailStation = { crs: "LDS", name: "Leeds", latitude: 53.795, longitude: -1.549 };

function ask(question: Partial<BoardQuestion>, ...prepared: readonly Prepared[]) {
  const { client, asked } = fakeTransport(...prepared);
  const clock = createStillClock(NOW.epochMilliseconds);
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  const departures = createDepartures({ transport: client, answers, clock });
  const board = departures.board({ kind: "departures", station: YORK, rows: 5, ...question });
  return { board, asked };
}

const times = (board: Board): string[] => board.rows.map(({ aimedAt }) => aimedAt.toString().slice(11, 16));

describe("a board's rows", () => {
  test("cost one request, with the filters that the service supports", async () => {
    const { board, asked } = ask({ via: LEEDS }, { rows: [train("17:30", "17:35")] });
    expect((await board).rows[0]).toEqual({
      mode: "train",
      place: "London Kings Cross",
      platform: "4",
      operator: "LNER",
      aimedAt: at("17:30"),
      expectedAt: at("17:35"),
      delayMinutes: 5,
      state: "late",
      trainUid: "C17:30",
    });
    expect(asked).toEqual([
      expect.objectContaining({ crs: "YRK", via: "LDS", kind: "departures", from: undefined, live: true }),
    ]);
    expect((await board).dataAt).toEqual(NOW);
  });

  test("leave out trains that have gone, by the expected time if there is one", async () => {
    const { board } = ask(
      {},
      {
        rows: [
          train("17:10", "17:19"),
          train("17:12", "17:20"),
          train("17:15", "17:40"),
          train("17:19", undefined),
          train("17:20", undefined),
          train("17:25", "17:19"),
        ],
      },
    );
    expect(times(await board)).toEqual(["17:12", "17:15", "17:20"]);
  });

  test("keep a cancelled train until its aimed time has passed", async () => {
    const { board } = ask(
      {},
      {
        rows: [
          train("17:10", "17:50", { status: "CANCELLED" }),
          train("17:20", undefined, { status: "CANCELLED" }),
          train("17:40", "17:40", { status: "CANCELLED" }),
        ],
      },
    );
    expect(times(await board)).toEqual(["17:20", "17:40"]);
    expect((await board).rows.map(({ state, delayMinutes }) => [state, delayMinutes])).toEqual([
      ["cancelled", undefined],
      ["cancelled", undefined],
    ]);
  });

  test("keep a train that is delayed for an unknown time", async () => {
    const { board } = ask({}, { rows: [train("17:05", undefined, { status: "DELAYED" })] });
    expect((await board).rows[0]).toMatchObject({ state: "delayed", delayMinutes: undefined });
  });

  test("contain each train once, with the row that knows more", async () => {
    const { board } = ask(
      {},
      {
        rows: [
          train("17:30", undefined, { trainUid: "C1" }),
          train("17:30", "17:33", { trainUid: "C1" }),
          train("17:30", undefined, { trainUid: "C1", mode: "bus" }),
          train("17:31", undefined, { trainUid: undefined }),
          train("17:31", undefined, { trainUid: undefined }),
        ],
      },
    );
    expect((await board).rows.map(({ mode, delayMinutes }) => [mode, delayMinutes])).toEqual([
      ["train", 3],
      ["bus", undefined],
      ["train", undefined],
      ["train", undefined],
    ]);
  });
});

describe("filters", () => {
  const rows = [
    train("17:30", "17:30", { platform: "4" }),
    train("17:31", "17:31", { platform: "4B" }),
    train("17:32", "17:32", { platform: undefined, operatorCode: undefined, operatorName: "Northern" }),
    train("17:33", "17:33", { operatorCode: "NT", operatorName: undefined, platform: "4b" }),
    train("17:34", "17:34", { operatorCode: undefined, operatorName: "Hogwarts Railways", platform: "9¾" }),
    train("17:35", "17:35", { operatorCode: undefined, operatorName: "Hogwarts Railways", platform: "2/3" }),
  ];

  test.each([
    [{ platform: " 4b " }, ["17:31", "17:33"]],
    [{ platform: "4" }, ["17:30"]],
    [{ operator: "nt" }, ["17:32", "17:33"]],
    [{ operator: "Northern Rail" }, ["17:32", "17:33"]],
    [{ operator: "north" }, ["17:32", "17:33"]],
    [{ operator: "London North Eastern Railway" }, ["17:30", "17:31"]],
    [{ operator: "hogwarts railways" }, ["17:34", "17:35"]],
    [{ platform: "3" }, ["17:35"]],
    [{ platform: "2/3" }, ["17:35"]],
    [{ operator: "LNER", platform: "4B" }, ["17:31"]],
  ])("%o leave %o", async (question, left) => {
    const { board, asked } = ask(question, { rows });
    expect(times(await board)).toEqual(left);
    expect(asked[0]?.limit).toBeGreaterThanOrEqual(500);
  });

  test("apply before the number of rows is limited", async () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      train(`18:${10 + index}`, undefined, { platform: index < 30 ? "1" : "2" }),
    );
    const { board } = ask({ platform: "2", rows: 3 }, { rows: many });
    expect(times(await board)).toEqual(["18:40", "18:41", "18:42"]);
    expect((await board).laterFrom).toEqual(at("18:43"));
  });

  test("show the operator's name if the row has only a code", async () => {
    const { board } = ask({ platform: "4b", operator: "NT" }, { rows });
    expect((await board).rows[0]?.operator).toBe("Northern");
  });

  test("refuse an unknown operator and suggest similar ones", async () => {
    const { board } = ask({ operator: "Nothern**" }, { rows });
    await expect(board).rejects.toThrow(UserError);
    await expect(board).rejects.toThrow(
      /^I don't know a train operator called “Nothern\\\*\\\*”\. Did you mean Northern \(NT\) /,
    );
  });

  test("refuse a station filtered by itself, without a request", async () => {
    const { board, asked } = ask({ via: YORK });
    await expect(board).rejects.toThrow(UserError);
    await expect(board).rejects.toThrow(/York/);
    expect(asked).toEqual([]);
  });
});

describe("a board's pages", () => {
  const rows = ["17:30", "17:31", "17:31", "17:40", "17:50"].map((time, index) =>
    train(time, undefined, { trainUid: `C${index}` }),
  );

  test("say where the next one begins, except for the last", async () => {
    expect((await ask({ rows: 3 }, { rows }).board).laterFrom).toEqual(at("17:40"));
    expect((await ask({ rows: 5 }, { rows }).board).laterFrom).toBeUndefined();
  });

  test("begin at the requested time", async () => {
    const { board, asked } = ask({ from: at("17:31"), rows: 2 }, { rows });
    expect(times(await board)).toEqual(["17:31", "17:31"]);
    expect((await board).laterFrom).toEqual(at("17:40"));
    expect(asked[0]?.from).toEqual(at("17:31"));
  });

  test("always lead to a later time, so that nobody gets stuck", async () => {
    const { board } = ask({ from: at("17:31"), rows: 1 }, { rows });
    expect((await board).laterFrom).toEqual(at("17:40"));
  });

  test("begin now if the requested time has passed", async () => {
    const { board, asked } = ask({ from: at("16:00") }, { rows: [train("17:18", "17:25")] });
    expect(times(await board)).toEqual(["17:18"]);
    expect(asked[0]?.from).toBeUndefined();
  });
});

describe("a truncated answer", () => {
  test("is completed from the timetable, without repeating rows that both have", async () => {
    const { board, asked } = ask(
      { rows: 4 },
      {
        rows: [train("17:30", "17:35"), train("17:31", "17:31", { trainUid: undefined })],
        coversUntil: at("17:31"),
      },
      { rows: [train("17:31", undefined), train("17:45", undefined), train("19:10", undefined)] },
    );
    expect((await board).rows.map(({ aimedAt, state }) => [aimedAt.toString().slice(11, 16), state])).toEqual(
      [
        ["17:30", "late"],
        ["17:31", "on-time"],
        ["17:45", "scheduled"],
        ["19:10", "scheduled"],
      ],
    );
    expect(asked[1]).toMatchObject({ from: at("17:31"), windowMinutes: 109, live: false });
  });

  test("is enough if it fills the board, and leads on to more", async () => {
    const { board, asked } = ask(
      { rows: 2 },
      { rows: [train("17:30", "17:35"), train("17:31", "17:31")], coversUntil: at("17:31") },
    );
    expect((await board).laterFrom).toEqual(at("17:31"));
    expect(asked).toHaveLength(1);
  });

  test("is replaced by the timetable for a later page", async () => {
    const { board, asked } = ask(
      { from: at("18:30") },
      { rows: [train("17:30", "17:35")], coversUntil: at("17:30") },
      { rows: [train("18:40", undefined)] },
    );
    expect(times(await board)).toEqual(["18:40"]);
    expect(asked[1]?.from).toEqual(at("18:30"));
  });
});

describe("an empty board", () => {
  test("asks for the next train within a day", async () => {
    const { board, asked } = ask(
      {},
      { rows: [] },
      {
        rows: [
          train("2026-03-05T05:00:00Z", undefined, { status: "CANCELLED" }),
          train("2026-03-05T05:12:00Z", undefined),
        ],
      },
    );
    expect(await board).toMatchObject({ rows: [], laterFrom: undefined });
    expect((await board).next?.aimedAt).toEqual(at("2026-03-05T05:12:00Z"));
    expect(asked[1]).toMatchObject({ from: at("19:20"), windowMinutes: 22 * 60 });
  });

  test("asks for a next train that matches the filters", async () => {
    const { board } = ask(
      { operator: "Northern" },
      { rows: [train("17:30", "17:30")] },
      {
        rows: [
          train("20:00", undefined),
          train("20:30", undefined, { operatorCode: "NT", operatorName: "Northern" }),
        ],
      },
    );
    expect((await board).next?.aimedAt).toEqual(at("20:30"));
  });

  test("has no next train if there is none, or if the service has no timetable", async () => {
    expect(await ask({}, {}, {}).board).toMatchObject({ next: undefined, isNearOnly: false });
    const missing = new ServiceError("transport", "not-found", "answered 404");
    expect(await ask({}, {}, missing).board).toMatchObject({ next: undefined, isNearOnly: true });
  });

  test("fails if the service does, and does not say that there is none", async () => {
    const spent = new ServiceError("transport", "budget-spent", "answered 403");
    await expect(ask({}, {}, spent).board).rejects.toBe(spent);
    await expect(ask({}, spent).board).rejects.toBe(spent);
    const missing = new ServiceError("transport", "not-found", "answered 404");
    await expect(ask({}, missing).board).rejects.toBe(missing);
  });
});

describe("a repeated question", () => {
  const spent = new ServiceError("transport", "budget-spent", "by our own count");

  function open(...prepared: readonly Prepared[]) {
    const { client, asked } = fakeTransport(...prepared);
    const clock = createStillClock(NOW.epochMilliseconds);
    const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
    const departures = createDepartures({ transport: client, answers, clock });
    const board = (question: Partial<BoardQuestion> = {}) =>
      departures.board({ kind: "departures", station: YORK, rows: 5, ...question });
    return { board, asked, clock };
  }

  test("costs nothing within a minute, whatever the filters are", async () => {
    const { board, asked, clock } = open({ rows: [train("17:30", "17:30"), train("17:31", "17:31")] });
    await board();
    clock.advance(59_000);
    await Promise.all([board(), board({ platform: "4" }), board({ operator: "LNER", rows: 1 })]);
    expect(asked).toHaveLength(1);
  });

  test("costs nothing if its answer was completed from the timetable, although a new minute has begun", async () => {
    const { board, asked, clock } = open(
      { rows: [train("17:30", "17:35")], coversUntil: at("17:31") },
      { rows: [train("17:45", undefined)] },
    );
    await board();
    clock.advance(30_000);
    expect(times(await board())).toEqual(["17:30", "17:45"]);
    expect(asked).toHaveLength(2);
  });

  test("is a new question for arrivals, another way station or another time", async () => {
    const rows = [train("17:30", "17:30"), train("18:40", "18:40")];
    const { board, asked } = open({ rows }, { rows }, { rows }, { rows });
    await board();
    await board({ kind: "arrivals" });
    await board({ via: LEEDS });
    await board({ from: at("18:30") });
    expect(asked).toHaveLength(4);
  });

  test("gets the old answer, marked as such and without trains that have left, if there is no new one", async () => {
    const { board, clock } = open({ rows: [train("17:30", "17:30"), train("18:00", "18:00")] }, spent);
    await board();
    clock.advance(12 * 60_000);
    const old = await board();
    expect(times(old)).toEqual(["18:00"]);
    expect(old).toMatchObject({ dataAt: NOW, stale: { ageMinutes: 12, why: "budget-spent" } });
  });

  test("fails once every train of the old answer has left, and does not say that nothing runs", async () => {
    const { board, clock } = open({ rows: [train("17:30", "17:30")] }, spent);
    await board();
    clock.advance(30 * 60_000);
    await expect(board()).rejects.toBe(spent);
  });

  test("shows what it has if it cannot get the rest", async () => {
    const { board } = open({ rows: [train("17:30", "17:35")], coversUntil: at("17:31") }, spent);
    const cut = await board();
    expect(times(cut)).toEqual(["17:30"]);
    expect(cut.laterFrom).toEqual(at("17:31"));
  });
});

describe("a London stop", () => {
  const OXFORD_CIRCUS = {
    crs: "940GZZLUOXC",
    name: "Oxford Circus (Tube)",
    lines: ["bakerloo", "central", "victoria"],
  };
  const tube = (time: string, line: string) =>
    train(time, time, { line, operatorName: line, timing: "expected-only", trainUid: undefined });
  const rows = [tube("17:21", "victoria"), tube("17:22", "central"), tube("17:24", "victoria")];

  test("costs one question, whatever is shown, because later trains are unknown", async () => {
    const { board, asked } = ask({ station: OXFORD_CIRCUS, rows: 2 }, { rows, coversUntil: at("17:50") });
    expect(times(await board)).toEqual(["17:21", "17:22"]);
    expect((await board).laterFrom).toEqual(at("17:24"));
    expect(asked).toHaveLength(1);

    const later = ask({ station: OXFORD_CIRCUS, from: at("17:24") }, { rows, coversUntil: at("17:50") });
    expect(times(await later.board)).toEqual(["17:24"]);
    expect((await later.board).laterFrom).toBeUndefined();
    expect(later.asked).toEqual([expect.objectContaining({ crs: "940GZZLUOXC", live: true })]);
    expect(later.asked[0]?.from).toBeUndefined();

    const empty = ask({ station: OXFORD_CIRCUS }, { rows: [], coversUntil: at("17:50") });
    expect((await empty.board).rows).toEqual([]);
    expect(empty.asked).toHaveLength(1);
  });

  test("can be filtered by one of its lines, and by no other", async () => {
    const { board } = ask({ station: OXFORD_CIRCUS, operator: "Victoria line" }, { rows });
    expect(times(await board)).toEqual(["17:21", "17:24"]);
    await expect(ask({ station: OXFORD_CIRCUS, operator: "LNER" }, { rows }).board).rejects.toThrow(
      /Pick one of Bakerloo line, Central line and Victoria line/,
    );
  });

  test("has no separate arrivals and no way stations", async () => {
    await expect(ask({ station: OXFORD_CIRCUS, kind: "arrivals" }).board).rejects.toThrow(
      /don't list arrivals separately/,
    );
    await expect(ask({ station: OXFORD_CIRCUS, via: LEEDS }).board).rejects.toThrow(/call at Leeds/);
    await expect(ask({ station: LEEDS, via: OXFORD_CIRCUS }).board).rejects.toThrow(
      /Trains at Leeds don't call at Oxford Circus \(Tube\)\. Pick a train station/,
    );
  });
});
