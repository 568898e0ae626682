// The requirements on every engine for watches and their incidents. Each test gets an empty database.
import { describe, expect, it } from "vitest";
import type { Database } from "../../src/database.ts";
import type { WatchRecord } from "../../src/watches/watches-table.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { reuseTestDatabase, openDatabaseOnStillClock, openTwiceOnStillClock } from "../open.ts";
import { incidentRecord, incidentWrite, watchRecord } from "./watch-record.ts";

const ids = (watches: readonly WatchRecord[]) => watches.map(({ id }) => id);
const channel = (guildId: string) => ({ guildId, channelId: `${guildId}1` });

async function addAll(database: Database, watches: readonly Partial<WatchRecord>[]): Promise<void> {
  for (const watch of watches) {
    const { nextAtMs, ...record } = watchRecord(watch);
    await database.watches.add(record);
    if (nextAtMs !== undefined) {
      await database.watches.defer([watchRecord({ ...watch, nextAtMs: undefined })], () => nextAtMs);
    }
  }
}

/** Defines the tests for watches on one kind of database. */
export function describeWatches(kind: DatabaseKind): void {
  const create = async () => openDatabaseOnStillClock(await reuseTestDatabase(kind));

  describe("watches", () => {
    it("are read as they were added, with and without optional fields", async () => {
      const database = await create();
      const sparse = watchRecord({ askedGuildId: undefined, askedChannelId: undefined, state: "draft" });
      const whole = watchRecord({
        ...channel("1"),
        id: "watch002",
        state: "paused",
        pausedBecause: "dm-closed",
        stateAtMs: 1_795_021_200_000,
      });
      await addAll(database, [sparse, whole]);
      expect(await database.watches.get("watch001")).toEqual(sparse);
      expect(await database.watches.get("watch002")).toEqual(whole);
      expect(await database.watches.get("watch003")).toBeUndefined();
    });

    it("are listed by owner and by server in the order of their creation", async () => {
      const database = await create();
      await addAll(database, [
        { id: "c", createdAtMs: 2_000 },
        { id: "b", createdAtMs: 3_000, state: "ended", ...channel("1") },
        { id: "a", createdAtMs: 1_000, state: "paused", ...channel("1") },
        { id: "d", ownerId: "8", ...channel("1") },
        { id: "e", ownerId: "8", ...channel("2") },
      ]);
      expect(ids(await database.watches.ofOwner("7"))).toEqual(["a", "c", "b"]);
      expect(ids(await database.watches.ofGuild("1"))).toEqual(["a", "d", "b"]);
    });

    it("are due if they are active and their time has come or is unknown", async () => {
      const database = await create();
      await addAll(database, [
        { id: "later", nextAtMs: 10_001 },
        { id: "new", createdAtMs: 2_000 },
        { id: "now", createdAtMs: 3_000, nextAtMs: 10_000 },
        { id: "paused", state: "paused" },
        { id: "draft", state: "draft" },
        { id: "ended", state: "ended" },
      ]);
      expect(ids(await database.watches.due(10_000))).toEqual(["new", "now"]);
      expect(ids(await database.watches.active())).toEqual(["later", "new", "now"]);
    });

    it("of servers that the bot has left are neither due nor active, but watches for a person are", async () => {
      const database = await create();
      await addAll(database, [{ id: "person" }, { id: "server", ...channel("1") }]);
      await database.leftGuilds.add("1", 5_000);
      expect(ids(await database.watches.due(10_000))).toEqual(["person"]);
      expect(ids(await database.watches.active())).toEqual(["person"]);
    });

    it("are deferred unless they changed meanwhile", async () => {
      const database = await create();
      const { watches } = database;
      await addAll(database, [{ id: "same" }, { id: "changed" }, { id: "paused" }]);
      const seen = await watches.due(1_000);
      await watches.changeState("changed", ["active"], { settings: "{2}" });
      await watches.changeState("paused", ["active"], { state: "paused" });
      await watches.defer(seen, () => 20_000);
      expect((await watches.get("same"))?.nextAtMs).toBe(20_000);
      expect((await watches.get("changed"))?.nextAtMs).toBeUndefined();
      expect((await watches.get("paused"))?.nextAtMs).toBeUndefined();
    });

    it("lose times that are in the future because a clock was wrong", async () => {
      const database = await create();
      const { watches, incidents } = database;
      await addAll(database, [
        { id: "waits", nextAtMs: 20_001 },
        { id: "due", nextAtMs: 20_000 },
        { id: "ended", state: "ended", stateAtMs: 20_001 },
        { id: "over", state: "ended", stateAtMs: 20_000 },
        { id: "paused", state: "paused", stateAtMs: 20_001 },
      ]);
      const knowledge = "{}";
      await incidents.write([
        incidentWrite({ watchId: "due", day: "2026-11-20", changes: { knowledge, closedAtMs: 20_000 } }),
        incidentWrite({ watchId: "due", day: "2026-11-21", changes: { knowledge, closedAtMs: 20_001 } }),
        incidentWrite({ watchId: "due", day: "2026-11-22", changes: { knowledge, claimForMs: 10_001 } }),
      ]);
      await watches.forgetAfter(20_000);
      expect((await watches.get("waits"))?.nextAtMs).toBeUndefined();
      expect((await watches.get("due"))?.nextAtMs).toBe(20_000);
      expect(await watches.get("ended")).toMatchObject({ state: "active", stateAtMs: 20_000 });
      expect((await watches.get("over"))?.state).toBe("ended");
      expect((await watches.get("paused"))?.state).toBe("paused");
      expect(await incidents.ofWatch("due")).toMatchObject([
        { day: "2026-11-20", closedAtMs: 20_000 },
        { day: "2026-11-22", claimedUntilMs: undefined },
      ]);
    });

    it("change their state only from one of the given states, and are then checked again", async () => {
      const database = await create();
      const { watches, incidents } = database;
      await addAll(database, [{ nextAtMs: 20_000 }]);
      await incidents.write([incidentWrite({ changes: { knowledge: "{}", shownHash: "old" } })]);
      const pause = () => watches.changeState("watch001", ["active"], { state: "paused", stateAtMs: 2_000 });
      expect(await pause()).toBe("changed");
      expect(await pause()).toBe("not-in-state");
      expect(ids(await watches.paused())).toEqual(["watch001"]);
      expect(await watches.changeState("watch404", ["active"], {})).toBe("not-in-state");
      expect(await watches.get("watch001")).toEqual(watchRecord({ state: "paused", stateAtMs: 2_000 }));
      expect((await incidents.ofWatch("watch001"))[0]?.shownHash).toBeUndefined();
    });

    it("count towards their owner's limit, or towards the server's if they post in its channel", async () => {
      const database = await create();
      await addAll(database, [
        { id: "own", state: "paused" },
        { id: "ended", state: "ended" },
        { id: "other", ownerId: "8" },
        { id: "server", ...channel("1"), ownerId: "8" },
        { id: "mine", state: "draft" },
        { id: "ours", state: "draft", ...channel("1") },
      ]);
      const save = (id: string, perOwner: number, perGuild: number) =>
        database.watches.changeState(id, ["draft"], { state: "active" }, { perOwner, perGuild });
      expect(await save("mine", 1, 9)).toBe("no-room");
      expect(await save("ours", 9, 1)).toBe("no-room");
      expect(await save("mine", 2, 0)).toBe("changed");
      expect(await save("ours", 0, 2)).toBe("changed");
    });

    it("never exceed the limit if many are saved at once", async () => {
      const [first, second] = await openTwiceOnStillClock(kind);
      const drafts = Array.from({ length: 12 }, (_, index) => ({
        id: `watch${index}`,
        state: "draft" as const,
      }));
      await addAll(first, drafts);
      const results = await Promise.all(
        drafts.map(({ id }, index) =>
          (index % 2 === 0 ? first : second).watches.changeState(
            id,
            ["draft"],
            { state: "active" },
            { perOwner: 5, perGuild: 5 },
          ),
        ),
      );
      expect(results.filter((result) => result === "changed")).toHaveLength(5);
    });

    it("are removed with their incidents, and so are old drafts and watches that ended long ago", async () => {
      const database = await create();
      const { watches, incidents } = database;
      await addAll(database, [
        { id: "draft", state: "draft", stateAtMs: 1_999 },
        { id: "fresh", state: "draft", stateAtMs: 2_000 },
        { id: "gone" },
        { id: "other" },
        { id: "stays" },
      ]);
      const closed = { changes: { knowledge: "{}", closedAtMs: 999 } };
      await incidents.write([
        incidentWrite({ watchId: "gone" }),
        incidentWrite({ watchId: "other" }),
        incidentWrite({ watchId: "stays", day: "2026-11-20", ...closed }),
        incidentWrite({ watchId: "stays" }),
      ]);
      await watches.changeState("gone", ["active"], { state: "ended", stateAtMs: 999 });
      await watches.remove("other");
      await watches.remove("watch404");
      await watches.sweep(2_000, 1_000);
      expect(ids(await watches.ofOwner("7"))).toEqual(["fresh", "stays"]);
      const left = await Promise.all(["gone", "other", "stays"].map((id) => incidents.ofWatch(id)));
      expect(left.flat().map(({ watchId, day }) => [watchId, day])).toEqual([["stays", "2026-11-21"]]);
    });
  });

  describe("incidents", () => {
    it("are read as they were written", async () => {
      const database = await create();
      await addAll(database, [channel("1")]);
      const changes = {
        knowledge: '{"a":1}',
        postingSinceMs: 1,
        channelId: "5",
        messageId: "1441000000000000001",
        shownHash: "abc",
        closedAtMs: 2,
      };
      await database.incidents.write([incidentWrite({ changes: { ...changes, claimForMs: 2_000 } })]);
      expect(await database.incidents.ofWatch("watch001")).toEqual([
        incidentRecord({ guildId: "1", ...changes, claimedUntilMs: 12_000 }),
      ]);
    });

    it("change only for a writer that has seen their current revision", async () => {
      const database = await create();
      const { incidents } = database;
      await addAll(database, [{}]);
      expect(await incidents.write([incidentWrite()])).toEqual(new Set(["watch001 2026-11-21"]));
      expect(await incidents.write([incidentWrite()])).toEqual(new Set());
      const change = incidentWrite({ seenRevision: 1, changes: { knowledge: "{}", claimForMs: 5_000 } });
      expect((await incidents.write([change])).size).toBe(1);
      expect((await incidents.write([change])).size).toBe(0);
      const seen = incidentRecord({ revision: 2 });
      expect(await incidents.finish(seen, { claimForMs: undefined, messageId: "5" })).toBe(true);
      expect(await incidents.finish(seen, { messageId: "6" })).toBe(false);
      expect(await incidents.ofWatch("watch001")).toEqual([incidentRecord({ revision: 3, messageId: "5" })]);
    });

    it("change only while their watch is active, but can be finished", async () => {
      const database = await create();
      const { incidents } = database;
      await addAll(database, [{}]);
      await incidents.write([incidentWrite()]);
      await database.watches.changeState("watch001", ["active"], { state: "paused" });
      const late = incidentWrite({ seenRevision: 1 });
      expect(await incidents.write([late, incidentWrite({ day: "2026-11-22" })])).toEqual(new Set());
      expect(await incidents.finish(incidentRecord(), { messageId: "5" })).toBe(true);
      expect(await incidents.write([incidentWrite({ watchId: "watch404" })])).toEqual(new Set());
    });

    it("are due with their watch, the oldest day first", async () => {
      const database = await create();
      const { incidents } = database;
      await addAll(database, [{ id: "now" }, { id: "later", nextAtMs: 20_000 }, { id: "paused" }]);
      const closed = { changes: { knowledge: "{}", closedAtMs: 1 } };
      await incidents.write([
        incidentWrite({ watchId: "now", day: "2026-11-22" }),
        incidentWrite({ watchId: "now", day: "2026-11-20", ...closed }),
        incidentWrite({ watchId: "now" }),
        incidentWrite({ watchId: "later" }),
        incidentWrite({ watchId: "paused" }),
      ]);
      await database.watches.changeState("paused", ["active"], { state: "paused" });
      const due = await incidents.due(10_000);
      expect(due.map(({ watchId, day }) => [watchId, day])).toEqual([
        ["now", "2026-11-20"],
        ["now", "2026-11-21"],
        ["now", "2026-11-22"],
      ]);
    });

    it("count as claimed until the claim expires", async () => {
      const database = await create();
      await addAll(database, [{}]);
      await database.incidents.write([incidentWrite({ changes: { knowledge: "{}", claimForMs: 2_000 } })]);
      const claims = async () =>
        (await database.incidents.due(10_000)).map(({ claimedUntilMs }) => claimedUntilMs);
      expect(await claims()).toEqual([12_000]);
      await database.clock.advance(1_999);
      expect(await claims()).toEqual([12_000]);
      await database.clock.advance(1);
      expect(await claims()).toEqual([undefined]);
    });

    it("are written by exactly one of several simultaneous writers", async () => {
      const [first, second] = await openTwiceOnStillClock(kind);
      const days = Array.from({ length: 20 }, (_, index) => `2026-11-${index + 10}`);
      await addAll(first, [{}]);
      for (const seenRevision of [undefined, 1]) {
        const writes = days.map((day) => incidentWrite({ day, seenRevision }));
        const won = await Promise.all([
          first.incidents.write(writes),
          second.incidents.write(writes.toReversed()),
          ...writes.map((write) => first.incidents.write([write])),
        ]);
        expect(won.flatMap((each) => [...each]).toSorted()).toEqual(days.map((day) => `watch001 ${day}`));
      }
    });
  });

  describe("erasing", () => {
    it("removes a person's watches and their incidents, and nobody else's", async () => {
      const database = await create();
      await addAll(database, [{ id: "mine" }, { id: "theirs", ownerId: "8" }]);
      await database.incidents.write([
        incidentWrite({ watchId: "mine" }),
        incidentWrite({ watchId: "theirs" }),
      ]);
      expect(Object.keys(await database.exportUser("7")).toSorted()).toEqual(["incidents", "watches"]);
      await database.eraseUser("7");
      expect(Object.keys(await database.exportUser("7"))).toEqual(["erasures"]);
      expect(await database.incidents.ofWatch("mine")).toEqual([]);
      expect(await database.incidents.ofWatch("theirs")).toHaveLength(1);
    });

    it("removes a server's watches, and its id from watches that people created there", async () => {
      const database = await create();
      await addAll(database, [{ id: "person" }, { id: "server", ...channel("1") }]);
      await database.incidents.write([incidentWrite({ watchId: "server" })]);
      await database.eraseGuild("1");
      expect(await database.watches.ofOwner("7")).toEqual([
        watchRecord({ id: "person", askedGuildId: undefined, askedChannelId: undefined }),
      ]);
      expect(await database.incidents.ofWatch("server")).toEqual([]);
      expect(await database.guildIds()).toEqual([]);
    });
  });
}
