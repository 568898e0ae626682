// Boards in the two weeks in which clocks change, with a tick every minute.
import { expect, it } from "vitest";
import { reportChecks } from "../support/checked-world.ts";
import { runWeek, WEEKS } from "../support/board-weeks.ts";

reportChecks();

it.each(WEEKS)("boards appear at the expected local times: $name", { timeout: 1_200_000 }, async (week) => {
  for (const { name, isFirstAtOnce, posted, late, card } of await runWeek(week, [1])) {
    expect([name, isFirstAtOnce, posted]).toEqual([name, true, week.wanted[name]]);
    expect(late).toBe(0);
    expect(card).not.toContain("missed");
  }
});
