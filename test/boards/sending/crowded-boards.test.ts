import { describe, expect, it } from "vitest";
import { MINUTE_MS, START_MS } from "../../support/board-world.ts";
import { busiestSecond, crowd, evenBoards, urgentBoards } from "../../support/crowded-boards.ts";

const SLOT_MS = START_MS + 10 * MINUTE_MS;
/** Requests a second instead of the 49 that Discord allows; the number of boards is reduced in proportion. */
const SHARE = 2;

const STATIONS = ["YRK", "LDS", "MAN", "KGX", "EDB", "NCL"];
const even = (count: number) => evenBoards(count, STATIONS);
const urgent = urgentBoards(12);

describe("more boards than Discord accepts at once", () => {
  it("are all updated within their interval, after posts and boards at fixed times", async () => {
    const boards = [...even(360), ...urgent];
    const { shown, missed } = await crowd(boards, { minutes: 16, share: SHARE });
    expect(busiestSecond(shown)).toBeLessThanOrEqual(SHARE);
    expect([...missed].filter(([, count]) => count > 0)).toEqual([]);
    for (const { id } of even(360)) {
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

  it("are on time on servers that use the bot, even if the interval is too short for all", async () => {
    const used = even(680)
      .slice(-160)
      .map(({ id }) => id);
    const { missed } = await crowd([...even(680), ...urgent], {
      minutes: 17,
      share: SHARE,
      usedGuilds: used.map((id) => `g-${id}`),
    });
    expect([...used, ...urgent.map(({ id }) => id)].filter((id) => missed.get(id) !== 0)).toEqual([]);
  });

  it("are all shown at least once, even if the interval is too short for all", async () => {
    const { shown, missed } = await crowd([...even(680), ...urgent], { minutes: 17, share: SHARE });
    expect(even(680).filter(({ id }) => !shown.has(id))).toEqual([]);
    expect(urgent.filter(({ id }) => missed.get(id) !== 0)).toEqual([]);
  });

  it("are all shown within two minutes of their slot if they fit", async () => {
    const { shown } = await crowd(even(160), { minutes: 8, share: SHARE });
    const firstMs = Math.min(...[...shown.values()].flat());
    expect(firstMs - START_MS).toBeLessThan(5 * MINUTE_MS + 2_000);
    const lastMs = Math.max(...[...shown.values()].map(([ms]) => ms ?? Infinity));
    expect(lastMs - START_MS).toBeLessThan(7 * MINUTE_MS);
    expect(shown.size).toBe(160);
  });
});
