import { describe, expect, it } from "vitest";
import { MINUTE_MS, START_MS } from "../../support/board-world.ts";
import { busiestSecond, crowd, evenBoards, urgentBoards } from "../../support/crowded-boards.ts";

const SLOT_MS = START_MS + 10 * MINUTE_MS;
/** A tenth of what Discord takes. */
const SHARE = 5;

const STATIONS = ["YRK", "LDS", "MAN", "KGX", "EDB", "NCL"];
const even = (count: number) => evenBoards(count, STATIONS);
const urgent = urgentBoards(30);

describe("more boards than Discord takes at once", () => {
  it("are all brought up to date within their interval, after posts and boards at fixed times", async () => {
    const boards = [...even(900), ...urgent];
    const { shown, missed } = await crowd(boards, { minutes: 16, share: SHARE });
    expect(busiestSecond(shown)).toBeLessThanOrEqual(SHARE);
    expect([...missed].filter(([, count]) => count > 0)).toEqual([]);
    for (const { id } of even(900)) {
      const times = shown.get(id) ?? [];
      const gaps = times.slice(1).map((ms, index) => ms - (times[index] ?? 0));
      expect(times.length).toBeGreaterThanOrEqual(2);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(7 * MINUTE_MS);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2 * MINUTE_MS);
    }
    for (const { id } of urgent) {
      expect(shown.get(id)?.find((ms) => ms >= SLOT_MS) ?? Infinity).toBeLessThan(SLOT_MS + MINUTE_MS);
    }
  });

  it("all come now and then, if even an interval is too short for all", async () => {
    const { shown, missed } = await crowd([...even(1_700), ...urgent], { minutes: 17, share: SHARE });
    expect(even(1_700).filter(({ id }) => !shown.has(id))).toEqual([]);
    expect(urgent.filter(({ id }) => missed.get(id) !== 0)).toEqual([]);
  });

  it("keep their minute as long as they fit", async () => {
    const { shown } = await crowd(even(400), { minutes: 8, share: SHARE });
    const firstMs = Math.min(...[...shown.values()].flat());
    expect(firstMs - START_MS).toBeLessThan(5 * MINUTE_MS + 2_000);
    const lastMs = Math.max(...[...shown.values()].map(([ms]) => ms ?? Infinity));
    expect(lastMs - START_MS).toBeLessThan(7 * MINUTE_MS);
    expect(shown.size).toBe(400);
  });
});
