import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";
import { createBlockList } from "../../src/operations/block-list.ts";
import { createStillClock } from "../support/still-clock.ts";

async function open() {
  const clock = createStillClock();
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url: "sqlite::memory:", clock, log });
  onTestFinished(() => database.close());
  const start = () => createBlockList({ table: database.guildRecords, clock, log });
  return { database, start };
}

it("is known to the next start, and to other processes once they look", async () => {
  const { start } = await open();
  const [one, other] = [start(), start()];
  await one.block({ id: "1", name: "Noisy" });
  expect([one.has("1"), one.has("2"), other.has("1")]).toEqual([true, false, false]);
  await other.load();
  expect(other.has("1")).toBe(true);
  await other.unblock("1");
  await one.load();
  expect([one.has("1"), other.has("1")]).toEqual([false, false]);
});

it("outlives what is kept of a server, of which it keeps the id alone", async () => {
  const { database, start } = await open();
  const blocks = start();
  await blocks.block({ id: "1", name: "Noisy" });
  await database.guildRecords.noteUse("1", 5);
  await database.eraseGuild("1");
  await blocks.load();
  expect(blocks.has("1")).toBe(true);
  expect(await blocks.list()).toMatchObject([{ guildId: "1", name: undefined }]);
  expect(await database.guildRecords.lastUses()).toEqual(new Map());
  // Otherwise it would count as a server that is still to be erased.
  expect(await database.guildIds()).toEqual([]);
});

it("stays as it was known while the database does not answer", async () => {
  const { database } = await open();
  const clock = createStillClock();
  const state = { isAway: false };
  const table = {
    ...database.guildRecords,
    blocked: () => (state.isAway ? Promise.reject(new Error("away")) : database.guildRecords.blocked()),
  };
  const blocks = createBlockList({ table, clock, log: createLog({ level: "silent", secrets: [] }) });
  await blocks.block({ id: "1", name: "Noisy" });
  state.isAway = true;
  await blocks.load();
  expect(blocks.has("1")).toBe(true);
});
