import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TransportBoard, TransportRow } from "../../../src/sources/transport-data.ts";
import { boardOf, boardQuestion, isStationQuiet } from "../../../src/boards/planning/board-rows.ts";
import type { BoardSettings } from "../../../src/boards/boards.ts";
import { createStations } from "../../../src/rail/stations.ts";
import { boardSettings } from "../../support/subscriptions.ts";
import { NOW, at, train } from "../../sources/transport-api/fake-transport.ts";

const stations = createStations();

function settings(changed: Partial<BoardSettings> = {}): BoardSettings {
  return boardSettings({ callingAt: [], ...changed });
}

function answer(rows: readonly TransportRow[], changed: Partial<TransportBoard> = {}): TransportBoard {
  return {
    source: "transport",
    crs: "YRK",
    dataAt: NOW,
    coversUntil: at("19:20"),
    rows,
    ...changed,
  };
}

function shown(changed: Partial<BoardSettings>, answers: readonly TransportBoard[], now = NOW) {
  const board = boardOf(boardQuestion(settings(changed), stations), answers, now);
  return board?.rows.map(({ aimedAt }) => aimedAt.toString().slice(11, 16));
}

describe("a channel's board", () => {
  const rows = [
    train("17:21", undefined, { platform: "3", operatorCode: "NT", operatorName: "Northern" }),
    train("17:28", undefined, { status: "CANCELLED", platform: "4" }),
    train("17:29", "17:33", { platform: "4B", mode: "bus" }),
    train("17:31", undefined, { platform: undefined }),
    train("17:40", "17:40", { platform: "4b" }),
  ];

  it.each([
    [{}, ["17:21", "17:28", "17:29", "17:31", "17:40"]],
    [{ rows: 2 }, ["17:21", "17:28"]],
    [{ platforms: ["4b"] }, ["17:29", "17:40"]],
    [{ platforms: ["3", " 4B "] }, ["17:21", "17:29", "17:40"]],
    [{ transport: "trains" as const }, ["17:21", "17:28", "17:31", "17:40"]],
    [{ transport: "buses" as const }, ["17:29"]],
    [{ operator: "northern" }, ["17:21"]],
    [{ operator: "Hogwarts Railways" }, []],
  ])("with %j shows %j", (changed, times) => {
    expect(shown(changed, [answer(rows)])).toEqual(times);
  });

  it("shows each train once even if different sources answered its questions", () => {
    const [uid, ldb] = ["C1", "ldb:1337298YORK____"];
    const calls = { callingAt: ["LDS", "HUL"] };
    const transport = answer([train("17:31", undefined, { trainUid: uid })]);
    const railData = answer(
      [
        train("17:31", "17:33", { trainUid: ldb, operatorName: undefined, place: "London King's Cross" }),
        train("17:40", undefined, { trainUid: "ldb:1337299YORK____" }),
      ],
      { source: "rail-data" },
    );
    expect(shown({ ...calls, callingAtAll: false }, [transport, railData])).toEqual(["17:31", "17:40"]);
    expect(shown({ ...calls, callingAtAll: true }, [transport, railData])).toEqual(["17:31"]);
  });

  it("leaves out trains, cancelled ones too, that are expected to leave within the walking time", () => {
    expect(shown({ walkMinutes: 10 }, [answer(rows)])).toEqual(["17:29", "17:31", "17:40"]);
  });

  it("shows each message of its answers once, and names no cancelled call", () => {
    const leeds = answer([train("17:31", undefined)], { messages: ["Lifts", "Buses"] });
    const hull = answer([train("17:31", undefined, { viaCancelled: true })], { messages: ["Lifts"] });
    const question = boardQuestion(settings({ callingAt: ["LDS", "HUL"], callingAtAll: false }), stations);
    const board = boardOf(question, [leeds, hull], NOW);
    expect(board?.messages).toEqual(["Lifts", "Buses"]);
    expect(board?.rows.map(({ via }) => via)).toEqual([["Leeds"]]);
  });

  it("drops trains as they leave, without new data", () => {
    expect(shown({}, [answer(rows)], at("17:32"))).toEqual(["17:29", "17:40"]);
  });

  it("is undefined once the time that its data covers is over", () => {
    const late = train("17:30", undefined, { status: "DELAYED" });
    expect(shown({}, [answer([late])], at("19:19"))).toEqual(["17:30"]);
    expect(shown({}, [answer([late])], at("19:21"))).toBeUndefined();
    const cut = answer([train("17:25", undefined)], { coversUntil: at("17:25") });
    expect(shown({}, [cut], at("17:24"))).toEqual(["17:25"]);
    expect(shown({}, [cut], at("17:26"))).toBeUndefined();
  });

  it("is empty if nothing leaves, and says until when", () => {
    const board = boardOf(boardQuestion(settings(), stations), [answer([])], NOW);
    expect(board).toMatchObject({ rows: [], knownUntil: at("19:20"), dataAt: NOW });
  });

  it("names the first train of the morning if the answer covers it, but has no row for it", () => {
    const night = answer(
      [
        train("20:10", undefined, { status: "CANCELLED" }),
        train("20:20", undefined, { mode: "bus" }),
        train("20:30", undefined),
        train("20:40", undefined),
      ],
      { coversUntil: at("22:00") },
    );
    const of = (changed: Partial<BoardSettings>, answers: readonly TransportBoard[], now = NOW) =>
      boardOf(boardQuestion(settings(changed), stations), answers, now);
    const trains = { transport: "trains" } as const;
    expect(of(trains, [night])).toMatchObject({
      rows: [],
      next: { aimedAt: at("20:30") },
      knownUntil: at("20:30"),
    });
    expect(of(trains, [night], at("18:35"))?.rows.map(({ aimedAt }) => aimedAt)).toEqual([
      at("20:10"),
      at("20:30"),
    ]);
    // The other answer covers the time until 19:20 only.
    const both = { ...trains, callingAt: ["LDS", "HUL"] };
    expect(of(both, [night, answer([])])).toMatchObject({
      rows: [],
      next: undefined,
      knownUntil: at("19:20"),
    });
    expect(isStationQuiet(night, NOW)).toBe(true);
    expect(isStationQuiet(night, at("18:25"))).toBe(false);
  });

  it("is named by its station's code if the station has closed", () => {
    expect(boardQuestion(settings({ station: "ZZZ" }), stations).station.name).toBe("ZZZ");
  });
});

describe("a board with several calling points", () => {
  const leeds = answer([
    train("17:30", "17:31", { trainUid: "A" }),
    train("17:35", undefined, { trainUid: "B" }),
    train("17:50", undefined, { trainUid: undefined, place: "Both" }),
  ]);
  const hull = answer(
    [
      train("17:25", undefined, { trainUid: "C" }),
      train("17:30", "17:36", { trainUid: "A" }),
      train("17:50", undefined, { trainUid: undefined, place: "Both" }),
      train("17:55", undefined, { trainUid: undefined, place: "Hull" }),
    ],
    { dataAt: NOW.subtract({ minutes: 3 }), coversUntil: at("19:17") },
  );
  const callingAt = ["LDS", "HUL"];

  it.each([
    [false, ["17:25", "17:30", "17:35", "17:50", "17:55"]],
    [true, ["17:30", "17:50"]],
  ])("shows each train once (all: %s)", (callingAtAll, times) => {
    expect(shown({ callingAt, callingAtAll }, [leeds, hull])).toEqual(times);
    expect(shown({ callingAt, callingAtAll }, [hull, leeds])).toEqual(times);
  });

  it.each([
    [false, [["Hull"], ["Leeds", "Hull"], ["Leeds"], ["Leeds", "Hull"], undefined]],
    [true, [undefined, undefined]],
  ])("names the calling points of each train, except its destination (all: %s)", (callingAtAll, via) => {
    const question = boardQuestion(settings({ callingAt, callingAtAll }), stations);
    expect(boardOf(question, [leeds, hull], NOW)?.rows.map((row) => row.via)).toEqual(via);
  });

  it("shows each train as the newest answer does, and is as old as the oldest", () => {
    for (const answers of [
      [leeds, hull],
      [hull, leeds],
    ]) {
      const board = boardOf(boardQuestion(settings({ callingAt }), stations), answers, NOW);
      const both = board?.rows.find(({ trainUid }) => trainUid === "A");
      expect(both?.expectedAt).toEqual(at("17:31"));
      expect(board?.dataAt).toEqual(hull.dataAt);
      expect(board?.knownUntil).toEqual(at("19:17"));
    }
  });

  it("shows the trains that any answer lists, or only those that every answer lists", () => {
    const lists = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 }), {
      minLength: 2,
      maxLength: 3,
    });
    fc.assert(
      fc.property(lists, fc.boolean(), (given, callingAtAll) => {
        const answers = given.map((minutes) =>
          answer(minutes.toSorted((a, b) => a - b).map((minute) => train(`18:${20 + minute}`, undefined))),
        );
        const every = given.map((list) => new Set(list));
        const all = [...new Set(given.flat())].toSorted((a, b) => a - b);
        const expected = callingAtAll ? all.filter((one) => every.every((set) => set.has(one))) : all;
        expect(shown({ callingAt, callingAtAll, rows: 100 }, answers)).toEqual(
          expected.map((minute) => `18:${20 + minute}`),
        );
      }),
    );
  });
});

describe("a station", () => {
  it("is quiet while its answer shows that nothing leaves", () => {
    const cancelled = train("17:30", undefined, { status: "CANCELLED" });
    expect(isStationQuiet(answer([]), NOW)).toBe(true);
    expect(isStationQuiet(answer([cancelled]), NOW)).toBe(true);
    expect(isStationQuiet(answer([]), at("19:20"))).toBe(false);
    expect(isStationQuiet(answer([cancelled, train("19:00", undefined)]), NOW)).toBe(false);
    expect(isStationQuiet(answer([train("17:21", undefined)]), at("18:00"))).toBe(false);
  });
});
