import { expect, it } from "vitest";
import { MINUTE_MS, SETTINGS, START_MS, boardWorld } from "../../support/board-world.ts";

const NIGHT_MS = 9 * 60 * MINUTE_MS;

it("sends a board at its next slot after the clock was far ahead and is right again", async () => {
  const { clock, add, begin, data, read, sent } = await boardWorld();
  await add("one");
  const life = begin();
  clock.advance(5 * MINUTE_MS);
  await life.tick();
  clock.advance(NIGHT_MS);
  await life.tick();
  clock.advance(-NIGHT_MS);
  await life.tick();
  expect((await read("one")).nextSlotMs).toBe(START_MS + 10 * MINUTE_MS);
  data.version = 1;
  clock.advance(5 * MINUTE_MS);
  await life.tick();
  expect(sent("one").at(-1)).toMatchObject({ edits: 1 });
});

it("repairs slots and claims in the future that an earlier process left behind", async () => {
  const { clock, add, begin, discord, read } = await boardWorld();
  await add("one", { nextSlotMs: START_MS + NIGHT_MS });
  const claim = { claimedSlotMs: START_MS + NIGHT_MS, claimedUntilMs: START_MS + NIGHT_MS + 30_000 };
  await add("two", { nextSlotMs: START_MS + NIGHT_MS + 5 * MINUTE_MS, ...claim });
  const life = begin();
  await life.tick();
  expect(discord.calls).toEqual([]);
  for (const id of ["one", "two"]) {
    expect(await read(id)).toMatchObject({
      nextSlotMs: START_MS + 5 * MINUTE_MS,
      claimedSlotMs: undefined,
      claimedUntilMs: undefined,
    });
  }
  clock.advance(5 * MINUTE_MS);
  await life.tick();
  expect(discord.calls.toSorted()).toEqual(["post c-one", "post c-two"]);
});

it("leaves boards alone that wait for their schedule, are due, or are claimed", async () => {
  const { clock, add, begin, read } = await boardWorld();
  const monday = { ...SETTINGS.schedule, timing: { at: ["07:30"] }, days: [1] } as const;
  await add("monday", { changed: { schedule: monday } });
  const nextSlotMs = START_MS + 5 * MINUTE_MS;
  // A process whose clock is slightly ahead has already handled the slot at START_MS.
  await add("quick", { nextSlotMs });
  await add("claimed", { nextSlotMs, claimedSlotMs: START_MS, claimedUntilMs: START_MS + 30_000 });
  const before = await Promise.all(["monday", "quick", "claimed"].map(read));
  clock.advance(-1);
  await begin().tick();
  expect(await Promise.all(["monday", "quick", "claimed"].map(read))).toEqual(before);
});
