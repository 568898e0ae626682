import { describe, expect, it } from "vitest";
import type { Timetable } from "../../src/rail/timetable.ts";
import { timetablePictureModel, timetableView } from "../../src/rail/timetable-view.ts";
import { boardRow, ukTime } from "../support/boards.ts";

const FROM = ukTime("2026-11-21 17:20");

const YORK = { crs: "YRK", name: "York", latitude: 53.958, longitude: -1.093 };

function timetable(rows: Timetable["rows"], more: Partial<Timetable> = {}): Timetable {
  return {
    station: YORK,
    kind: "departures",
    via: undefined,
    from: FROM,
    rows,
    earlierFrom: undefined,
    laterFrom: undefined,
    dataAt: FROM,
    stale: undefined,
    ...more,
  };
}

function textOf(rows: Timetable["rows"], more: Partial<Timetable> = {}): string {
  const reply = timetableView(timetable(rows, more), { format: "text" });
  const [frame] = reply.blocks;
  const blocks = frame?.type === "container" ? frame.blocks : [];
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

const late = boardRow({
  aimedAt: ukTime("2026-11-22 05:09"),
  place: "Leeds",
  platform: "1",
  operator: "Northern",
});

describe("a page of a timetable", () => {
  it("shows the operator in small print under each train, so that rows do not wrap on a phone", () => {
    expect(textOf([late])).toContain("**05:09** (Sun) Leeds · platform 1\n-# Northern\n");
    expect(textOf([{ ...late, operator: undefined }])).toContain(
      "**05:09** (Sun) Leeds · platform 1\n-# Scheduled times only. For live trains, use `/departures`.",
    );
  });

  it("may show arrivals, and only trains from one other station", () => {
    const more = { kind: "arrivals", via: { ...YORK, crs: "LDS", name: "Leeds" } } as const;
    expect(textOf([late], more)).toContain(
      "### York timetable\n-# Arrivals from Leeds, from 17:20, Sat 21 Nov",
    );
    expect(textOf([], more)).toContain("Nothing is scheduled to arrive within 24 hours.");
  });

  it("is drawn as a board without a clock, and described in its alt text", () => {
    const via = { ...YORK, crs: "LDS", name: "Leeds" };
    const bus = boardRow({
      ...late,
      mode: "bus",
      platform: undefined,
      state: "cancelled",
      expectedAt: undefined,
    });
    const page = timetable([late, bus], { via });
    expect(timetablePictureModel(page)).toMatchObject({
      station: "York",
      subtitle: "Timetable, departures to Leeds",
      clock: undefined,
      rows: [
        { time: "05:09", day: "Sun", place: "Leeds", platform: "1", expected: "", detail: "Northern" },
        { platform: "Bus", expected: "Cancelled", detail: "Replacement bus · Northern" },
      ],
    });
    const { files = [] } = timetableView(page, { picture: Uint8Array.of(1), format: "picture" });
    expect(files[0]?.description).toBe(
      "York timetable: departures to Leeds from 17:20, Sat 21 Nov. 05:09 (Sun) Leeds, platform 1, Northern. 05:09 (Sun) Leeds, replacement bus, cancelled, Northern.",
    );
  });

  it("says that nothing leaves earlier, for one train or several", () => {
    expect(textOf([late])).toContain("Nothing leaves before this one:");
    expect(textOf([late, late])).toContain("Nothing leaves before these:");
    expect(textOf([{ ...late, aimedAt: FROM }])).not.toContain("before");
  });
});
