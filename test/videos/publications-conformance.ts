// The requirements on publications that every engine must meet. Each test gets an empty database.
import { describe, expect, it } from "vitest";
import type { PageCursor } from "../../src/storage/row.ts";
import type { Database } from "../../src/database.ts";
import {
  type PublicationRecord,
  type PublicationState,
  VideoTakenError,
} from "../../src/videos/publications-table.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { reuseTestDatabase, openDatabaseOnStillClock, openTwiceOnStillClock } from "../open.ts";
import { publicationRecord, auditRecord } from "./video-rows.ts";

const ids = (publications: readonly PublicationRecord[]) => publications.map(({ id }) => id);

async function addAll(database: Database, all: readonly Partial<PublicationRecord>[]): Promise<void> {
  for (const each of all) {
    const {
      revision: _first,
      claimedUntilMs: _until,
      claimToken: _token,
      ...record
    } = publicationRecord(each);
    await database.publications.add(record);
  }
}

/** Defines the tests for publications on one kind of database. */
export function describePublications(kind: DatabaseKind): void {
  const create = async () => openDatabaseOnStillClock(await reuseTestDatabase(kind));

  describe("publications", () => {
    it("are returned as they were added, complete or with fields absent", async () => {
      const database = await create();
      const sparse = publicationRecord();
      const whole = publicationRecord({
        id: "video002",
        messageId: "1441000000000000001",
        postingSinceMs: 1_795_021_200_000,
        shownHash: "abc",
        approvalChannelId: "12",
        approvalMessageId: "1441000000000000002",
        approvalShownHash: "def",
        state: "uploading",
        account: "page:1002003004005",
        title: "Opening 🚂",
        description: "“Long”\nand wide",
        publishAtMs: 1_795_021_200_000,
        fileUrl: "https://cdn.example.org/1/2/opening.mp4?ex=1",
        doneBytes: 4_999_999_999,
        percent: 40.5,
        session: '{"id":"555"}',
        pendingWrite: "finish",
        pendingSinceMs: 1_795_021_200_000,
        nextAtMs: 1_795_021_200_000,
        videoId: "10203040506070809",
        link: "https://video.example.org/reel/10203040506070809",
        stopReason: "cancelled",
        troubleSinceMs: 1_795_021_200_000,
        tries: 3,
        notBeforeMs: 1_795_021_260_000,
        problem: "{}",
        decidedBy: "8",
        refusedReason: "too loud",
      });
      await addAll(database, [sparse, whole]);
      expect(await database.publications.get("video001")).toEqual(sparse);
      expect(await database.publications.get("video002")).toEqual(whole);
      expect(await database.publications.get("video003")).toBeUndefined();
    });

    it("are found by server and video, and the newest of several is returned", async () => {
      const database = await create();
      await addAll(database, [
        { id: "new", videoId: "5", createdAtMs: 2_000, state: "deleted" },
        { id: "old", videoId: "5", createdAtMs: 1_000, account: "page:7" },
        { id: "other", videoId: "5", guildId: "2", createdAtMs: 3_000, account: "page:8" },
      ]);
      const { publications } = database;
      expect((await publications.ofVideo("1", "5"))?.id).toBe("new");
      expect(await publications.ofVideo("3", "5")).toBeUndefined();
      expect(await publications.ofVideo("1", "6")).toBeUndefined();
    });

    it("are listed by server and state in pages, newest first", async () => {
      const database = await create();
      await addAll(database, [
        { id: "a", createdAtMs: 1_000, state: "published" },
        { id: "a0", createdAtMs: 1_000, state: "published" },
        { id: "b", createdAtMs: 2_000, state: "scheduled" },
        { id: "c", createdAtMs: 3_000, state: "published" },
        { id: "d", createdAtMs: 4_000, state: "draft" },
        { id: "e", createdAtMs: 5_000, state: "published", guildId: "2" },
      ]);
      const list = async (limit: number, before?: PageCursor) =>
        ids(await database.publications.ofGuild("1", ["published", "scheduled"], { limit, before }));
      expect(await list(2)).toEqual(["c", "b"]);
      expect(await list(2, { atMs: 2_000, id: "b" })).toEqual(["a0", "a"]);
      expect(await list(2, { atMs: 1_000, id: "a0" })).toEqual(["a"]);
      expect(await list(2, { atMs: 2_000 })).toEqual(["a0", "a"]);
      expect(await database.publications.ofGuild("1", [], { limit: 9 })).toEqual([]);
    });

    it("have their titles or file names as titles, in their own server only", async () => {
      const database = await create();
      await addAll(database, [
        { id: "a", title: "Opening day" },
        { id: "b", fileName: "opening.mp4" },
        { id: "c", title: "Elsewhere", guildId: "2" },
        { id: "d", title: "Not asked for" },
      ]);
      const { publications } = database;
      expect(await publications.titles("1", ["a", "b", "c", "gone"])).toEqual(
        new Map([
          ["a", "Opening day"],
          ["b", "opening.mp4"],
        ]),
      );
      expect(await publications.titles("1", [])).toEqual(new Map());
    });

    it("show to which servers a person has submitted videos", async () => {
      const database = await create();
      await addAll(database, [
        { id: "a", guildId: "2" },
        { id: "b" },
        { id: "c" },
        { id: "d", guildId: "3", submittedBy: "8" },
        { id: "e", guildId: "4", submittedBy: undefined },
      ]);
      expect(await database.publications.guildsOf("7")).toEqual(["1", "2"]);
      expect(await database.publications.guildsOf("9")).toEqual([]);
    });

    it("show which videos are known, in any server and state", async () => {
      const database = await create();
      await addAll(database, [
        { id: "a", state: "published", videoId: "100", guildId: "2" },
        { id: "b", state: "uploading", videoId: "101" },
        { id: "c", state: "failed", videoId: "102" },
        { id: "d", state: "uploading" },
      ]);
      expect(await database.publications.known(["100", "102", "103"])).toEqual(new Set(["100", "102"]));
      expect(await database.publications.known([])).toEqual(new Set());
      expect(await database.publications.guildOfVideo("100")).toBe("2");
      expect(await database.publications.guildOfVideo("103")).toBeUndefined();
    });

    it("of one account with an unknown outcome are found in all servers", async () => {
      const database = await create();
      await addAll(database, [
        { id: "a", state: "uploading", account: "operator", pendingWrite: "simple" },
        { id: "b", state: "outcome-unknown", account: "operator", pendingWrite: "finish", guildId: "2" },
        { id: "c", state: "uploading", account: "operator" },
        { id: "d", state: "uploading", account: "page:9", pendingWrite: "simple" },
        { id: "e", state: "published", account: "operator", pendingWrite: "simple" },
      ]);
      expect(ids(await database.publications.withUnknownOutcome("operator")).toSorted()).toEqual(["a", "b"]);
    });

    it("are due when their time has come and they are not claimed, longest due first", async () => {
      const database = await create();
      await addAll(database, [
        { id: "now", nextAtMs: 10_000 },
        { id: "earlier", nextAtMs: 5_000 },
        { id: "later", nextAtMs: 10_001 },
        { id: "held", nextAtMs: 5_000 },
        { id: "never" },
        { id: "left", nextAtMs: 7_000, guildId: "2" },
      ]);
      await database.leftGuilds.add("2", 1_000);
      const claim = (id: string, forMs: number) =>
        database.publications.claim([id], { token: "mine", forMs, isExtension: false });
      await claim("earlier", 5_000);
      expect(await claim("held", 5_001)).toMatchObject([{ claimToken: "mine", claimedUntilMs: 15_001 }]);
      await database.clock.advance(5_000);
      expect(ids(await database.publications.due(10_000, 9))).toEqual(["earlier", "left", "now"]);
      expect(ids(await database.publications.due(10_000, 1))).toEqual(["earlier"]);
    });

    it("change only for a caller that knows the current revision, and are returned as changed", async () => {
      const database = await create();
      const { publications } = database;
      await addAll(database, [{ nextAtMs: 5_000, title: "Old" }]);
      const seen = publicationRecord({ nextAtMs: 5_000, title: "Old" });
      const changes = { state: "uploading", stateAtMs: 2_000, nextAtMs: undefined, percent: 40 } as const;
      const changed = { ...seen, ...changes, revision: 2 };
      expect(await publications.change(seen, changes)).toEqual(changed);
      expect(await publications.get("video001")).toEqual(changed);
      expect(await publications.change(seen, { title: "Mine" })).toBeUndefined();
      expect(await publications.change(changed, {})).toEqual({ ...changed, revision: 3 });
      expect(await publications.change(publicationRecord({ id: "gone" }), { title: "x" })).toBeUndefined();
    });

    it("stay claimed through other changes until they are released", async () => {
      const { publications, ...database } = await create();
      await addAll({ ...database, publications }, [{}]);
      await publications.claim(["video001"], { token: "mine", forMs: 3_000, isExtension: false });
      const seen = { id: "video001", revision: 2 };
      expect(await publications.change({ ...seen, revision: 1 }, { title: "Old" })).toBeUndefined();
      expect(await publications.change(seen, { title: "New" })).toMatchObject({
        title: "New",
        claimToken: "mine",
        claimedUntilMs: 13_000,
      });
      expect(await publications.change({ ...seen, revision: 3 }, {}, { endsClaim: true })).toMatchObject({
        claimToken: undefined,
        claimedUntilMs: undefined,
      });
    });

    it("are claimed by one process until the claim expires, and only that process can extend it", async () => {
      const { publications, ...database } = await create();
      await addAll({ ...database, publications }, [{ id: "a" }, { id: "b" }, { id: "c" }]);
      const claim = async (wanted: string, token: string, isExtension: boolean) => {
        const all = wanted.split("");
        const rows = await publications.claim(all, { token, forMs: 1_000, isExtension });
        return rows
          .map(({ id, revision }) => `${id}${revision}`)
          .toSorted()
          .join(" ");
      };
      expect(await claim("ab", "mine", false)).toBe("a2 b2");
      expect(await claim("abc", "theirs", false)).toBe("c2");
      expect(await claim("abc", "theirs", true)).toBe("c2");
      await database.clock.advance(500);
      expect(await claim("ab", "mine", true)).toBe("a2 b2");
      await database.clock.advance(500);
      expect(await claim("abc", "theirs", false)).toBe("c3");
      await database.clock.advance(500);
      // No other process has claimed this one yet.
      expect(await claim("a", "mine", true)).toBe("a2");
      expect(await claim("abc", "theirs", false)).toBe("b3");
      expect(await claim("b", "mine", true)).toBe("");
    });

    it("change for exactly one of several concurrent callers", async () => {
      const [first, second] = await openTwiceOnStillClock(kind);
      await addAll(first, [{}]);
      let seen = publicationRecord();
      for (let round = 0; round < 10; round += 1) {
        const won = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            (index % 2 === 0 ? first : second).publications.change(seen, { doneBytes: index }),
          ),
        );
        const winners = won.filter((each) => each !== undefined);
        expect(winners).toHaveLength(1);
        seen = winners[0] ?? seen;
        expect(await first.publications.get("video001")).toEqual(seen);
      }
    });

    it("change together with their audit entries, or not at all", async () => {
      const { publications, videoRecords } = await create();
      const { revision: _first, ...record } = publicationRecord();
      await publications.add(record);
      const seen = publicationRecord();
      const lines = [auditRecord({ id: "a" }), auditRecord({ id: "b", act: "approval-voided" })];
      const told = async () =>
        (await videoRecords.auditEntries("1", { limit: 9 })).map(({ id }) => id).toSorted();
      expect(await publications.change(seen, { title: "New" }, { auditRecords: lines })).toMatchObject({
        title: "New",
      });
      expect(await told()).toEqual(["a", "b"]);
      // Too late: nothing was changed, so no entry is written.
      expect(
        await publications.change(seen, { title: "Old" }, { auditRecords: [auditRecord({ id: "c" })] }),
      ).toBeUndefined();
      // If the audit entry cannot be written, the change is not made either.
      const current = { ...seen, revision: 2 };
      const failure = await publications
        .change(current, { title: "Newer" }, { auditRecords: lines })
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ message: expect.stringMatching(/unique|duplicate/i) });
      expect(failure).not.toBeInstanceOf(VideoTakenError);
      expect(await publications.get(seen.id)).toMatchObject({ title: "New", revision: 2 });
      expect(await told()).toEqual(["a", "b"]);
    });

    it("of one account never share a video, even with concurrent changes", async () => {
      const [first, second] = await openTwiceOnStillClock(kind);
      await addAll(first, [{ id: "a" }, { id: "b" }, { id: "elsewhere", account: "page:7" }]);
      const act = auditRecord({ id: "line", act: "settled" });
      const take = (database: Database, id: string, auditRecords = [act]) =>
        database.publications.change(publicationRecord({ id }), { videoId: "5" }, { auditRecords });
      const outcomes = await Promise.allSettled([
        take(first, "a"),
        take(second, "b", [{ ...act, id: "other line" }]),
      ]);
      const lost = outcomes.filter(({ status }) => status === "rejected");
      expect(lost).toEqual([{ status: "rejected", reason: expect.any(VideoTakenError) }]);
      expect(await first.videoRecords.auditEntries("1", { limit: 9 })).toHaveLength(1);
      // Another account has its own videos.
      expect(await take(first, "elsewhere", [])).toMatchObject({ videoId: "5" });
    });

    it("that were stopped because the bot left are found by server", async () => {
      const database = await create();
      await addAll(database, [
        { id: "to come", state: "scheduled", stopReason: "left" },
        { id: "over", state: "cancelled", stopReason: "left", guildId: "2" },
        { id: "elsewhere", state: "uploading", stopReason: "left", guildId: "3" },
        { id: "unwanted", state: "uploading", stopReason: "cancelled" },
        { id: "well", state: "scheduled" },
      ]);
      const found = await database.publications.stoppedByLeaving(new Set(["1", "2"]));
      expect(ids(found).toSorted()).toEqual(["over", "to come"]);
    });

    it.each(["state", "pendingWrite", "stopReason", "tries"] as const)(
      "accept no invalid %s",
      async (column) => {
        const database = await create();
        await addAll(database, [{ id: "a" }]);
        const odd = { [column]: column === "tries" ? -1 : "odd" };
        await expect(database.publications.change(publicationRecord({ id: "a" }), odd)).rejects.toThrow(
          /check/i,
        );
      },
    );

    it("are listed for statistics when they are published, oldest first", async () => {
      const database = await create();
      await addAll(database, [
        { id: "new", state: "published", stateAtMs: 6_000, videoId: "6" },
        { id: "old", state: "published", stateAtMs: 5_000, videoId: "5", guildId: "2" },
        { id: "older", state: "published", stateAtMs: 4_999 },
        { id: "waiting", state: "scheduled", stateAtMs: 6_000 },
      ]);
      expect(ids(await database.publications.publishedSince(5_000))).toEqual(["old", "new"]);
    });

    it("are removed if they have long been drafts or without a video", async () => {
      const database = await create();
      const swept = ["draft", "refused", "failed", "cancelled", "expired", "deleted"] as const;
      const kept = [
        "awaiting-approval",
        "uploading",
        "processing",
        "scheduled",
        "published",
        "outcome-unknown",
      ] as const;
      const all: readonly PublicationState[] = [...swept, ...kept];
      await addAll(
        database,
        all.flatMap((state) => [
          { id: `old-${state}`, state, stateAtMs: 999 },
          { id: `new-${state}`, state, stateAtMs: 1_000 },
        ]),
      );
      await database.publications.sweep(1_000);
      const left = ids(await database.publications.ofGuild("1", all, { limit: 99 }));
      expect(left.toSorted()).toEqual(
        [...all.map((state) => `new-${state}`), ...kept.map((state) => `old-${state}`)].toSorted(),
      );
    });

    it("that were erased in the meantime are not created again by a change", async () => {
      const database = await create();
      await addAll(database, [{ state: "uploading" }]);
      await database.eraseGuild("1");
      expect(await database.publications.change(publicationRecord(), { state: "published" })).toBeUndefined();
      expect(await database.guildIds()).toEqual([]);
    });
  });

  describe("a person's publications", () => {
    it("are exported without the file's link and without others' ids", async () => {
      const database = await create();
      const link = "https://cdn.example.org/1/2/opening.mp4?ex=1";
      await addAll(database, [
        { id: "mine", title: "Opening", fileUrl: link, state: "published", decidedBy: "8" },
        { id: "theirs", fileUrl: link, submittedBy: "8", decidedBy: "7", state: "refused" },
        { id: "others", submittedBy: "8", decidedBy: "9" },
      ]);
      const { publications = [], ...rest } = await database.exportUser("7");
      expect(rest).toEqual({});
      expect(publications).toEqual([
        expect.objectContaining({ id: "mine", title: "Opening", submittedBy: "7" }),
        expect.objectContaining({ id: "theirs", decidedBy: "7" }),
      ]);
      expect(JSON.stringify(publications)).not.toContain(link);
      expect(JSON.stringify(publications)).not.toContain('"8"');
    });

    it("are deleted with the person's data if nobody else approved them, and lose the person's id otherwise", async () => {
      const database = await create();
      await addAll(database, [
        { id: "draft" },
        { id: "waiting", state: "awaiting-approval" },
        { id: "out", state: "published" },
        { id: "decided", submittedBy: "8", decidedBy: "7", state: "awaiting-approval" },
      ]);
      await database.eraseUser("7");
      expect(Object.keys(await database.exportUser("7"))).toEqual(["erasures"]);
      const { publications } = database;
      expect(await publications.get("draft")).toBeUndefined();
      expect(await publications.get("waiting")).toBeUndefined();
      expect((await publications.get("out"))?.submittedBy).toBeUndefined();
      expect(await publications.get("decided")).toMatchObject({ submittedBy: "8" });
      expect((await publications.get("decided"))?.decidedBy).toBeUndefined();
    });
  });
}
