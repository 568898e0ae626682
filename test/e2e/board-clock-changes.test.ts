// Boards at the two weekends on which clocks change. Every slot is at a multiple of 10 or 15 minutes, and so is every
// tick; slots at other times would be late. test/long covers whole weeks with a tick every minute.
import { expect, it } from "vitest";
import { reportChecks } from "../support/checked-world.ts";
import { endOf, runWeek, WEEKS } from "../support/board-weeks.ts";

reportChecks();

it.each(WEEKS.map((week) => endOf(week, "Sat Sun")))(
  "boards appear at the expected local times: $name",
  { timeout: 120_000 },
  async (week) => {
    for (const { name, isFirstAtOnce, posted, late, card } of await runWeek(week, [10, 15])) {
      expect([name, isFirstAtOnce, posted]).toEqual([name, true, week.wanted[name]]);
      expect(late).toBe(0);
      expect(card).not.toContain("missed");
    }
  },
);
