// Boards in 10,000 and more servers at Discord's own limit, on a simulated clock.
import { expect, it } from "vitest";
import { MINUTE_MS, START_MS } from "../support/board-world.ts";
import { busiestSecond, crowd, evenBoards, urgentBoards } from "../support/crowded-boards.ts";

const SLOT_MS = START_MS + 10 * MINUTE_MS;
const STATIONS = ["YRK", "LDS", "MAN", "KGX", "EDB", "NCL", "BHM", "GLC", "PAD", "EUS"];
const even = (count: number) => evenBoards(count, STATIONS);
const urgent = urgentBoards(300);

it("10,000 boards are updated every five minutes, and 600 urgent ones appear within a minute", async () => {
  const { shown, missed } = await crowd([...even(10_000), ...urgent], { minutes: 21 });
  const times = even(10_000).map(({ id }) => shown.get(id) ?? []);
  const late = urgent.map(({ id }) => (shown.get(id)?.find((ms) => ms >= SLOT_MS) ?? Infinity) - SLOT_MS);
  const gaps = times.flatMap((own) => own.slice(1).map((ms, index) => ms - (own[index] ?? 0)));
  expect(gaps.reduce((most, ms) => Math.max(most, ms), 0)).toBeLessThan(6 * MINUTE_MS);
  expect([...missed].filter(([, count]) => count > 0)).toEqual([]);
  expect(times.filter((own) => own.length < 3)).toEqual([]);
  expect(Math.max(...late)).toBeLessThan(MINUTE_MS);
  expect(busiestSecond(shown)).toBeLessThanOrEqual(50);
});

it("20,000 boards exceed Discord's limit, and those in servers that use the bot come first", async () => {
  const used = even(3_000).map(({ id }) => id);
  const { shown, missed } = await crowd([...even(20_000), ...urgent], {
    minutes: 21,
    usedGuilds: used.map((id) => `g-${id}`),
  });
  const late = urgent.map(({ id }) => (shown.get(id)?.find((ms) => ms >= SLOT_MS) ?? Infinity) - SLOT_MS);
  const edits = even(20_000).reduce((sum, { id }) => sum + (shown.get(id)?.length ?? 0), 0);
  // Discord's limit is fully used: 16 minutes at 47 requests a second.
  expect(edits).toBeGreaterThan(44_000);
  expect([...used, ...urgent.map(({ id }) => id)].filter((id) => missed.get(id) !== 0)).toEqual([]);
  expect(Math.max(...late)).toBeLessThan(MINUTE_MS);
  expect(busiestSecond(shown)).toBeLessThanOrEqual(50);
});
