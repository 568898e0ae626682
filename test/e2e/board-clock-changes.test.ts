// Boards in the two weeks in which clocks change. Every slot lies on a multiple of five minutes, and so does each tick;
// test/long ticks each minute.
import { expect, it } from "vitest";
import { reportJudgement } from "../support/judged-world.ts";
import { liveThroughWeek, WEEKS } from "../support/board-weeks.ts";

reportJudgement();

it.each(WEEKS)("each board comes when a person expects it: $name", { timeout: 120_000 }, async (week) => {
  for (const { name, posted, late, card } of await liveThroughWeek(week, 5)) {
    expect([name, posted]).toEqual([name, week.wanted[name]]);
    expect(late).toBe(0);
    expect(card).not.toContain("Missed");
  }
});
