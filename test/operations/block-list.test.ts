// The block list and the times at which servers last used the bot, on both engines.
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";
import { boardRecord } from "../boards/board-record.ts";
import { createBlockList } from "../../src/operations/operator.ts";
import { type DatabaseKind, findDatabases } from "../support/databases.ts";
import { createStillClock } from "../support/still-clock.ts";

async function open(kind: DatabaseKind) {
  const clock = createStillClock();
  const log = createLog({ level: "silent", secrets: [] });
  const empty = await kind.create();
  const database = await openDatabase({ url: empty.url, clock, log });
  onTestFinished(async () => {
    await database.close();
    await empty[Symbol.asyncDispose]();
  });
  const start = () => createBlockList(database.guildRecords, clock);
  return { database, start };
}

const kinds = (await findDatabases()).filter(({ missing }) => missing === undefined);

describe.each(kinds)("a block on $name", (kind) => {
  it("is stored, and other processes know it after they load the list", async () => {
    const { start } = await open(kind);
    const [one, other] = [start(), start()];
    await one.block({ id: "1", name: "Noisy" });
    expect([one.has("1"), one.has("2"), other.has("1")]).toEqual([true, false, false]);
    await other.load();
    expect(other.has("1")).toBe(true);
    await other.unblock("1");
    await one.load();
    expect([one.has("1"), other.has("1")]).toEqual([false, false]);
  });

  it("survives the erasure of its server's data, but with only the server's id", async () => {
    const { database, start } = await open(kind);
    const blocks = start();
    await blocks.block({ id: "1", name: "Noisy" });
    await database.guildRecords.noteUse("1", 5);
    await database.guildRecords.noteUse("1", 1_795_022_400_000);
    expect(await database.guildRecords.lastUses()).toEqual(new Map([["1", 1_795_022_400_000]]));
    await database.boards.add(boardRecord({ guildId: "2" }));
    expect(await database.boards.countActive()).toEqual(new Map([["2", 1]]));
    await database.eraseGuild("1");
    await blocks.load();
    expect(blocks.has("1")).toBe(true);
    expect(await blocks.list()).toMatchObject([{ guildId: "1", name: undefined }]);
    expect(await database.guildRecords.lastUses()).toEqual(new Map());
    // Otherwise it would count as a server whose data must still be erased.
    expect(await database.guildIds()).toEqual(["2"]);
  });

  it("stays known while the database does not answer", async () => {
    const { database } = await open(kind);
    const clock = createStillClock();
    const state = { isAway: false };
    const table = {
      ...database.guildRecords,
      blocked: () => (state.isAway ? Promise.reject(new Error("away")) : database.guildRecords.blocked()),
    };
    const blocks = createBlockList(table, clock);
    await blocks.block({ id: "1", name: "Noisy" });
    state.isAway = true;
    // A start must not continue as if no server were blocked.
    await expect(blocks.load()).rejects.toThrow("away");
    expect(blocks.has("1")).toBe(true);
  });
});
