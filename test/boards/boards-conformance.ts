// Tests of boards that every database engine must pass. Each test gets an empty database.
import { describe, expect, it } from "vitest";
import { parseBoardSettings } from "../../src/boards/boards.ts";
import type { BoardRecord } from "../../src/boards/boards-table.ts";
import type { Database } from "../../src/database.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { boardRecord, claimOf } from "./board-record.ts";
import { boardSettings } from "../support/subscriptions.ts";
import { reuseTestDatabase, openDatabaseOnStillClock, openTwiceOnStillClock } from "../open.ts";

const ids = (boards: readonly Pick<BoardRecord, "id">[]) => boards.map(({ id }) => id);

async function addAll(database: Database, boards: readonly Partial<BoardRecord>[]): Promise<void> {
  for (const board of boards) {
    await database.boards.add(boardRecord(board));
  }
}

/** Defines the tests for boards on one kind of database. */
export function describeBoards(kind: DatabaseKind): void {
  const create = async () => openDatabaseOnStillClock(await reuseTestDatabase(kind));

  describe("boards", () => {
    it("are returned as they were added, with or without optional fields", async () => {
      const { boards } = await create();
      const sparse = boardRecord({ createdBy: undefined, nextSlotMs: undefined, state: "draft" });
      const whole = boardRecord({
        id: "board002",
        state: "paused",
        pausedBecause: "channel-gone",
        changes: "board001",
        nextSlotMs: 1_795_021_200_000,
        claimedSlotMs: 1_795_021_140_000,
        claimedUntilMs: 1_795_021_320_000,
        messageId: "1441000000000000001",
        messageSlotMs: 1,
        shownHash: "abc",
        shownDataMs: 2,
        lastSentMs: 3,
        missed: 4,
        lastMissedMs: 5,
        history: "{}",
      });
      await boards.add(sparse);
      await boards.add(whole);
      expect(await boards.get("board001")).toEqual(sparse);
      expect(await boards.get("board002")).toEqual(whole);
      expect(await boards.get("board003")).toBeUndefined();
    });

    it("are counted by state; servers that the bot has left do not count as due or late", async () => {
      const database = await create();
      await addAll(database, [
        { id: "a" },
        { id: "b", nextSlotMs: 20_000, claimedSlotMs: 9_000 },
        { id: "c", nextSlotMs: 80_000 },
        { id: "d", guildId: "2" },
        { id: "e", state: "paused", nextSlotMs: undefined },
      ]);
      await database.leftGuilds.add("2", 5_000);
      const { boards, ...others } = await database.tally();
      // The engine decides the order.
      expect(new Set(Object.values(boards ?? {}))).toEqual(
        new Set([
          [{ state: "active" }, 4],
          [{ state: "paused" }, 1],
        ]),
      );
      expect(others).toEqual({
        boards_due: 2,
        boards_late: 0,
        watches: [],
        publications: [],
        video_accounts: [],
      });
      await database.clock.advance(60_000);
      expect(await database.tally()).toMatchObject({ boards_due: 2, boards_late: 2 });
      await database.clock.advance(10_000);
      expect(await database.tally()).toMatchObject({ boards_due: 3, boards_late: 2 });
    });

    it("are listed by server in the order of their creation", async () => {
      const database = await create();
      await addAll(database, [
        { id: "c", createdAtMs: 2_000 },
        { id: "b", createdAtMs: 3_000, state: "draft" },
        { id: "a", createdAtMs: 1_000, state: "paused" },
        { id: "d", guildId: "2" },
      ]);
      expect(ids(await database.boards.ofGuild("1"))).toEqual(["a", "c", "b"]);
      expect(await database.boards.ofGuild("3")).toEqual([]);
    });

    it("are found by their channel while they are active", async () => {
      const database = await create();
      await addAll(database, [
        { id: "here" },
        { id: "there", channelId: "12" },
        { id: "other", guildId: "2" },
        { id: "paused", state: "paused" },
      ]);
      expect(ids(await database.boards.inChannel("1", "11"))).toEqual(["here"]);
      expect(await database.boards.inChannel("1", "13")).toEqual([]);
      await database.boards.add(boardRecord({ id: "beside", channelId: "11" }));
      expect((await database.boards.activeChannels()).filter((id) => id === "11")).toEqual(["11"]);
      expect(await database.boards.activeChannels()).not.toContain("13");
    });

    it("forget a message only if it is still their own, and may become due sooner", async () => {
      const { boards } = await create();
      const message = { messageId: "5", messageSlotMs: 1, shownHash: "abc", shownDataMs: 2 };
      const lost = {
        messageId: undefined,
        messageSlotMs: undefined,
        shownHash: undefined,
        shownDataMs: undefined,
      };
      const seen = boardRecord({ ...message, nextSlotMs: 10_000 });
      await boards.add(seen);
      await boards.forgetMessage({ id: seen.id, messageId: "4" }, 9_000);
      await boards.forgetMessage({ id: seen.id, messageId: undefined }, 9_000);
      expect(await boards.get(seen.id)).toEqual(seen);
      await boards.forgetMessage(seen);
      expect(await boards.get(seen.id)).toEqual({ ...seen, ...lost });
      // The board never becomes due later than it already would.
      for (const [byMs, nextSlotMs] of [
        [11_000, 10_000],
        [9_000, 9_000],
      ]) {
        await boards.forgetMessage({ id: seen.id, messageId: undefined }, byMs);
        expect(await boards.get(seen.id)).toEqual({ ...seen, ...lost, nextSlotMs });
      }
      await boards.change(seen.id, { nextSlotMs: undefined });
      await boards.forgetMessage({ id: seen.id, messageId: undefined }, 8_000);
      expect(await boards.get(seen.id)).toMatchObject({ nextSlotMs: 8_000 });
      await boards.change(seen.id, { ...message, state: "paused" });
      await boards.forgetMessage(seen, 7_000);
      expect(await boards.get(seen.id)).toMatchObject({ ...message, nextSlotMs: 8_000 });
    });

    it("are due from their slot on while they are active, longest wait first", async () => {
      const database = await create();
      await addAll(database, [
        { id: "later", nextSlotMs: 10_001 },
        { id: "now", nextSlotMs: 10_000 },
        { id: "before", nextSlotMs: 9_000 },
        { id: "paused", state: "paused" },
        { id: "draft", state: "draft" },
        { id: "removed", state: "removed" },
        { id: "never", nextSlotMs: undefined },
        { id: "claimed", nextSlotMs: 9_500, claimedSlotMs: 9_000, claimedUntilMs: 10_001 },
        { id: "abandoned", nextSlotMs: 20_000, claimedSlotMs: 8_000, claimedUntilMs: 10_000 },
      ]);
      expect(ids(await database.boards.due(10_000))).toEqual(["abandoned", "before", "now"]);
    });

    it("are due a few at a time, with equal settings together", async () => {
      const database = await create();
      await addAll(database, [
        { id: "1", settings: "York" },
        { id: "2", settings: "Leeds" },
        { id: "3", settings: "York" },
        { id: "4", settings: "Leeds" },
        { id: "5", settings: "York", nextSlotMs: 9_000 },
      ]);
      expect(ids(await database.boards.due(10_000, 4))).toEqual(["5", "2", "4", "1"]);
      expect(ids(await database.boards.due(10_000))).toEqual(["5", "2", "4", "1", "3"]);
    });

    it("are due after all others if they edit their message at an interval", async () => {
      const database = await create();
      const settings = JSON.stringify(parseBoardSettings(JSON.stringify(boardSettings())));
      const inOtherOrder = JSON.stringify({ schedule: { timing: { every: 5 } }, mode: "edit" });
      await addAll(database, [
        { id: "edited", settings, messageId: "4", nextSlotMs: 9_000 },
        { id: "edited too", settings: inOtherOrder, messageId: "6", nextSlotMs: 9_001 },
        { id: "first", settings },
        { id: "posted", settings: JSON.stringify({ mode: "post" }), messageId: "5" },
      ]);
      expect(ids(await database.boards.due(10_000))).toEqual(["first", "posted", "edited", "edited too"]);
    });

    it("of a server that the bot has left are neither due nor active until it is back", async () => {
      const database = await create();
      await addAll(database, [{ id: "here" }, { id: "left", guildId: "2" }]);
      await database.leftGuilds.add("2", 5_000);
      expect(ids(await database.boards.due(10_000))).toEqual(["here"]);
      expect(ids(await database.boards.active())).toEqual(["here"]);
      await database.leftGuilds.remove(["2"]);
      expect(ids(await database.boards.due(10_000))).toEqual(["here", "left"]);
      expect(ids(await database.boards.active()).toSorted()).toEqual(["here", "left"]);
    });

    it("are claimed, not due for others meanwhile, and finished with the slot's outcome", async () => {
      const { boards, clock } = await create();
      const seen = boardRecord({ missed: 1, lastMissedMs: 4_000, shownHash: "old", messageId: "5" });
      await boards.add(seen);
      expect(
        await boards.claim([claimOf(seen, { missed: 2, lastMissedMs: 9_000, history: "claimed" })], 3_000),
      ).toEqual(new Map([[seen.id, 13_000]]));
      expect(await boards.get(seen.id)).toEqual({
        ...seen,
        claimedSlotMs: 10_000,
        claimedUntilMs: 13_000,
        nextSlotMs: 20_000,
        missed: 3,
        lastMissedMs: 9_000,
        history: "claimed",
      });
      await clock.set(12_999);
      expect(await boards.due(12_999)).toEqual([]);
      const outcome = { shownHash: "new", messageId: undefined, history: "finished" };
      expect(await boards.finish(seen.id, 10_000, outcome)).toBe("active");
      expect(await boards.get(seen.id)).toEqual({
        ...seen,
        nextSlotMs: 20_000,
        missed: 3,
        lastMissedMs: 9_000,
        history: "finished",
        shownHash: "new",
        messageId: undefined,
      });
      expect(await boards.finish(seen.id, 10_000, { shownHash: "late" })).toBeUndefined();
    });

    it("are claimed in one statement, each with its own values", async () => {
      const statements: string[] = [];
      const { boards } = await openDatabaseOnStillClock(
        await reuseTestDatabase(kind),
        undefined,
        (statement, run) => {
          statements.push(statement);
          return run();
        },
      );
      const due = boardRecord({ id: "due", history: "kept", missed: 1 });
      const abandoned = boardRecord({ id: "abandoned", claimedSlotMs: 9_000, claimedUntilMs: 9_500 });
      await boards.add(due);
      await boards.add(abandoned);
      statements.length = 0;
      const claims = [
        claimOf(due, { missed: 2, lastMissedMs: 5_000 }),
        claimOf(abandoned, { slotMs: 9_000, nextSlotMs: undefined, missed: 4, history: "new" }),
      ];
      expect((await boards.claim(claims, 3_000)).size).toBe(2);
      expect(statements.filter((statement) => statement.includes("boards"))).toHaveLength(1);
      const claimed = { claimedUntilMs: 13_000 };
      expect(await boards.get("due")).toEqual({
        ...due,
        ...claimed,
        claimedSlotMs: 10_000,
        nextSlotMs: 20_000,
        missed: 3,
        lastMissedMs: 5_000,
      });
      expect(await boards.get("abandoned")).toEqual({
        ...abandoned,
        ...claimed,
        nextSlotMs: undefined,
        history: "new",
      });
    });

    it("cannot be finished by a process whose claim another has taken over", async () => {
      const { boards } = await create();
      const seen = boardRecord();
      await boards.add(seen);
      await boards.claim([claimOf(seen)], 3_000);
      const abandoned = boardRecord({ nextSlotMs: 20_000, claimedSlotMs: 10_000, claimedUntilMs: 13_000 });
      const over = claimOf(abandoned, { slotMs: 20_000, nextSlotMs: 30_000 });
      expect(await boards.claim([over], 3_000)).toEqual(new Map([[seen.id, 13_000]]));
      expect(await boards.finish(seen.id, 10_000, { shownHash: "late" })).toBeUndefined();
      expect(await boards.get(seen.id)).toMatchObject({ claimedSlotMs: 20_000, shownHash: undefined });
    });

    it("are not claimed by a process that read an outdated row", async () => {
      const { boards } = await create();
      const seen = boardRecord();
      await boards.add(seen);
      const claims = [
        claimOf(boardRecord({ nextSlotMs: 9_000 })),
        claimOf(boardRecord({ nextSlotMs: undefined })),
        claimOf(boardRecord({ claimedSlotMs: 9_000, claimedUntilMs: 9_500 })),
        claimOf(boardRecord({ id: "board404" })),
        // Otherwise its message would be posted in the channel from which somebody has just moved the board.
        claimOf(boardRecord({ channelId: "12" })),
      ];
      expect(await boards.claim(claims, 3_000)).toEqual(new Map());
      await boards.changeState(seen.id, ["active"], { state: "paused" });
      expect(await boards.claim([claimOf(seen)], 3_000)).toEqual(new Map());
      expect(await boards.claim([], 3_000)).toEqual(new Map());
      expect(await boards.get(seen.id)).toEqual({ ...seen, state: "paused" });
    });

    it("are claimed exactly once if two processes claim at the same time", async () => {
      const [first, second] = await openTwiceOnStillClock(kind);
      const seen = Array.from({ length: 30 }, (_, index) => boardRecord({ id: `board${index}` }));
      await addAll(first, seen);
      const claims = seen.map((board) => claimOf(board));
      const won = await Promise.all([
        first.boards.claim(claims, 3_000),
        second.boards.claim(claims.toReversed(), 3_000),
        ...claims.flatMap((claim) => [
          first.boards.claim([claim], 3_000),
          second.boards.claim([claim], 3_000),
        ]),
      ]);
      expect(won.flatMap((each) => [...each.keys()]).toSorted()).toEqual(seen.map(({ id }) => id).toSorted());
    });

    it("change only the given fields, whatever their state", async () => {
      const { boards } = await create();
      const board = boardRecord({ state: "removed" });
      await boards.add(board);
      expect(await boards.change(board.id, { shownHash: "new", nextSlotMs: undefined })).toBe(true);
      expect(await boards.get(board.id)).toEqual({ ...board, shownHash: "new", nextSlotMs: undefined });
      expect(await boards.change("board404", { shownHash: "new" })).toBe(false);
    });

    it("change their state only from one of the given states", async () => {
      const { boards } = await create();
      const board = boardRecord({ state: "draft" });
      await boards.add(board);
      const save = () => boards.changeState(board.id, ["draft", "paused"], { state: "active", changes: "x" });
      expect(await save()).toBe("changed");
      expect(await save()).toBe("not-in-state");
      expect(await boards.changeState("board404", ["draft"], { state: "active" })).toBe("not-in-state");
      expect(await boards.get(board.id)).toEqual({ ...board, state: "active", changes: "x" });
    });

    it("are refused above the server's limit, which counts active and paused boards", async () => {
      const database = await create();
      await addAll(database, [
        { id: "active" },
        { id: "paused", state: "paused" },
        { id: "draft", state: "draft" },
        { id: "removed", state: "removed" },
        { id: "elsewhere", guildId: "2" },
      ]);
      const save = (most: number) =>
        database.boards.changeState("draft", ["draft"], { state: "active" }, most);
      expect(await save(2)).toBe("no-room");
      expect((await database.boards.get("draft"))?.state).toBe("draft");
      // A board does not count against its own limit.
      expect(await database.boards.changeState("paused", ["paused"], { state: "active" }, 2)).toBe("changed");
      expect(await save(3)).toBe("changed");
      expect(await save(3)).toBe("not-in-state");
    });

    it("never exceed the limit if many are saved at once", async () => {
      const [first, second] = await openTwiceOnStillClock(kind);
      const drafts = Array.from({ length: 12 }, (_, index) =>
        boardRecord({ id: `board${index}`, state: "draft" }),
      );
      await addAll(first, drafts);
      const results = await Promise.all(
        drafts.map(({ id }, index) =>
          (index % 2 === 0 ? first : second).boards.changeState(id, ["draft"], { state: "active" }, 5),
        ),
      );
      expect(results.filter((result) => result === "changed")).toHaveLength(5);
      expect(results.filter((result) => result === "no-room")).toHaveLength(7);
      expect(await first.boards.active()).toHaveLength(5);
    });

    it("are deleted if they are discarded as drafts, and swept some time after they became drafts or were removed", async () => {
      const database = await create();
      const { boards } = database;
      await addAll(database, [
        { id: "active" },
        { id: "draft", state: "draft", stateAtMs: 1_999 },
        { id: "fresh", state: "draft", stateAtMs: 2_000 },
        { id: "gone", state: "removed", stateAtMs: 1_999 },
        { id: "paused", state: "paused" },
        { id: "other", state: "draft", stateAtMs: 2_000 },
      ]);
      for (const id of ["active", "other", "board404"]) {
        await boards.discard(id);
      }
      await boards.sweep(2_000);
      expect(ids(await boards.ofGuild("1"))).toEqual(["active", "fresh", "paused"]);
    });
  });

  describe("the question log", () => {
    it("remembers when each question was last asked", async () => {
      const { boardQuestions } = await create();
      await boardQuestions.note("departures:YRK", 1_000);
      await boardQuestions.note("arrivals:YRK", 3_000);
      await boardQuestions.note("departures:YRK", 4_000);
      expect(await boardQuestions.all()).toEqual([
        { key: "arrivals:YRK", askedAtMs: 3_000 },
        { key: "departures:YRK", askedAtMs: 4_000 },
      ]);
    });

    it("forgets questions that nobody has asked for a long time", async () => {
      const { boardQuestions } = await create();
      await boardQuestions.note("asked", 5_000);
      await boardQuestions.note("old", 4_999);
      await boardQuestions.sweep(5_000);
      expect((await boardQuestions.all()).map(({ key }) => key)).toEqual(["asked"]);
    });
  });

  describe("publishings", () => {
    it("are allowed up to the limit in each window, separately for each channel", async () => {
      const { publishings, clock } = await create();
      const take = async (channelId: string, nowMs: number) => {
        await clock.set(nowMs);
        return publishings.take(channelId, "1", 1_000, 2);
      };
      expect([await take("11", 15_000), await take("11", 15_500), await take("11", 15_999)]).toEqual([
        true,
        true,
        false,
      ]);
      expect(await take("12", 15_999)).toBe(true);
      expect([await take("11", 16_000), await take("11", 16_000)]).toEqual([true, false]);
    });

    it("do not count if a clock that was far ahead recorded them", async () => {
      const { publishings, clock } = await create();
      await clock.jump(9_000_000);
      expect(await publishings.take("11", "1", 1_000, 1)).toBe(true);
      await clock.jump(-9_000_000);
      expect(await publishings.take("11", "1", 1_000, 1)).toBe(true);
      expect(await publishings.take("11", "1", 1_000, 1)).toBe(false);
    });

    it("never exceed the limit if many are requested at once", async () => {
      const [first, second] = await openTwiceOnStillClock(kind);
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? first : second).publishings.take("11", "1", 1_000, 10),
        ),
      );
      expect(taken.filter(Boolean)).toHaveLength(10);
    });
  });

  describe("leases", () => {
    it("belong to their holder until they expire, then another can take them", async () => {
      const { leases, clock } = await create();
      expect(await leases.take("ticks", "a", 2_000)).toBe(true);
      await clock.advance(1_000);
      expect(await leases.take("ticks", "b", 2_000)).toBe(false);
      expect(await leases.take("ticks", "a", 2_000)).toBe(true);
      await clock.advance(1_999);
      expect(await leases.take("ticks", "b", 2_000)).toBe(false);
      expect(await leases.take("other", "b", 2_000)).toBe(true);
      await clock.advance(1);
      expect(await leases.take("ticks", "b", 2_000)).toBe(true);
      await clock.advance(1);
      expect(await leases.take("ticks", "a", 2_000)).toBe(false);
    });

    it("can be released only by their holder", async () => {
      const { leases } = await create();
      await leases.take("ticks", "a", 2_000);
      await leases.release(["ticks"], "b");
      expect(await leases.take("ticks", "b", 2_000)).toBe(false);
      await leases.release(["ticks"], "a");
      expect(await leases.take("ticks", "b", 2_000)).toBe(true);
    });

    it("do not count if a clock that was far ahead took them", async () => {
      const { leases, clock } = await create();
      await clock.jump(9_000_000);
      await leases.take("ticks", "a", 2_000);
      await clock.jump(-9_000_000);
      expect(await leases.take("ticks", "b", 2_000)).toBe(true);
    });

    it("stay with their holder if the clock is set back a little", async () => {
      const { leases, clock } = await create();
      await leases.take("ticks", "a", 2_000);
      await clock.jump(-1_000);
      expect(await leases.take("ticks", "b", 2_000)).toBe(false);
    });

    it("have one holder if several want them at the same time", async () => {
      const [first, second] = await openTwiceOnStillClock(kind);
      // The first round opens all connections, so that none is late for the second.
      for (const name of ["other", "ticks"]) {
        const taken = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            (index % 2 === 0 ? first : second).leases.take(name, `holder ${index}`, 2_000),
          ),
        );
        expect(taken.filter(Boolean)).toHaveLength(1);
      }
    });
  });

  describe("erasing", () => {
    it("deletes the boards and publishings of one server only", async () => {
      const database = await create();
      await addAll(database, [{ id: "gone" }, { id: "stays", guildId: "2" }]);
      await database.publishings.take("11", "1", 1_000, 1);
      await database.publishings.take("22", "2", 1_000, 1);
      expect((await database.guildIds()).toSorted()).toEqual(["1", "2"]);
      await database.eraseGuild("1");
      expect(await database.guildIds()).toEqual(["2"]);
      expect(ids(await database.boards.active())).toEqual(["stays"]);
      expect(await database.publishings.take("11", "1", 1_000, 1)).toBe(true);
      expect(await database.publishings.take("22", "2", 1_000, 1)).toBe(false);
    });

    it("removes a person's id from their boards, and deletes their drafts", async () => {
      const database = await create();
      await addAll(database, [
        { id: "active" },
        { id: "draft", state: "draft" },
        { id: "paused", state: "paused" },
        { id: "theirs", createdBy: "8" },
      ]);
      const kept = await database.exportUser("7");
      expect(Object.keys(kept)).toEqual(["boards"]);
      expect(kept["boards"]).toHaveLength(3);
      await database.eraseUser("7");
      expect(Object.keys(await database.exportUser("7"))).toEqual(["erasures"]);
      const left = await database.boards.ofGuild("1");
      expect(left.map(({ id, createdBy }) => [id, createdBy])).toEqual([
        ["active", undefined],
        ["paused", undefined],
        ["theirs", "8"],
      ]);
    });
  });
}
