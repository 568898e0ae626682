// Tests the texts and charts of a video's statistics.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContentBlock, Reply } from "../../src/core/reply.ts";
import { formatReply } from "../../src/discord/reply.ts";
import type { VideoSample, VideoStats } from "../../src/videos/videos.ts";
import { statsCharts, videoFiguresView, videoStatsView } from "../../src/videos/video-stats-view.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 18, 17, 20);

function sample(hours: number, views: number | undefined, more: Partial<VideoSample> = {}): VideoSample {
  return {
    atMs: START_MS + hours * HOUR_MS,
    views,
    likes: undefined,
    comments: undefined,
    shares: undefined,
    ...more,
  };
}

function stats(changed: Partial<VideoStats> = {}): VideoStats {
  const samples = [sample(0, 100, { likes: 2 }), sample(1, 180), sample(26, 1_300, { likes: 76 })];
  return {
    video: {
      id: "10203040506071818",
      title: "Opening *day*",
      description: undefined,
      createdAtMs: START_MS,
      lengthSeconds: 60,
      status: { stage: "published", percent: undefined, problem: undefined },
      publishAtMs: undefined,
      link: undefined,
      picture: undefined,
      ownerId: "1",
      postId: "2",
      views: 1_300,
      likes: 76,
      comments: 1,
      shares: undefined,
    },
    samples,
    insights: {
      counts: new Map([
        ["total_video_views", 1_300],
        ["total_video_15s_views", 650],
        ["total_video_view_total_time", 3 * HOUR_MS],
        ["total_video_views_clicked_to_play", 40],
      ]),
      breakdowns: new Map([["total_video_views_by_country_id", { GB: 1_000, FR: 300 }]]),
      retention: Array.from({ length: 41 }, (_, at) => 1 - at / 80),
      gone: ["total_video_views_paid"],
    },
    timeZone: "America/New_York",
    ...changed,
  };
}

function textOf({ blocks }: Reply): string {
  return blocks
    .flatMap((block): readonly ContentBlock[] => (block.type === "container" ? block.blocks : [block]))
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
}

const wordsOf = (of: VideoStats) => textOf(videoFiguresView(of));

/** The result of a calculation with missing values. */
const NOT_A_COUNT = /NaN|Infinity|undefined/;

describe("the public statistics", () => {
  it("have four figures, and a button for all the others", () => {
    const reply = videoStatsView(stats(), [], "public");
    expect(textOf(reply)).toBe(
      "### Opening \\*day\\*: statistics\n**1,300 views · 76 likes · 1 comment · watched for 3 h in total**",
    );
    expect(JSON.stringify(reply)).toContain('"label":"All figures"');
  });

  it("say after the first sample that counting has only just started", () => {
    const reply = videoStatsView(stats({ samples: [sample(0, 5)] }), [], "public");
    expect(textOf(reply)).toMatch(/only just started counting/);
  });
});

describe("the text of all figures", () => {
  it("has no column for counts that are always 0, so that the table fits a phone", () => {
    const samples = [
      sample(0, 0, { likes: 0, comments: 0, shares: 0 }),
      sample(1, 3, { likes: 0, comments: 0, shares: 1 }),
    ];
    expect(wordsOf(stats({ samples }))).toContain("views  shares\n18 Nov 12:20      0       0\n");
  });

  it("says what the charts show, and more", () => {
    expect(wordsOf(stats())).toBe(
      [
        "### Opening \\*day\\*: all figures",
        "**1,300 views · 76 likes · 1 comment**",
        "**+1,200 views** in 1 day 2 h, since 18 Nov 12:20.",
        "```",
        "              views  likes",
        "18 Nov 12:20    100      2",
        "18 Nov 13:20    180      –",
        "19 Nov 14:20  1,300     76",
        "```",
        "-# Times are in New York time.",
        "**Still watching**: 88% after a quarter, 75% halfway, 63% after three quarters, 50% at the end.",
        "**Watched**: 1,300 at least 3 seconds, 650 at least 15 seconds.",
        "**Plays**: 40 clicked.",
        "**Total watch time**: 3 h.",
        "**Countries**: United Kingdom 1,000, France 300.",
        "-# The video service no longer counts `total_video_views_paid`.",
      ].join("\n"),
    );
  });

  it("has the metrics of Reels for a Reel", () => {
    const insights = {
      counts: new Map([
        ["blue_reels_play_count", 1_204],
        ["fb_reels_replay_count", 80],
        ["post_video_view_time", 3_600_000],
        ["post_video_followers", 3],
      ]),
      breakdowns: new Map([["post_video_likes_by_reaction_type", { REACTION_LIKE: 7, REACTION_LOVE: 2 }]]),
      retention: undefined,
      gone: [],
    };
    expect(wordsOf(stats({ insights }))).toContain(
      [
        "**Played as a Reel**: 1,204 for the first time, 80 again.",
        "**Total watch time**: 1 h.",
        "**New followers**: 3.",
        "**Reactions**: like 7, love 2.",
      ].join("\n"),
    );
  });

  it("thins out many samples, and keeps the first and the last", () => {
    const samples = Array.from({ length: 200 }, (_, at) => sample(at, at));
    const words = wordsOf(stats({ samples }));
    expect(words.match(/^\d+ Nov/gm)).toHaveLength(8);
    expect(words).toMatch(/^18 Nov 12:20 +0$/m);
    expect(words).toMatch(/^26 Nov 19:20 +199$/m);
  });

  it("shows the later of two samples within a minute", () => {
    const words = wordsOf(stats({ samples: [sample(0, 70), sample(1, 80), sample(1.01, 90)] }));
    expect(words.match(/^\d+ Nov.*/gm)).toEqual(["18 Nov 12:20     70", "18 Nov 13:20     90"]);
  });

  it("gives no percentages for a handful of views, in the text or in a chart", () => {
    const retention = Array.from({ length: 41 }, () => 1);
    const counts = new Map([["total_video_views", 19]]);
    const few = stats({ insights: { counts, breakdowns: new Map(), retention, gone: [] } });
    expect(wordsOf(few)).not.toContain("%");
    expect(statsCharts(few).map(({ name }) => name)).toEqual(["views.png"]);
  });

  it("names groups of viewers as people would, and leaves unknown ones unchanged", () => {
    const people = { "F.25-34": 30, "U.65+": 5, "X.9": 2 };
    const breakdowns = new Map<string, Readonly<Record<string, number>>>([
      ["total_video_views_by_age_bucket_and_gender", people],
      ["total_video_views_by_country_id", { GB: 9, ZZ9: 1 }],
    ]);
    const words = wordsOf(
      stats({ insights: { counts: new Map(), breakdowns, retention: undefined, gone: [] } }),
    );
    expect(words).toContain("**People**: women aged 25-34: 30, people aged 65+: 5, X.9 2.");
    expect(words).toContain("**Countries**: United Kingdom 9, ZZ9 1.");
  });

  it("says what is unavailable and why, instead of 0", () => {
    expect(wordsOf(stats({ insights: "not-permitted" }))).toMatch(/needs the permission `read_insights`/);
    expect(wordsOf(stats({ insights: "unavailable" }))).toMatch(/this time/);
    const none = { counts: new Map(), breakdowns: new Map(), retention: undefined, gone: [] };
    expect(wordsOf(stats({ insights: none }))).toMatch(/no statistics of its own/);
    const noughts = { ...none, counts: new Map([["total_video_views", 0]]) };
    expect(wordsOf(stats({ insights: noughts }))).toMatch(/no statistics of its own/);
    expect(wordsOf(stats({ samples: [sample(0, undefined), sample(1, undefined)] }))).not.toMatch(/\+0/);
  });

  it("stays within Discord's limits, whatever the service says", () => {
    const count = fc.option(fc.nat(2 ** 40), { nil: undefined });
    // A name from the service may contain these words, which is not an error.
    const word = fc.string().filter((text) => !NOT_A_COUNT.test(text));
    fc.assert(
      fc.property(
        fc.array(fc.record({ views: count, likes: count, comments: count, shares: count }), {
          minLength: 1,
          maxLength: 30,
        }),
        fc.dictionary(word, fc.nat()),
        fc.array(word),
        (counts, countries, gone) => {
          const samples = counts.map((each, at) => ({ ...each, atMs: START_MS + at * HOUR_MS }));
          const breakdowns = new Map([["total_video_views_by_country_id", countries]]);
          const insights = { counts: new Map<string, number>(), breakdowns, retention: undefined, gone };
          const of = stats({ samples, insights });
          for (const reply of [videoFiguresView(of), videoStatsView(of, [], "private")]) {
            expect(formatReply(reply, 10_000_000).refused).toEqual([]);
            expect(textOf(reply)).not.toMatch(NOT_A_COUNT);
          }
        },
      ),
    );
  });
});

describe("the charts", () => {
  it("show the views in the server's time zone, and the share of viewers who keep watching", () => {
    const [views, retention, ...others] = statsCharts(stats());
    expect(others).toEqual([]);
    expect(views).toMatchObject({
      name: "views.png",
      description:
        "Line chart of views over time: Opening *day*. +1,200 views in 1 day 2 h, since 18 Nov 12:20.",
      model: { title: "Opening *day*", axis: { kind: "time", zone: "America/New_York" } },
    });
    expect(views?.model.points).toEqual([
      { x: START_MS, y: 100 },
      { x: START_MS + HOUR_MS, y: 180 },
      { x: START_MS + 26 * HOUR_MS, y: 1_300 },
    ]);
    const points = retention?.model.points ?? [];
    expect(retention?.model).toMatchObject({
      axis: { kind: "share", marks: ["0:00", "0:15", "0:30", "0:45", "1:00"] },
      unit: "%",
    });
    expect([points[0], points.at(-1)]).toEqual([
      { x: 0, y: 100 },
      { x: 100, y: 50 },
    ]);
  });

  it("are left out if there is no line to draw", () => {
    expect(statsCharts(stats({ samples: [sample(0, 5)], insights: "unavailable" }))).toEqual([]);
    expect(
      statsCharts(stats({ samples: [sample(0, undefined), sample(1, 3)], insights: "unavailable" })),
    ).toEqual([]);
  });

  it("are in the reply with their descriptions", () => {
    const picture = { name: "views.png", bytes: Uint8Array.of(1), description: "a line" };
    const reply = videoStatsView(stats(), [picture], "public");
    expect(JSON.stringify(formatReply(reply, 1_000_000).body)).toContain("attachment://views.png");
    expect(reply.files).toEqual([picture]);
  });

  it("have a gallery each, so that Discord does not crop them", () => {
    const pictures = ["views.png", "still-watching.png"].map((name) => ({
      name,
      bytes: Uint8Array.of(1),
      description: "a line",
    }));
    const { blocks } = videoStatsView(stats(), pictures, "public");
    const galleries = blocks
      .flatMap((block): readonly ContentBlock[] => (block.type === "container" ? block.blocks : [block]))
      .flatMap((block) => (block.type === "gallery" ? [block.items] : []));
    expect(galleries.map((items) => items.length)).toEqual([1, 1]);
  });
});
