import { describe, expect, test } from "vitest";
import {
  failureOf,
  openVideo,
  sourceOf,
  videoBytes,
  type OpenVideoOptions,
} from "../../support/video-stand-in.ts";

async function openWatched(options: OpenVideoOptions = {}) {
  const open = await openVideo(options);
  const { client, account, clock } = open;
  const id = (await client.uploadSimple(account, { source: sourceOf(videoBytes(2_000)) })) ?? "";
  await clock.advance(60_000);
  return { ...open, id };
}

describe("insights", () => {
  test("are asked for in small groups, over the video's whole life", async () => {
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

  test("that are not there yet are no zeros", async () => {
    const { client, account } = await openVideo();
    const id = (await client.uploadSimple(account, { source: sourceOf(videoBytes(2_000)) })) ?? "";
    const { counts, breakdowns, retention, gone } = await client.insights(account, id);
    expect([counts.size, breakdowns.size, retention, gone]).toEqual([0, 0, undefined, []]);
  });

  test("lose only the metric that is gone, and remember it", async () => {
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

  test("need a permission, and do not take a missing video for a missing metric", async () => {
    const { client, account, id, standIn } = await openWatched();
    const error = await failureOf(client.insights({ token: standIn.tokens.readOnly }, id));
    expect(error).toMatchObject({ kind: "not-permitted", permission: "read_insights" });
    expect((await failureOf(client.insights(account, "1"))).kind).toBe("not-found");
    expect((await client.insights(account, id)).gone).toEqual([]);
  });
});
