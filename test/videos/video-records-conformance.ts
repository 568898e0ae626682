// The requirements on linked accounts and on the records of publications that every engine must meet. Each test gets
// an empty database.
import { describe, expect, it } from "vitest";
import type { PageCursor } from "../../src/storage/row.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { reuseTestDatabase, openTestDatabase } from "../open.ts";
import { videoAccountRecord, auditRecord, videoSampleRecord } from "./video-rows.ts";

/** Defines the tests on one kind of database. */
export function describeVideoRecords(kind: DatabaseKind): void {
  const create = async () => openTestDatabase(await reuseTestDatabase(kind));

  describe("linked accounts", () => {
    it("are returned as they were stored, one for each server, and the last of several", async () => {
      const { videoAccounts } = await create();
      const whole = videoAccountRecord({ endsAtMs: 1_800_000_000_000, brokenBecause: "token-dead" });
      await videoAccounts.put(whole);
      await videoAccounts.put(videoAccountRecord({ guildId: "2" }));
      expect(await videoAccounts.get("1")).toEqual(whole);
      const next = videoAccountRecord({ accountId: "5", name: undefined, missing: "read_insights" });
      await videoAccounts.put(next);
      expect(await videoAccounts.get("1")).toEqual(next);
      expect(await videoAccounts.get("2")).toEqual(videoAccountRecord({ guildId: "2" }));
      expect(await videoAccounts.get("3")).toBeUndefined();
    });

    it("change only if they were not linked again, and only in the given fields", async () => {
      const { videoAccounts } = await create();
      const account = videoAccountRecord({ brokenBecause: "token-dead" });
      await videoAccounts.put(account);
      expect(await videoAccounts.change(account, { brokenBecause: undefined, checkedAtMs: 5 })).toBe(true);
      expect(await videoAccounts.get("1")).toEqual({ ...account, brokenBecause: undefined, checkedAtMs: 5 });
      await videoAccounts.put({ ...account, linkedAtMs: account.linkedAtMs + 1 });
      expect(await videoAccounts.change(account, { name: "Old" })).toBe(false);
      expect((await videoAccounts.get("1"))?.name).toBe("Signal Hall");
    });

    it("are linked, changed and unlinked together with their audit entries", async () => {
      const { videoAccounts, videoRecords } = await create();
      const line = (id: string) => [auditRecord({ id, act: "account-linked" })];
      const account = videoAccountRecord();
      await videoAccounts.put(account, line("a"));
      expect(await videoAccounts.change(account, { brokenBecause: "token-dead" }, line("b"))).toBe(true);
      expect(await videoAccounts.change({ ...account, linkedAtMs: 1 }, { name: "x" }, line("c"))).toBe(false);
      expect(await videoAccounts.remove(account, line("d"))).toBe(true);
      expect(await videoAccounts.remove(account, line("e"))).toBe(false);
      const acts = await videoRecords.auditEntries("1", { limit: 9 });
      expect(acts.map(({ id }) => id)).toEqual(["d", "b", "a"]);
      await expect(videoAccounts.put(account, line("a"))).rejects.toThrow(/unique|duplicate|another/i);
      expect(await videoAccounts.get("1")).toBeUndefined();
    });

    it("can be removed only once, and only if they were not linked again", async () => {
      const { videoAccounts } = await create();
      const account = videoAccountRecord();
      await videoAccounts.put(account);
      expect(await videoAccounts.remove({ ...account, linkedAtMs: 1 })).toBe(false);
      expect(await videoAccounts.remove(account)).toBe(true);
      expect(await videoAccounts.remove(account)).toBe(false);
      expect(await videoAccounts.get("1")).toBeUndefined();
    });

    it("are found if they have not been checked for long, longest first", async () => {
      const { videoAccounts } = await create();
      for (const [guildId, checkedAtMs] of [
        ["1", 2_000],
        ["2", 1_000],
        ["3", 3_000],
      ] as const) {
        await videoAccounts.put(videoAccountRecord({ guildId, checkedAtMs }));
      }
      const found = async (limit: number) =>
        (await videoAccounts.checkedBefore(3_000, limit)).map(({ guildId }) => guildId);
      expect(await found(9)).toEqual(["2", "1"]);
      expect(await found(1)).toEqual(["2"]);
    });
  });

  describe("records of videos", () => {
    it("have the settings that were last stored for a server", async () => {
      const { videoRecords } = await create();
      expect(await videoRecords.settings("1")).toBeUndefined();
      await videoRecords.putSettings({ guildId: "1", settings: "{}" });
      await videoRecords.putSettings({ guildId: "1", settings: '{"a":1}' });
      expect(await videoRecords.settings("1")).toBe('{"a":1}');
    });

    it("have settings together with their audit entry, or neither", async () => {
      const { videoRecords } = await create();
      const line = [auditRecord({ act: "settings-changed" })];
      await videoRecords.putSettings({ guildId: "1", settings: "{}" }, line);
      await expect(videoRecords.putSettings({ guildId: "1", settings: '{"a":1}' }, line)).rejects.toThrow(
        /unique|duplicate|another/i,
      );
      expect(await videoRecords.settings("1")).toBe("{}");
      expect(await videoRecords.auditEntries("1", { limit: 9 })).toEqual(line);
    });

    it("let an audit entry's note be changed, and the entry be removed", async () => {
      const { videoRecords } = await create();
      await videoRecords.addAuditRecord(auditRecord({ id: "a", note: "not known yet" }));
      await videoRecords.addAuditRecord(auditRecord({ id: "b" }));
      await videoRecords.noteAuditRecord("a", undefined);
      await videoRecords.removeAuditRecord("b");
      expect(await videoRecords.auditEntries("1", { limit: 9 })).toEqual([auditRecord({ id: "a" })]);
    });

    it("list a server's audit entries in pages, newest first", async () => {
      const { videoRecords } = await create();
      const whole = auditRecord({ id: "b", atMs: 2_000, videoId: "5", note: "Opening" });
      const sparse = auditRecord({ id: "c", atMs: 2_000, actorId: undefined, publicationId: undefined });
      const all = [whole, auditRecord({ id: "a" }), sparse, auditRecord({ id: "d", guildId: "2" })];
      for (const act of all) {
        await videoRecords.addAuditRecord(act);
      }
      expect(await videoRecords.auditEntries("1", { limit: 2 })).toEqual([sparse, whole]);
      const rest = async (before: PageCursor) =>
        (await videoRecords.auditEntries("1", { limit: 2, before })).map(({ id }) => id);
      expect(await rest({ atMs: 2_000, id: "c" })).toEqual(["b", "a"]);
      expect(await rest({ atMs: 2_000, id: "b" })).toEqual(["a"]);
      expect(await rest({ atMs: 2_000 })).toEqual(["a"]);
    });

    it("list the audit entries of one publication, however many others there are", async () => {
      const { videoRecords } = await create();
      await videoRecords.addAuditRecord(auditRecord({ id: "a", publicationId: "older" }));
      await videoRecords.addAuditRecord(auditRecord({ id: "b", publicationId: "older", guildId: "2" }));
      await videoRecords.addAuditRecord(auditRecord({ id: "c", atMs: 2_000 }));
      const acts = await videoRecords.auditEntries("1", { limit: 1, publicationId: "older" });
      expect(acts).toEqual([auditRecord({ id: "a", publicationId: "older" })]);
    });

    it("have one sample per video and time, oldest first", async () => {
      const { videoRecords } = await create();
      const later = videoSampleRecord({ atMs: 2_000, views: undefined, shares: 3 });
      const all = [later, videoSampleRecord(), videoSampleRecord({ likes: 99 })];
      for (const sample of [
        ...all,
        videoSampleRecord({ videoId: "6" }),
        videoSampleRecord({ guildId: "2" }),
      ]) {
        await videoRecords.addSample(sample);
      }
      const { videoId } = later;
      expect(await videoRecords.samples("1", videoId)).toEqual([videoSampleRecord(), later]);
      await videoRecords.removeSamples("1", videoId);
      expect(await videoRecords.samples("1", videoId)).toEqual([]);
      expect(await videoRecords.samples("1", "6")).toHaveLength(1);
      expect(await videoRecords.samples("2", videoId)).toHaveLength(1);
    });

    it("show which videos have recent samples, and the time of the last one", async () => {
      const { videoRecords } = await create();
      for (const atMs of [999, 1_000, 1_795_021_200_000]) {
        await videoRecords.addSample(videoSampleRecord({ atMs }));
      }
      await videoRecords.addSample(videoSampleRecord({ guildId: "2", atMs: 2_000 }));
      await videoRecords.addSample(videoSampleRecord({ videoId: "old", atMs: 999 }));
      const { videoId } = videoSampleRecord();
      const sampled = await videoRecords.lastSamples(1_000);
      expect(sampled.toSorted((a, b) => a.guildId.localeCompare(b.guildId))).toEqual([
        { guildId: "1", videoId, lastAtMs: 1_795_021_200_000 },
        { guildId: "2", videoId, lastAtMs: 2_000 },
      ]);
    });

    it("are removed when they are old", async () => {
      const { videoRecords } = await create();
      for (const atMs of [999, 1_000]) {
        await videoRecords.addAuditRecord(auditRecord({ id: `at${atMs}`, atMs }));
        await videoRecords.addSample(videoSampleRecord({ atMs }));
      }
      await videoRecords.sweep(1_000);
      expect((await videoRecords.auditEntries("1", { limit: 9 })).map(({ atMs }) => atMs)).toEqual([1_000]);
      const samples = await videoRecords.samples("1", videoSampleRecord().videoId);
      expect(samples.map(({ atMs }) => atMs)).toEqual([1_000]);
    });

    it("are erased with their server's data", async () => {
      const database = await create();
      for (const guildId of ["1", "2"]) {
        await database.videoAccounts.put(videoAccountRecord({ guildId }));
        await database.videoRecords.putSettings({ guildId, settings: "{}" });
        await database.videoRecords.addAuditRecord(auditRecord({ id: guildId, guildId }));
        await database.videoRecords.addSample(videoSampleRecord({ guildId }));
      }
      await database.eraseGuild("1");
      expect(await database.guildIds()).toEqual(["2"]);
      expect(await database.videoAccounts.get("2")).toBeDefined();
      expect(await database.videoAccounts.guildIds()).toEqual(new Set(["2"]));
    });

    it("are exported to a person without the sealed token, and lose the person's id when their data is erased", async () => {
      const database = await create();
      await database.videoAccounts.put(videoAccountRecord({ sealedToken: "AQsealed" }));
      await database.videoRecords.addAuditRecord(auditRecord());
      await database.videoRecords.addAuditRecord(auditRecord({ id: "act002", actorId: "8" }));
      const kept = await database.exportUser("7");
      expect(kept).toEqual({
        videoAccounts: [expect.objectContaining({ linkedBy: "7", name: "Signal Hall" })],
        videoActs: [expect.objectContaining({ id: "act001" })],
      });
      expect(JSON.stringify(kept)).not.toContain("AQsealed");
      await database.eraseUser("7");
      expect(Object.keys(await database.exportUser("7"))).toEqual(["erasures"]);
      expect(await database.videoAccounts.get("1")).toEqual(
        videoAccountRecord({ sealedToken: "AQsealed", linkedBy: undefined }),
      );
      const actors = (await database.videoRecords.auditEntries("1", { limit: 9 })).map(
        ({ actorId }) => actorId,
      );
      expect(actors).toEqual(["8", undefined]);
    });
  });
}
