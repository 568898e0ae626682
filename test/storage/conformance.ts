// What every engine must do. Each test gets an empty database of its own.
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/storage/database.ts";
import type { Spend } from "../../src/storage/spending-table.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { describeBoards } from "./boards-conformance.ts";
import { createFor, openFor } from "./open.ts";
import { describePublications } from "./publications-conformance.ts";
import { describeStylePreviews } from "./style-previews-conformance.ts";
import { describeVideoRecords } from "./video-records-conformance.ts";
import { describeWatches } from "./watches-conformance.ts";

const log = createLog({ level: "silent", secrets: [] });

const create = async (kind: DatabaseKind) => openFor(await createFor(kind));

function spend(atMs: number, changed: Partial<Spend> = {}): Spend {
  const base = { service: "transport", windowMs: 1_000, skewMs: 100, limit: 3, weight: 1 };
  return { ...base, now: () => atMs, ...changed };
}

/** The conformance suite, for one kind of database. */
export function describeStorage(kind: DatabaseKind): void {
  describe.skipIf(kind.missing !== undefined)(`storage on ${kind.name}`, () => {
    describe("spending", () => {
      it("takes as much as the limit, and says when the next may be taken", async () => {
        const { spending } = await create(kind);
        for (const atMs of [5_000, 5_100, 5_200]) {
          expect(await spending.take(spend(atMs))).toEqual({ taken: true });
        }
        expect(await spending.take(spend(5_300))).toEqual({ taken: false, freesAtMs: 6_000 });
        expect(await spending.take(spend(5_999))).toEqual({ taken: false, freesAtMs: 6_000 });
        expect(await spending.take(spend(6_000))).toEqual({ taken: true });
        expect(await spending.take(spend(6_000))).toEqual({ taken: false, freesAtMs: 6_100 });
      });

      it("counts weights, and waits for as many calls as make room", async () => {
        const { spending } = await create(kind);
        await spending.take(spend(5_000));
        await spending.take(spend(5_100, { weight: 2 }));
        expect(await spending.take(spend(5_200, { weight: 2 }))).toEqual({ taken: false, freesAtMs: 6_100 });
        expect(await spending.take(spend(5_200, { weight: 1 }))).toEqual({ taken: false, freesAtMs: 6_000 });
        expect(await spending.take(spend(5_200, { weight: 4 }))).toEqual({
          taken: false,
          freesAtMs: undefined,
        });
        expect(await spending.take(spend(6_100, { weight: 3 }))).toEqual({ taken: true });
      });

      it("keeps services apart", async () => {
        const { spending } = await create(kind);
        await spending.take(spend(5_000, { weight: 3 }));
        expect(await spending.take(spend(5_000, { service: "other" }))).toEqual({ taken: true });
        await spending.close("other", 9_000);
        expect((await spending.read(spend(5_000))).closedUntilMs).toBeUndefined();
      });

      it("tells what counts now, and forgets what does not any more", async () => {
        const { spending } = await create(kind);
        expect(await spending.read(spend(5_000))).toEqual({
          used: 0,
          nextFreeAtMs: undefined,
          closedUntilMs: undefined,
        });
        await spending.take(spend(5_000, { weight: 2 }));
        await spending.take(spend(5_500));
        expect(await spending.read(spend(5_600))).toMatchObject({ used: 3, nextFreeAtMs: 6_000 });
        expect(await spending.read(spend(6_000))).toMatchObject({ used: 1, nextFreeAtMs: 6_500 });
        expect(await spending.read(spend(9_000))).toMatchObject({ used: 0, nextFreeAtMs: undefined });
      });

      it("takes nothing while it is closed, and opens by itself", async () => {
        const { spending } = await create(kind);
        await spending.close("transport", 7_000);
        await spending.close("transport", 6_000);
        expect(await spending.take(spend(5_000))).toEqual({ taken: false, freesAtMs: 6_000 });
        expect((await spending.read(spend(5_000))).closedUntilMs).toBe(6_000);
        expect(await spending.take(spend(6_000))).toEqual({ taken: true });
      });

      it("holds a call of a clock that ran ahead for one window from now, not for longer", async () => {
        const { spending } = await create(kind);
        await spending.take(spend(9_000_000, { weight: 3 }));
        expect(await spending.take(spend(5_000))).toEqual({ taken: false, freesAtMs: 6_000 });
        expect(await spending.take(spend(6_000))).toEqual({ taken: true });
      });

      it("never takes more than the limit when many want it at once", async () => {
        const { spending } = await create(kind);
        // The first round opens all the connections there will be, so that none is late for the second.
        for (const service of ["other", "transport"]) {
          const results = await Promise.all(
            Array.from({ length: 40 }, () => spending.take(spend(5_000, { service, limit: 7 }))),
          );
          expect(results.filter(({ taken }) => taken)).toHaveLength(7);
        }
      });

      it("remembers after it was closed and opened again", async () => {
        const url = await createFor(kind);
        const first = await openDatabase({ url, clock: systemClock, log });
        await first.spending.take(spend(5_000, { weight: 2 }));
        await first.close();
        expect((await (await openFor(url)).spending.read(spend(5_000))).used).toBe(2);
      });
    });

    describe("guilds that left", () => {
      it("are found once their time is up, and forgotten when they are back", async () => {
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

    describeBoards(kind);
    describeWatches(kind);
    describeStylePreviews(kind);
    describePublications(kind);
    describeVideoRecords(kind);

    describe("erasing", () => {
      it("takes a guild's rows and leaves the others", async () => {
        const database = await create(kind);
        await database.leftGuilds.add("1", 1_000);
        await database.leftGuilds.add("2", 1_000);
        await database.eraseGuild("1");
        expect(await database.leftGuilds.leftBefore(9_999)).toEqual(["2"]);
      });

      it("can be asked for a person of whom nothing is kept", async () => {
        const database = await create(kind);
        await database.eraseUser("1");
        expect(await database.exportUser("1")).toEqual({});
      });
    });
  });
}
