import { describe, expect, test } from "vitest";
import { type OpenVideoOptions, openVideo, sourceOf, videoBytes } from "../../support/video-stand-in.ts";
import { failureOf } from "../../support/outcomes.ts";

/** The metrics of the first requests. */
const METRICS = [
  "total_video_views",
  "total_video_15s_views",
  "total_video_complete_views",
  "total_video_view_total_time",
  "blue_reels_play_count",
  "fb_reels_replay_count",
  "post_video_view_time",
  "post_video_followers",
  "post_video_likes_by_reaction_type",
];

async function openWatched(options: OpenVideoOptions = {}) {
  const open = await openVideo(options);
  const { client, account, clock } = open;
  const id = (await client.uploadSimple(account, { source: sourceOf(videoBytes(2_000)) })) ?? "";
  await clock.advance(60_000);
  return { ...open, id };
}

describe("insights", () => {
  test("are requested in small groups, over the video's lifetime", async () => {
    const { client, account, id, clock, standIn } = await openWatched();
    await clock.advance(4 * 3_600_000);
    const { counts, breakdowns, retention, gone } = await client.insights(account, id);
    expect(counts.get("total_video_views")).toBeGreaterThan(400);
    expect(counts.get("total_video_views_paid")).toBe(0);
    expect(breakdowns.get("total_video_views_by_country_id")).toEqual({
      GB: counts.get("total_video_views"),
    });
    expect(retention).toHaveLength(41);
    expect([retention?.[0], gone]).toEqual([1, []]);
    const asked = standIn.ledger.slice(1).map(({ fields }) => fields);
    expect(asked.length).toBeGreaterThan(3);
    expect(
      asked.every(({ metric = "", period }) => metric.split(",").length <= 4 && period === "lifetime"),
    ).toBe(true);
  });

  test("that do not exist yet are absent, not 0", async () => {
    const { client, account } = await openVideo();
    const id = (await client.uploadSimple(account, { source: sourceOf(videoBytes(2_000)) })) ?? "";
    const { counts, breakdowns, retention, gone } = await client.insights(account, id);
    expect([counts.size, breakdowns.size, retention, gone]).toEqual([0, 0, undefined, []]);
  });

  test("lose only retired metrics, and do not request them again", async () => {
    const retiredMetrics = new Set(["total_video_15s_views", "total_video_views_paid"]);
    const { client, account, id, standIn } = await openWatched({ retiredMetrics });
    const first = await client.insights(account, id);
    expect(first.gone).toEqual([...retiredMetrics]);
    expect([...first.counts.keys()]).toEqual(
      expect.arrayContaining(["total_video_views", "total_video_views_organic"]),
    );
    const before = standIn.ledger.length;
    expect((await client.insights(account, id)).gone).toEqual(first.gone);
    expect(standIn.ledger.slice(before).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test("request a retired metric again after a day", async () => {
    const retiredMetrics = new Set(["total_video_15s_views"]);
    const { client, account, id, clock, standIn } = await openWatched({ retiredMetrics });
    expect((await client.insights(account, id)).gone).toEqual(["total_video_15s_views"]);
    standIn.retiredMetrics = new Set();
    await clock.advance(23 * 3_600_000);
    expect((await client.insights(account, id)).gone).toEqual(["total_video_15s_views"]);
    await clock.advance(2 * 3_600_000);
    const { counts, gone } = await client.insights(account, id);
    expect([gone, counts.has("total_video_15s_views")]).toEqual([[], true]);
  });

  test("of a Reel have its own metrics, which are not requested for other videos", async () => {
    const { client, account, id, clock, standIn } = await openWatched({ countsAsReels: true });
    await clock.advance(4 * 3_600_000);
    const { counts, breakdowns, gone } = await client.insights(account, id);
    expect(counts.get("blue_reels_play_count")).toBeGreaterThan(400);
    expect(counts.has("total_video_views")).toBe(false);
    expect([...breakdowns.keys()]).toEqual(["post_video_likes_by_reaction_type"]);
    expect(gone).toEqual([]);
    standIn.countsAsReels = false;
    const before = standIn.ledger.length;
    await client.insights(account, id);
    const asked = standIn.ledger.slice(before).map(({ fields }) => fields["metric"]);
    expect(asked.join()).not.toContain("reels");
  });

  test("that the service refuses entirely for one video do not count as retired metrics", async () => {
    const { client, account, id, standIn } = await openWatched();
    const all = standIn.retiredMetrics;
    standIn.retiredMetrics = new Set(METRICS);
    expect(await failureOf(client.insights(account, id))).toMatchObject({
      kind: "rejected",
      trouble: "bad-request",
    });
    standIn.retiredMetrics = all;
    const { counts, gone } = await client.insights(account, id);
    expect([gone, counts.has("total_video_views")]).toEqual([[], true]);
  });

  test("need a permission, and do not confuse a missing video with a retired metric", async () => {
    const { client, account, id, standIn } = await openWatched();
    const error = await failureOf(client.insights({ token: standIn.tokens.readOnly }, id));
    expect(error).toMatchObject({ kind: "not-permitted", permission: "read_insights" });
    expect((await failureOf(client.insights(account, "1"))).kind).toBe("not-found");
    expect((await client.insights(account, id)).gone).toEqual([]);
  });
});
