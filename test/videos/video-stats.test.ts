import { expect, it } from "vitest";
import { GRACE, HALL, openManagedVideos } from "../support/managed-videos.ts";

const HOUR_MS = 3_600_000;

it("returns a video's statistics until now, with the server's time zone", async () => {
  const { videos, publish, clock, rules } = await openManagedVideos();
  const { id } = await publish();
  await rules.change(HALL, { timeZone: "New York" }, GRACE);
  await videos.stats({ guildId: HALL, videoId: id, by: GRACE });
  await clock.advance(2 * HOUR_MS);
  const { samples, video, insights, timeZone } = await videos.stats({
    guildId: HALL,
    videoId: id,
    by: GRACE,
  });
  expect(samples.map(({ atMs }) => atMs)).toEqual([clock.now() - 2 * HOUR_MS, clock.now()]);
  expect(samples.map(({ views = 0 }) => views)).toEqual([0, 300]);
  expect(video.views).toBe(300);
  expect(insights).toMatchObject({ retention: expect.any(Array), gone: [] });
  expect(timeZone).toBe("America/New_York");
});

it("stores one sample for several requests, and none before a video is public", async () => {
  const { videos, publish, records, clock } = await openManagedVideos();
  const { id } = await publish();
  for (let at = 0; at < 4; at += 1) {
    await videos.stats({ guildId: HALL, videoId: id, by: GRACE });
    await clock.advance(60_000);
  }
  expect(await records.samples(HALL, id)).toHaveLength(1);
  const scheduled = await publish({ publishAtMs: clock.now() + HOUR_MS });
  expect((await videos.stats({ guildId: HALL, videoId: scheduled.id, by: GRACE })).samples).toHaveLength(1);
  expect(await records.samples(HALL, scheduled.id)).toEqual([]);
});

it("says why the service's own statistics are unavailable", async () => {
  const { videos, publish, standIn, advanceUntil } = await openManagedVideos();
  const { id } = await publish();
  standIn.faults.add({ path: `/${id}/video_insights`, do: "permission" });
  expect((await videos.stats({ guildId: HALL, videoId: id, by: GRACE })).insights).toBe("not-permitted");
  standIn.faults.add({ path: `/${id}/video_insights`, do: "500", times: 2 });
  expect((await advanceUntil(videos.stats({ guildId: HALL, videoId: id, by: GRACE }))).insights).toBe(
    "unavailable",
  );
});
