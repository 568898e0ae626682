import { describe, expect, it } from "vitest";
import { GARDEN, GRACE, HALL, openManagedVideos } from "../support/managed-videos.ts";

describe("the list on the operator's account", () => {
  it("contains the server's own publications, a few at a time, newest first", async () => {
    const { videos, publish, upload, standIn, createLife } = await openManagedVideos();
    const ids: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      ids.unshift((await publish({ title: `Day ${at}` })).id);
    }
    await upload(standIn.tokens.page, { title: "Of another server" });
    const first = await videos.list(HALL);
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 5));
    expect(first.items[0]).toMatchObject({ title: "Day 6", stage: "published", views: expect.any(Number) });
    expect(first.after?.length).toBeLessThanOrEqual(60);
    const second = await createLife().list(HALL, first.after);
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(5));
    expect(second.after).toBeUndefined();
  });

  it("contains each of several publications from the same millisecond on exactly one page", async () => {
    const { videos, publish } = await openManagedVideos();
    const ids: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      ids.unshift((await publish({ createdAtMs: 1_000 })).id);
    }
    const first = await videos.list(HALL);
    const second = await videos.list(HALL, first.after);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect((await videos.list(HALL, "b1001")).items.map(({ id }) => id)).toEqual(ids.slice(0, 5));
  });

  it("leaves out what was never published, and reads nothing twice within a minute", async () => {
    const { videos, publish, standIn, asked } = await openManagedVideos();
    await publish();
    await publish({ state: "cancelled" });
    await publish({ state: "deleted" });
    expect((await videos.list(HALL)).items).toHaveLength(1);
    const before = standIn.ledger.length;
    await videos.list(HALL);
    expect(asked(before)).toEqual([]);
  });

  it("shows stored data if the service refuses to answer, and which videos are gone", async () => {
    const { videos, publish, client, account, standIn } = await openManagedVideos();
    // The row was created long before its last change, as for a video that was scheduled.
    const { id } = await publish({ title: "Day one", createdAtMs: 1_000 });
    const { id: gone } = await publish({ title: "Day two" });
    await client.delete(account, gone);
    standIn.faults.add({ path: `/${id}`, do: "permission", times: 2 });
    expect((await videos.list(HALL)).items).toMatchObject([
      { id: gone, title: "Day two", stage: "gone" },
      { id, title: "Day one", stage: "published", createdAtMs: 1_000, views: undefined },
    ]);
  });
});

describe("the list of a linked account", () => {
  it("contains all of its videos, page by page, even after a restart in the middle", async () => {
    const { videos, upload, standIn, createLife } = await openManagedVideos();
    const ids: string[] = [];
    for (let at = 0; at < 27; at += 1) {
      ids.unshift(await upload(standIn.tokens.secondPage, { title: `Train ${at}` }));
    }
    await upload(standIn.tokens.page);
    const first = await videos.list(GARDEN);
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 25));
    expect(first.items[0]).toMatchObject({ title: "Train 26", views: expect.any(Number) });
    for (const life of [videos, createLife()]) {
      const second = await life.list(GARDEN, first.after);
      expect(second.items.map(({ id }) => id)).toEqual(ids.slice(25));
      expect(second.after).toBeUndefined();
    }
    expect((await videos.list(GARDEN, "7")).items).toEqual([]);
  });

  it("fails with the reason if the service refuses", async () => {
    const { videos, standIn } = await openManagedVideos();
    standIn.faults.add({ path: /videos$/, do: "throttled" });
    await expect(videos.list(GARDEN)).rejects.toMatchObject({ kind: "rate-limited" });
  });
});

it("the list is empty if a server has neither an account nor videos", async () => {
  const { videos, accounts } = await openManagedVideos();
  Object.assign(accounts, { of: async () => undefined });
  expect(await videos.list("3")).toEqual({ items: [], after: undefined, underWay: [] });
});

describe("autocomplete", () => {
  it("finds videos by title, whatever its case, and by id", async () => {
    const { videos, publish, upload, standIn } = await openManagedVideos();
    const { id } = await publish({ title: "Opening day" });
    await publish({ title: "Steam gala" });
    await upload(standIn.tokens.page, { title: "Opening of another server" });
    const choice = { name: "Opening day (18 Nov 2026)", value: id };
    expect(await videos.suggest(HALL, " OPENING")).toEqual([choice]);
    expect(await videos.suggest(HALL, id)).toEqual([choice]);
    expect((await videos.suggest(HALL, "")).map(({ name }) => name)).toEqual([
      "Steam gala (18 Nov 2026)",
      "Opening day (18 Nov 2026)",
    ]);
  });

  it("cuts titles after a whole character, and still shows the day", async () => {
    const { videos, publish } = await openManagedVideos();
    for (const beginning of ["", "x"]) {
      await publish({ title: beginning + "🚂".repeat(60) });
    }
    for (const { name } of await videos.suggest(HALL, "")) {
      expect(name).toMatch(/^x?(?:🚂)+… \(18 Nov 2026\)$/u);
    }
  });

  it("lists the linked account's videos, with one request for many keystrokes", async () => {
    const { videos, upload, standIn, asked } = await openManagedVideos();
    const id = await upload(standIn.tokens.secondPage, { title: "Narrow gauge" });
    expect(await videos.suggest(GARDEN, "narrow")).toMatchObject([{ value: id }]);
    const before = standIn.ledger.length;
    expect(await videos.suggest(GARDEN, "narrow g")).toHaveLength(1);
    expect(asked(before)).toEqual([]);
  });

  it("is empty, not an error, if the service fails", async () => {
    const { videos, standIn } = await openManagedVideos();
    standIn.faults.add({ path: /videos$/, do: "permission" });
    expect(await videos.suggest(GARDEN, "")).toEqual([]);
  });

  it("shows a title that was changed meanwhile", async () => {
    const { videos, upload, standIn } = await openManagedVideos();
    const id = await upload(standIn.tokens.secondPage, { title: "Narrow gauge" });
    await videos.suggest(GARDEN, "");
    await videos.edit({ guildId: GARDEN, videoId: id, by: GRACE }, { title: "Broad gauge" });
    expect(await videos.suggest(GARDEN, "broad")).toHaveLength(1);
  });
});
