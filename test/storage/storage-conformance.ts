// Tests of storage that every database engine must pass. Each test gets an empty database.
import { describe, expect, it } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import type { Purpose, Spend, SpendResult } from "../../src/plan/spending-table.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { describeBoards } from "../boards/boards-conformance.ts";
import { reuseTestDatabase, openDatabaseOnStillClock } from "../open.ts";
import { describePublications } from "../videos/publications-conformance.ts";
import { describeVideoRecords } from "../videos/video-records-conformance.ts";
import { describeWatches } from "../watches/watches-conformance.ts";

const create = async (kind: DatabaseKind) => openDatabaseOnStillClock(await reuseTestDatabase(kind));

function spend(changed: Partial<Spend> = {}): Spend {
  const defaults = {
    purpose: "person",
    stepMs: 1,
    floors: { person: 0, board: 0 },
    leave: 0,
    weight: 1,
  } as const;
  return { service: "transport", windowMs: 1_000, limit: 3, ...defaults, ...changed };
}

/** Defines the tests on one kind of database. */
export function describeStorage(kind: DatabaseKind): void {
  describe.skipIf(kind.missing !== undefined)(`storage on ${kind.name}`, () => {
    describe("spending", () => {
      it("allows calls up to the limit, and says when the next is possible", async () => {
        const { spending, clock } = await create(kind);
        for (const atMs of [15_000, 15_100, 15_200]) {
          await clock.set(atMs);
          expect(await spending.take(spend())).toEqual({ taken: true });
        }
        await clock.set(15_300);
        expect(await spending.take(spend())).toMatchObject({ taken: false, freesInMs: 700 });
        await clock.set(15_999);
        expect(await spending.take(spend())).toMatchObject({ taken: false, freesInMs: 1 });
        await clock.set(16_000);
        expect(await spending.take(spend())).toEqual({ taken: true });
        expect(await spending.take(spend())).toMatchObject({ taken: false, freesInMs: 100 });
      });

      it("counts weights, and says when enough calls have expired", async () => {
        const { spending, clock } = await create(kind);
        await spending.take(spend());
        await clock.set(10_100);
        await spending.take(spend({ weight: 2 }));
        await clock.set(10_200);
        expect(await spending.take(spend({ weight: 2 }))).toMatchObject({ taken: false, freesInMs: 900 });
        expect(await spending.take(spend({ weight: 1 }))).toMatchObject({ taken: false, freesInMs: 800 });
        expect(await spending.take(spend({ weight: 4 }))).toMatchObject({
          taken: false,
          freesInMs: undefined,
        });
        await clock.set(11_100);
        expect(await spending.take(spend({ weight: 3 }))).toEqual({ taken: true });
      });

      it("reserves a part for boards as far as they need it, and a part for people", async () => {
        const { spending } = await create(kind);
        const floors = { person: 2, board: 5 };
        const take = async (purpose: Purpose, count: number) => {
          const results: SpendResult[] = [];
          for (let index = 0; index < count; index += 1) {
            results.push(await spending.take(spend({ purpose, floors, limit: 10 })));
          }
          return results.filter(({ taken }) => taken).length;
        };
        await spending.setBoardsDemand("transport", 3);
        expect(await take("person", 10)).toBe(7);
        await spending.setBoardsDemand("transport", 1_000);
        expect(await take("person", 1)).toBe(0);
        expect(await take("board", 10)).toBe(3);
        expect(await spending.read(spend())).toMatchObject({ used: 10, usedByPeople: 7, boardsWant: 1_000 });
      });

      it("lets boards exceed their part while enough is left for people", async () => {
        const { spending, clock } = await create(kind);
        const board = spend({ purpose: "board", floors: { person: 2, board: 5 }, limit: 10 });
        await spending.take({ ...board, weight: 8 });
        expect(await spending.take(board)).toEqual({ taken: false, room: 0, freesInMs: 1_000 });
        expect(await spending.take({ ...board, purpose: "person", weight: 2 })).toEqual({ taken: true });
        await clock.advance(1_000);
        await spending.take({ ...board, purpose: "person", weight: 5 });
        await spending.take({ ...board, weight: 5 });
        expect(await spending.take(board)).toMatchObject({ taken: false, room: 0 });
      });

      it("says when a call will be possible, whoever made the calls before it", async () => {
        const { spending, clock } = await create(kind);
        const person = spend({ floors: { person: 2, board: 5 }, limit: 10 });
        const board = { ...person, purpose: "board" } as const;
        await spending.setBoardsDemand("transport", 5);
        await spending.take(board);
        await clock.set(10_050);
        await spending.take({ ...board, weight: 4 });
        await clock.set(10_100);
        await spending.take({ ...person, weight: 5 });
        expect(await spending.take(board)).toMatchObject({ taken: false, freesInMs: 900 });
        expect(await spending.take(person)).toMatchObject({ taken: false, freesInMs: 1_000 });
        await clock.set(12_000);
        await spending.take({ ...board, weight: 8 });
        await clock.set(12_100);
        await spending.take({ ...person, weight: 2 });
        expect(await spending.take(person)).toMatchObject({ taken: false, freesInMs: 900 });
      });

      it("refuses a call that would leave too little, and says when it will be possible", async () => {
        const { spending, clock } = await create(kind);
        await spending.take(spend({ limit: 10, weight: 4 }));
        await clock.set(10_400);
        await spending.take(spend({ limit: 10, weight: 2 }));
        const refusal = { taken: false, room: 4 };
        expect(await spending.take(spend({ limit: 10, leave: 3.5 }))).toEqual({ ...refusal, freesInMs: 600 });
        expect(await spending.take(spend({ limit: 10, leave: 99 }))).toEqual({
          ...refusal,
          freesInMs: undefined,
        });
        expect(await spending.take(spend({ limit: 10, leave: 3 }))).toEqual({ taken: true });
      });

      it("counts the calls of a time step together, from the step's beginning", async () => {
        const { spending, clock } = await create(kind);
        const coarse = spend({ stepMs: 500, limit: 9 });
        await clock.set(10_400);
        await spending.take({ ...coarse, weight: 2 });
        await clock.set(10_499);
        await spending.take(coarse);
        await spending.take({ ...coarse, purpose: "board" });
        expect(await spending.read(coarse)).toMatchObject({ used: 4, usedByPeople: 3, nextFreeAtMs: 11_000 });
        await clock.set(11_000);
        expect(await spending.read(coarse)).toMatchObject({ used: 0 });
      });

      it("counts each service separately", async () => {
        const { spending, clock } = await create(kind);
        await spending.take(spend({ weight: 3 }));
        const other = spend({ service: "other" });
        expect(await spending.take(other)).toEqual({ taken: true });
        await clock.advance(400);
        await spending.take({ ...other, weight: 2 });
        expect(await spending.take({ ...other, weight: 2 })).toMatchObject({ freesInMs: 1_000 });
        await spending.close("other", 4_000);
        expect((await spending.read(spend())).closedUntilMs).toBeUndefined();
      });

      it("forgets a service's old calls after a day, but neither recent ones nor another service's", async () => {
        const { spending, clock } = await create(kind);
        await spending.take(spend());
        await spending.take(spend({ service: "other" }));
        await clock.advance(25 * 60 * 60_000 + 500);
        await spending.take(spend());
        await clock.advance(600);
        await spending.take(spend());
        const windowMs = 28 * 24 * 60 * 60_000;
        expect(await spending.read(spend({ windowMs }))).toMatchObject({ used: 2 });
        expect(await spending.read(spend({ service: "other", windowMs }))).toMatchObject({ used: 1 });
      });

      it("reports only the calls that still count", async () => {
        const { spending, clock } = await create(kind);
        expect(await spending.read(spend())).toEqual({
          used: 0,
          usedByPeople: 0,
          boardsWant: 0,
          nextFreeAtMs: undefined,
          closedUntilMs: undefined,
        });
        await spending.take(spend({ weight: 2 }));
        await clock.set(10_500);
        await spending.take(spend());
        await clock.set(10_600);
        expect(await spending.read(spend())).toMatchObject({ used: 3, nextFreeAtMs: 11_000 });
        await clock.set(11_000);
        expect(await spending.read(spend())).toMatchObject({ used: 1, nextFreeAtMs: 11_500 });
        await clock.set(14_000);
        expect(await spending.read(spend())).toMatchObject({ used: 0, nextFreeAtMs: undefined });
      });

      it("allows nothing while it is closed, and opens automatically", async () => {
        const { spending, clock } = await create(kind);
        await spending.close("transport", 1_000);
        expect(await spending.take(spend())).toMatchObject({ taken: false, freesInMs: 1_000 });
        expect((await spending.read(spend())).closedUntilMs).toBe(11_000);
        await clock.set(11_000);
        expect(await spending.take(spend())).toEqual({ taken: true });
      });

      it("stays closed for the longer time of two", async () => {
        const { spending, clock } = await create(kind);
        await spending.close("transport", 2_000);
        await spending.close("transport", 1_000);
        expect((await spending.read(spend())).closedUntilMs).toBe(12_000);
        await spending.close("transport", 3_000);
        expect((await spending.read(spend())).closedUntilMs).toBe(13_000);
        await clock.set(13_000);
        await spending.close("transport", 1_000);
        expect((await spending.read(spend())).closedUntilMs).toBe(14_000);
      });

      it("stays closed for one window at most, even if the clock was ahead when it was closed", async () => {
        const { spending, clock } = await create(kind);
        await clock.jump(7_200_000);
        await spending.close("transport", 1_000);
        await clock.jump(-7_200_000);
        await spending.close("other", 5_000);
        expect(await spending.take(spend())).toMatchObject({ taken: false, freesInMs: 1_000 });
        expect((await spending.read(spend({ service: "other" }))).closedUntilMs).toBe(15_000);
        await clock.advance(1_000);
        expect(await spending.take(spend())).toEqual({ taken: true });
      });

      it("frees no calls when the clock is set ahead, or back again", async () => {
        const { spending, clock } = await create(kind);
        await spending.take(spend());
        await clock.advance(100);
        await spending.take(spend({ weight: 2 }));
        await spending.close("other", 1_000);
        await clock.jump(7_200_000);
        expect(await spending.read(spend())).toMatchObject({ used: 3, nextFreeAtMs: clock.now() + 900 });
        expect(await spending.read(spend({ service: "other" }))).toMatchObject({
          used: 0,
          closedUntilMs: clock.now() + 1_000,
        });
        expect(await spending.take(spend())).toMatchObject({ taken: false, freesInMs: 900 });
        expect(await spending.take(spend({ service: "other" }))).toMatchObject({
          taken: false,
          freesInMs: 1_000,
        });
        await clock.jump(-7_200_000);
        expect(await spending.take(spend())).toMatchObject({ taken: false, freesInMs: 1_000 });
        await clock.advance(999);
        expect(await spending.take(spend())).toMatchObject({ taken: false, freesInMs: 1 });
        await clock.advance(1);
        expect(await spending.take(spend())).toEqual({ taken: true });
      });

      it("counts a call even if the clock was ahead when the process started", async () => {
        const url = await reuseTestDatabase(kind);
        const { spending, clock } = await openDatabaseOnStillClock(url);
        await spending.take(spend({ weight: 3 }));
        const ahead = await openDatabaseOnStillClock(
          url,
          createSandboxClock({ atMs: 7_210_000, mode: "still" }),
        );
        await ahead.spending.take(spend());
        expect(await spending.read(spend())).toMatchObject({ used: 4 });
        await clock.advance(400);
        expect(await spending.take(spend())).toMatchObject({ taken: false, freesInMs: 600 });
      });

      it("does not close a plan again if its closing has ended and two processes notice the same clock jump", async () => {
        const url = await reuseTestDatabase(kind);
        const first = await openDatabaseOnStillClock(url);
        const second = await openDatabaseOnStillClock(url, first.clock);
        await first.spending.close("transport", 1_000);
        await first.clock.advance(2_000);
        for (const { spending } of [first, second]) {
          await spending.take(spend({ service: "other" }));
        }
        await first.clock.jump(7_200_000);
        for (const { spending } of [first, second]) {
          expect(await spending.take(spend())).toEqual({ taken: true });
        }
      });

      it("frees calls that expired while the machine slept", async () => {
        const { spending, clock } = await create(kind);
        await spending.take(spend({ weight: 3 }));
        await clock.advance(7_200_000);
        expect(await spending.take(spend({ weight: 3 }))).toEqual({ taken: true });
      });

      it("never allows more than the limit if many calls are made at once", async () => {
        const { spending } = await create(kind);
        // The first round opens all connections, so that none is late for the second.
        for (const service of ["other", "transport"]) {
          const results = await Promise.all(
            Array.from({ length: 40 }, () => spending.take(spend({ service, limit: 7 }))),
          );
          expect(results.filter(({ taken }) => taken)).toHaveLength(7);
        }
      });

      it("is kept when the database is closed and opened again", async () => {
        const url = await reuseTestDatabase(kind);
        const first = await openDatabaseOnStillClock(url);
        await first.spending.take(spend({ weight: 2 }));
        await first.close();
        const { spending, clock } = await openDatabaseOnStillClock(url);
        await clock.jump(7_200_000);
        expect((await spending.read(spend())).used).toBe(2);
      });
    });

    describe("facts", () => {
      it("keep the value that was noted first", async () => {
        const { facts } = await create(kind);
        expect(await facts.storeIfAbsent("application", "1")).toBe("1");
        expect(await facts.storeIfAbsent("application", "2")).toBe("1");
      });
    });

    describe("servers that the bot has left", () => {
      it("are found by the time they left, and are forgotten when they are back", async () => {
        const { leftGuilds } = await create(kind);
        expect(await leftGuilds.add("1", 1_000)).toBe(true);
        await leftGuilds.add("2", 2_000);
        await leftGuilds.add("3", 3_000);
        expect(await leftGuilds.add("1", 9_000)).toBe(false);
        expect(await leftGuilds.among(["9", "2", "1"])).toEqual(["1", "2"]);
        expect(await leftGuilds.leftBefore(2_000)).toEqual(["1", "2"]);
        await leftGuilds.remove(["1", "404"]);
        await leftGuilds.remove([]);
        expect(await leftGuilds.leftBefore(9_999)).toEqual(["2", "3"]);
      });
    });

    describe("recent choices", () => {
      const station = (value: string) => ({ kind: "station", value });

      it("are a person's ten latest of each kind without duplicates, and are exported and erased", async () => {
        const database = await create(kind);
        const { recentChoices } = database;
        await recentChoices.note("7", [{ kind: "style", value: "oil" }], 1_000);
        for (let index = 0; index < 12; index += 1) {
          await recentChoices.note("7", [station(`S${index}`)], 2_000 + index);
        }
        await recentChoices.note("8", [station("LDS"), station("YRK")], 3_000);
        await recentChoices.note("7", [station("S4"), station("S11")], 4_000);
        expect((await recentChoices.of("7")).map(({ value }) => value)).toEqual([
          "S11",
          "S4",
          "S10",
          "S9",
          "S8",
          "S7",
          "S6",
          "S5",
          "S3",
          "S2",
          "oil",
        ]);
        expect(await recentChoices.of("9")).toEqual([]);
        expect((await database.exportUser("8"))["recentChoices"]).toHaveLength(2);
        await database.eraseUser("7");
        expect(await recentChoices.of("7")).toEqual([]);
        expect(await recentChoices.of("8")).toHaveLength(2);
      });

      it("are not stored for a person who has turned them off, until they turn them on again", async () => {
        const { recentChoices } = await create(kind);
        await recentChoices.note("7", [station("YRK")], 1_000);
        await recentChoices.note("8", [station("YRK")], 1_000);
        // As if the button were pressed twice, on two open connections.
        await Promise.all(["7", "8"].map((userId) => recentChoices.of(userId)));
        await Promise.all([2_000, 2_000].map((atMs) => recentChoices.remember("7", false, atMs)));
        await recentChoices.note("7", [station("LDS")], 3_000);
        const none = [{ kind: "off", value: "" }];
        expect(await recentChoices.of("7")).toEqual(none);
        // This setting does not expire.
        await recentChoices.note("8", [station("HUL")], 300 * 24 * 60 * 60_000);
        expect(await recentChoices.of("7")).toEqual(none);
        await recentChoices.remember("7", true, 4_000);
        await recentChoices.note("7", [station("LDS")], 5_000);
        expect(await recentChoices.of("7")).toEqual([station("LDS")]);
        await recentChoices.remember("7", true, 6_000);
        expect(await recentChoices.of("7")).toEqual([station("LDS")]);
      });

      it("are forgotten after 90 days, or if a clock that was ahead recorded them", async () => {
        const { recentChoices } = await create(kind);
        const dayMs = 24 * 60 * 60_000;
        await recentChoices.note("8", [station("HUL")], 300 * dayMs);
        await recentChoices.note("7", [station("YRK")], dayMs);
        await recentChoices.note("7", [station("LDS")], 91 * dayMs);
        expect(await recentChoices.of("8")).toEqual([]);
        expect(await recentChoices.of("7")).toHaveLength(2);
        await recentChoices.note("7", [station("LDS")], 91 * dayMs + 1);
        expect(await recentChoices.of("7")).toEqual([station("LDS")]);
      });
    });

    describe("previews of styles", () => {
      it("are returned as they were stored, and a second one with the same key is ignored", async () => {
        const { stylePreviews } = await create(kind);
        const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
        const oil = { key: "oil", contentType: "image/jpeg" as const, width: 640, height: 480, bytes };
        await stylePreviews.add(oil);
        await stylePreviews.add({ ...oil, width: 1 });
        await stylePreviews.add({ ...oil, key: "comic" });
        const [kept, ...others] = await stylePreviews.read(["oil", "none"]);
        expect(others).toEqual([]);
        expect(kept).toMatchObject({
          key: "oil",
          contentType: "image/jpeg" as const,
          width: 640,
          height: 480,
        });
        expect(new Uint8Array(kept?.bytes ?? [])).toEqual(bytes);
        expect(await stylePreviews.read([])).toEqual([]);
      });
    });

    describeBoards(kind);
    describeWatches(kind);
    describePublications(kind);
    describeVideoRecords(kind);

    describe("erasing", () => {
      it("deletes the rows of one server only", async () => {
        const database = await create(kind);
        await database.leftGuilds.add("1", 1_000);
        await database.leftGuilds.add("2", 1_000);
        await database.eraseGuild("1");
        expect(await database.leftGuilds.leftBefore(9_999)).toEqual(["2"]);
      });

      it("works for a person about whom nothing is stored", async () => {
        const database = await create(kind);
        await database.eraseUser("1");
        expect(Object.keys(await database.exportUser("1"))).toEqual(["erasures"]);
      });
    });
  });
}
