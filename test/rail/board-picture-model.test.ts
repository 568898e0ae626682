import { describe, expect, it } from "vitest";
import { boardPictureModel } from "../../src/rail/board-picture-view.ts";
import { LEEDS, board, boardRow, ukTime } from "../support/boards.ts";

describe("what a board's picture shows", () => {
  it("has the station, the UK clock of the data and what it is narrowed to", () => {
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
      footer: ["As of 17:20 UK time", "source: transportapi.com"],
    });
  });

  it("makes late trains stand out, with how late they are", () => {
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

  it("marks replacement buses, and keeps where they stop if that is known", () => {
    const rows = [boardRow({ mode: "bus", platform: undefined }), boardRow({ mode: "bus", platform: "B" })];
    expect(boardPictureModel(board(rows)).rows).toMatchObject([
      { platform: "Bus", detail: "Replacement bus · LNER" },
      { platform: "Bus", detail: "Replacement bus, plat B · LNER" },
    ]);
  });

  it("says on an empty board when the next train goes", () => {
    const next = boardRow({ aimedAt: ukTime("2026-11-22 05:12"), place: "Leeds" });
    expect(boardPictureModel(board([], { next })).notice).toEqual([
      "No departures in the next two hours",
      "Next: 05:12 to Leeds",
      "tomorrow",
    ]);
    expect(boardPictureModel(board([])).notice).toEqual([
      "No departures in the next two hours",
      "None known within 24 hours",
    ]);
    expect(boardPictureModel(board([], { asked: { platform: "99" } })).notice).toEqual([
      "No such trains in the next two hours",
      "None known within 24 hours",
      "Leave out a filter to see more",
    ]);
  });
});
