import { describe, expect, it } from "vitest";
import { boardPictureModel } from "../../src/rail/board-picture-view.ts";
import { LEEDS, board, boardRow, ukTime } from "../support/boards.ts";

describe("a board's picture", () => {
  it("shows the station, the data's UK time and the filters", () => {
    const model = boardPictureModel(
      board([boardRow()], {
        asked: { kind: "arrivals", via: LEEDS, operator: "LNER", from: ukTime("2026-11-21 19:20") },
      }),
    );
    expect(model).toMatchObject({
      station: "York",
      subtitle: "Arrivals from Leeds",
      filters: "LNER · from 19:20",
      clock: "17:20",
      day: "Sat 21 Nov",
      placeHeading: "Origin",
      notice: [],
      age: undefined,
    });
  });

  it("highlights late trains and shows how late they are", () => {
    const late = boardRow({ expectedAt: ukTime("2026-11-21 17:38"), delayMinutes: 7, state: "late" });
    expect(boardPictureModel(board([late])).rows[0]).toEqual({
      time: "17:31",
      day: undefined,
      place: "London Kings Cross",
      platform: "4",
      expected: "17:38",
      remark: "7 min late",
      detail: "LNER",
      mood: "late",
    });
  });

  it("shows a train's way stations on the line below", () => {
    expect(boardPictureModel(board([boardRow({ via: ["Leeds"] })])).rows[0]?.detail).toBe("via Leeds · LNER");
  });

  it("treats a minute either way as on time, and colours only trains that are five minutes late or more", () => {
    const late = (minutes: number) =>
      boardRow({
        expectedAt: ukTime("2026-11-21 17:31").add({ minutes }),
        delayMinutes: minutes,
        state: minutes > 0 ? "late" : "early",
      });
    expect(boardPictureModel(board([late(1), late(-1), late(2), late(5)])).rows).toMatchObject([
      { expected: "On time", remark: undefined, mood: "plain" },
      { expected: "On time", remark: undefined, mood: "plain" },
      { expected: "17:33", remark: "2 min late", mood: "plain" },
      { expected: "17:36", remark: "5 min late", mood: "late" },
    ]);
  });

  it("shows how old the data is if it could not be renewed", () => {
    const stale = { ageMinutes: 9, why: "budget-spent" } as const;
    expect(boardPictureModel(board([], { stale }))).toMatchObject({ clock: "17:20", age: "9 min old" });
  });

  it("marks replacement buses, and shows their stop if it is known", () => {
    const rows = [boardRow({ mode: "bus", platform: undefined }), boardRow({ mode: "bus", platform: "B" })];
    expect(boardPictureModel(board(rows)).rows).toMatchObject([
      { platform: "Bus", detail: "Replacement bus · LNER" },
      { platform: "Bus", detail: "Replacement bus, plat B · LNER" },
    ]);
  });

  it("says on an empty board when the next train leaves", () => {
    const next = boardRow({ aimedAt: ukTime("2026-11-22 05:12"), place: "Leeds" });
    expect(boardPictureModel(board([], { next })).notice).toEqual([
      "No departures in the next two hours",
      "Next: 05:12 to Leeds",
      "tomorrow",
    ]);
    expect(boardPictureModel(board([])).notice).toEqual(["No departures in the next 24 hours"]);
    expect(boardPictureModel(board([], { asked: { platform: "99" } })).notice).toEqual([
      "No matching trains in the next 24 hours",
      "Try removing a filter",
    ]);
  });
});
