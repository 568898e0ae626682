import { describe, expect, it, onTestFinished } from "vitest";
import { MINUTE_MS, START_MS, openBoardWorld } from "../../support/board-world.ts";
import { busiestSecond, crowd, evenBoards, urgentBoards } from "../../support/crowded-boards.ts";

const SLOT_MS = START_MS + 10 * MINUTE_MS;
/** A tenth of what Discord takes. */
const SHARE = 5;
const MOST_AT_ONCE = 500;

const STATIONS = ["YRK", "LDS", "MAN", "KGX", "EDB", "NCL"];
const even = (count: number) => evenBoards(count, STATIONS);
const urgent = urgentBoards(30);

describe("more boards than Discord takes at once", () => {
  it("are spread over their interval, while posts and boards at fixed times keep their minute", async () => {
    const boards = [...even(900), ...urgent];
    const { shown, missed } = await crowd(boards, { minutes: 16, share: SHARE, mostAtOnce: MOST_AT_ONCE });
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

  it("come first where people use the bot, if even an interval is too short for all", async () => {
    const used = even(300).map(({ id }) => id);
    const { missed } = await crowd([...even(2_500), ...urgent], {
      minutes: 14,
      share: SHARE,
      mostAtOnce: MOST_AT_ONCE,
      usedGuilds: used.map((id) => `g-${id}`),
    });
    const unlucky = [...missed].flatMap(([id, count]) => (count > 0 ? [id] : []));
    expect(unlucky.length).toBeGreaterThan(100);
    expect(unlucky.filter((id) => used.includes(id) || !id.startsWith("even"))).toEqual([]);
  });

  it("stay spread after a restart, and come at their minute again once they fit", async () => {
    const world = await openBoardWorld({ mostAtOnce: 2 });
    onTestFinished(() => world.close());
    const { clock, add, begin, read, data, discord } = world;
    const ids = ["one", "two", "three", "four"];
    for (const id of ids) {
      await add(id, { changed: { station: id === "four" ? "LDS" : "YRK" } });
    }
    const life = begin();
    async function tickFor(seconds: number): Promise<void> {
      for (let ticks = 0; ticks < seconds / 10; ticks += 1) {
        data.version += 1;
        clock.advance(10_000);
        await life.tick();
      }
    }
    await tickFor(300);
    // The first message of each came at its time.
    expect(discord.messages).toHaveLength(4);
    await tickFor(370);
    expect(discord.calls.slice(4)).toEqual(["edit c-four"]);
    await tickFor(10);
    const nextMs = async () => Promise.all(ids.map(async (id) => (await read(id)).nextSlotMs ?? 0));
    const spread = await nextMs();
    expect(spread.map((ms) => Math.floor((ms - START_MS) / 1_000))).toEqual([975, 975, 975, 900]);
    await begin().tick();
    expect(await nextMs()).toEqual(spread);
    for (const id of ["two", "three"]) {
      await world.database.boards.remove(id);
    }
    await tickFor(1_200 - 680 + 300);
    expect((await read("four")).nextSlotMs).toBe(START_MS + 30 * MINUTE_MS);
    expect((await read("one")).missed + (await read("four")).missed).toBe(0);
    expect(discord.calls.filter((call) => call === "edit c-four").length).toBeGreaterThanOrEqual(3);
  });

  it("keep their minute as long as they fit", async () => {
    const { shown } = await crowd(even(400), { minutes: 8, share: SHARE, mostAtOnce: MOST_AT_ONCE });
    const firstMs = Math.min(...[...shown.values()].flat());
    expect(firstMs - START_MS).toBeLessThan(5 * MINUTE_MS + 2_000);
    const lastMs = Math.max(...[...shown.values()].map(([ms]) => ms ?? Infinity));
    expect(lastMs - START_MS).toBeLessThan(7 * MINUTE_MS);
    expect(shown.size).toBe(400);
  });
});
