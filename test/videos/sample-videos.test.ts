import { describe, expect, it } from "vitest";
import { overdueBy } from "../../src/videos/sample-videos.ts";
import { GARDEN, GRACE, HALL, openManagedVideos } from "../support/managed-videos.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("the interval of samples", () => {
  it("is an hour for two days, six hours until day 14, and a day until day 90", () => {
    let lastMs = 0;
    const sampledAtMs: number[] = [];
    for (let nowMs = 0; nowMs < 120 * DAY_MS; nowMs += 10 * 60_000) {
      if (overdueBy({ sinceMs: 0, lastMs }, nowMs) >= 0) {
        sampledAtMs.push(nowMs);
        lastMs = nowMs;
      }
    }
    const between = (from: number, to: number) =>
      sampledAtMs.filter((at) => at >= from * DAY_MS && at < to * DAY_MS).length;
    expect([between(0, 2), between(2, 14), between(14, 90), between(90, 120)]).toEqual([47, 48, 76, 0]);
  });

  it("begins at once", () => {
    expect(overdueBy({ sinceMs: 5, lastMs: undefined }, 5)).toBe(0);
  });
});

describe("the samples", () => {
  it("of publications are taken when they are due", async () => {
    const { videos, publish, records, clock } = await openManagedVideos();
    const { id } = await publish();
    let progress = 0;
    await videos.sample(() => (progress += 1));
    await videos.sample(() => (progress += 1));
    expect(await records.samples(HALL, id)).toHaveLength(1);
    expect(progress).toBe(1);
    await clock.advance(HOUR_MS);
    await videos.sample();
    expect(await records.samples(HALL, id)).toMatchObject([
      { views: 0 },
      { atMs: clock.now(), views: 180, likes: 10, comments: 0, shares: 4 },
    ]);
  });

  it("of a linked account's other videos are taken only when people ask", async () => {
    const { videos, upload, records, standIn, clock } = await openManagedVideos();
    const id = await upload(standIn.tokens.secondPage);
    await videos.stats({ guildId: GARDEN, videoId: id, by: GRACE });
    await clock.advance(HOUR_MS);
    await videos.sample();
    expect(await records.samples(GARDEN, id)).toHaveLength(1);
  });

  it("end after ninety days", async () => {
    const { videos, publish, records, standIn, clock, asked } = await openManagedVideos();
    const { id } = await publish();
    await videos.sample();
    let before = 0;
    for (let day = 1; day < 120; day += 1) {
      before = day === 91 ? standIn.ledger.length : before;
      await clock.advance(DAY_MS);
      await videos.sample();
    }
    expect(await records.samples(HALL, id)).toHaveLength(90);
    expect(asked(before)).toEqual([]);
  });

  it("stop for an account that the service limits or refuses, and continue for others", async () => {
    const { videos, publish, upload, publications, records, standIn, asked } = await openManagedVideos();
    const [one, two] = [await publish(), await publish()];
    const theirs = await upload(standIn.tokens.secondPage);
    await publish({ guildId: GARDEN, account: `page:${standIn.secondPageId}`, videoId: theirs });
    standIn.faults.add({ path: /^\/\d+$/, do: "throttled" });
    const before = standIn.ledger.length;
    await videos.sample();
    expect(asked(before).filter((call) => /\/\d+$/.test(call))).toHaveLength(2);
    expect(await records.samples(HALL, one.id)).toEqual([]);
    expect(await records.samples(HALL, two.id)).toEqual([]);
    expect(await records.samples(GARDEN, theirs)).toHaveLength(1);
    expect((await publications.get(one.row.id))?.state).toBe("published");
  });

  it("add a link that could not be read when the video was published", async () => {
    const { videos, publish, publications, clock } = await openManagedVideos();
    const { id, row } = await publish({ link: undefined });
    await videos.sample();
    const { link, nextAtMs } = (await publications.get(row.id)) ?? {};
    expect(link).toContain(id);
    expect(nextAtMs).toBe(clock.now());
  });

  it("pause if the service twice does not find a video, and its publication says so until it is found again", async () => {
    const { videos, publish, publications, records, standIn, clock, entriesOf } = await openManagedVideos();
    const { id, row } = await publish();
    await videos.sample();
    const hidden = standIn.faults.add({ path: `/${id}`, do: "gone", times: 1_000 });
    await clock.advance(HOUR_MS);
    await videos.sample();
    expect((await publications.get(row.id))?.problem).toBeUndefined();
    await clock.advance(10 * 60_000);
    await videos.sample();
    const hiddenRow = await publications.get(row.id);
    expect(hiddenRow).toMatchObject({ state: "published", nextAtMs: clock.now() });
    expect(hiddenRow?.problem).toContain("not-found");
    expect(await records.samples(HALL, id)).toHaveLength(1);
    const requests = standIn.ledger.length;
    await clock.advance(12 * HOUR_MS);
    await videos.sample();
    expect(standIn.ledger).toHaveLength(requests);
    hidden.remove();
    await clock.advance(12 * HOUR_MS);
    await videos.sample();
    expect((await publications.get(row.id))?.problem).toBeUndefined();
    expect(await records.samples(HALL, id)).toHaveLength(2);
    expect(await entriesOf(HALL)).toMatchObject([
      { act: "out-of-sight", actorId: undefined, videoId: id, note: "not-found" },
      { act: "in-sight", actorId: undefined, videoId: id },
    ]);
  });

  it("distinguish a video that was unpublished from one that is gone", async () => {
    const { videos, publish, publications, entriesOf, clock } = await openManagedVideos();
    const publishAtMs = clock.now() + DAY_MS;
    const { row } = await publish({ publishAtMs, state: "published" });
    await videos.sample();
    expect((await publications.get(row.id))?.problem).toContain("unpublished");
    await clock.advance(DAY_MS + HOUR_MS);
    await videos.sample();
    expect((await publications.get(row.id))?.problem).toBeUndefined();
    expect((await entriesOf(HALL)).map(({ act }) => act)).toEqual(["out-of-sight", "in-sight"]);
  });

  it("do not treat one wrong answer as the end of a video", async () => {
    const { videos, publish, publications, records, standIn } = await openManagedVideos();
    const { id, row } = await publish();
    for (let at = 0; at < 3; at += 1) {
      standIn.faults.add({ path: `/${id}`, do: "gone" });
      await videos.sample();
      await videos.sample();
      await records.removeSamples(HALL, id);
    }
    expect((await publications.get(row.id))?.state).toBe("published");
  });
});
