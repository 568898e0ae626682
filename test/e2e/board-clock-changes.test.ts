// Boards around the two nights in which clocks change: a working day, and the weekend. Every slot lies on a multiple of
// ten minutes or of fifteen, and so does each tick: a slot in between would come late. test/long lives through whole
// weeks, and ticks each minute.
import { expect, it } from "vitest";
import { reportJudgement } from "../support/judged-world.ts";
import { endOf, runWeek, WEEKS } from "../support/board-weeks.ts";

reportJudgement();

const DAYS = "Fri Sat Sun";

it.each(WEEKS.map((week) => endOf(week, DAYS)))(
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
