import { expect, it } from "vitest";
import { type SlotOutcome, readHistory } from "../../../src/boards/slot-history.ts";
import { MINUTE_MS, START_MS, boardWorld, type BoardWorld } from "../../support/board-world.ts";

const SLOT_MS = START_MS + 5 * MINUTE_MS;

it.each<[SlotOutcome, "edit" | "post", (world: BoardWorld) => void]>([
  ["shown", "post", () => undefined],
  ["spent", "post", ({ data }) => (data.mayAsk = () => false)],
  ["failed", "edit", ({ data }) => Object.assign(data, { mayAsk: () => false, staleReason: "failed" })],
  ["shown", "edit", ({ data }) => Object.assign(data, { mayAsk: () => false, staleReason: undefined })],
  ["discord", "post", ({ discord }) => (discord.fault = () => "unavailable")],
  ["discord", "post", ({ discord }) => (discord.fault = () => "refused")],
  ["away", "post", ({ clock }) => clock.advance(2 * MINUTE_MS + 1)],
])("records the outcome “%s” of a slot (%s)", async (outcome, mode, arrange) => {
  const world = await boardWorld();
  const { clock, add, begin, read } = world;
  await add("one", { changed: { mode } });
  clock.advance(5 * MINUTE_MS);
  arrange(world);
  const life = begin();
  for (let ticks = 0; ticks < 14; ticks += 1) {
    await life.tick();
    clock.advance(10_000);
  }
  expect(readHistory((await read("one")).history).runs).toEqual([[outcome, SLOT_MS, SLOT_MS, 1]]);
});

it("records that a message waited for train times until the next slot", async () => {
  const { clock, add, begin, read, data } = await boardWorld();
  const schedule = { timing: { every: 1 }, days: [1, 2, 3, 4, 5, 6, 7], zone: "Europe/London" } as const;
  await add("one", { changed: { mode: "post", schedule } });
  data.isThere = false;
  const life = begin();
  for (let ticks = 0; ticks < 13; ticks += 1) {
    clock.advance(10_000);
    await life.tick();
  }
  expect(readHistory((await read("one")).history).runs).toEqual([
    ["late", START_MS + MINUTE_MS, START_MS + MINUTE_MS, 1],
  ]);
});

it("records missed slots even if the process dies before it has sent the next one", async () => {
  const { clock, add, begin, read, discord } = await boardWorld();
  await add("one", { changed: { mode: "post" } });
  clock.advance(20 * MINUTE_MS);
  discord.fault = () => "dies-before";
  await begin().tick();
  discord.fault = () => undefined;
  clock.advance(MINUTE_MS);
  await begin().tick();
  const lastMs = START_MS + 20 * MINUTE_MS;
  expect(readHistory((await read("one")).history).runs).toEqual([
    ["away", SLOT_MS, lastMs - 5 * MINUTE_MS, 3],
    ["shown", lastMs, lastMs, 1],
  ]);
});
