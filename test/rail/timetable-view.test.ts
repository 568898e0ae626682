import { describe, expect, it } from "vitest";
import type { Timetable } from "../../src/rail/timetable.ts";
import { timetableView } from "../../src/rail/timetable-view.ts";
import { boardRow, ukTime } from "../support/boards.ts";

const FROM = ukTime("2026-11-21 17:20");

function textOf(rows: Timetable["rows"]): string {
  const reply = timetableView({
    station: { crs: "YRK", name: "York", latitude: 53.958, longitude: -1.093 },
    from: FROM,
    rows,
    earlierFrom: undefined,
    laterFrom: undefined,
    dataAt: FROM,
    stale: undefined,
  });
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
  it("has the company in small print under each train, so that rows do not wrap on a phone", () => {
    expect(textOf([late])).toContain("**05:09** (Sun) Leeds · platform 1\n-# Northern\n");
    expect(textOf([{ ...late, operator: undefined }])).toContain(
      "**05:09** (Sun) Leeds · platform 1\n-# Scheduled times only;",
    );
  });

  it("says that nothing leaves before, be it one train or several", () => {
    expect(textOf([late])).toContain("Nothing leaves before this one:");
    expect(textOf([late, late])).toContain("Nothing leaves before these:");
    expect(textOf([{ ...late, aimedAt: FROM }])).not.toContain("before");
  });
});
