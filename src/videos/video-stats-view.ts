// Shows a video's statistics: two charts and four figures for everybody, and all figures for the person who asks.
import { listAnd, oneLine, joinDots, joinLines, plural } from "../core/text.ts";
import { type Reply, type ReplyFile, type Visibility, card, privateCard } from "../core/reply.ts";
import type { VideoSample, VideoStats } from "./videos.ts";
import { videoButton } from "./video-args.ts";
import { countOf, countsLine, lengthWords, videoTitle } from "./video-words.ts";
import { formatZone } from "../time/schedule.ts";
import { formatDuration } from "../time/words.ts";
import { wallTime } from "../time/wall-clock.ts";
import type { ChartModel } from "../render/chart-picture.ts";

/** `pictures`: the drawn charts of `statsCharts`; empty if they could not be drawn. */
export function videoStatsView(
  { video, samples, insights }: VideoStats,
  pictures: readonly ReplyFile[],
  visibility: Visibility,
): Reply {
  const totalMs = typeof insights === "string" ? 0 : watchedMs(insights);
  const figures = joinDots(
    countOf(video.views, "view"),
    countOf(video.likes, "like"),
    countOf(video.comments, "comment"),
    totalMs > 0 && `watched for ${formatDuration(totalMs)} in total`,
  );
  const isNew = samples.filter(({ views }) => views !== undefined).length < 2;
  const parts = [
    `### ${videoTitle(video.title, 120)}: statistics\n**${figures || "No counts yet."}**`,
    // Each chart has its own gallery: Discord crops pictures side by side to squares, and cuts off their axes.
    ...pictures,
    isNew &&
      "-# I've only just started counting, so there's no curve yet. I check every hour while a video is new.",
    [
      videoButton("show", video.id),
      videoButton("figures", video.id),
      videoButton("stats", video.id, { label: "Refresh" }),
    ],
  ];
  return { ...card(parts), visibility };
}

export function videoFiguresView({ video, samples, insights, timeZone }: VideoStats): Reply {
  const growth = growthWords(samples, timeZone);
  return privateCard([
    joinLines(
      `### ${videoTitle(video.title, 120)}: all figures`,
      `**${countsLine(video) || "No counts yet."}**`,
      growth && `${growth}\n${samplesTable(samples, timeZone)}\n-# Times are in ${formatZone(timeZone)}.`,
    ),
    joinLines(...insightLines(insights)),
    [videoButton("show", video.id)],
  ]);
}

type Insights = Exclude<VideoStats["insights"], string>;

/** The most rows in the table: few enough for a phone. */
const TABLE_ROWS = 8;
/** With fewer views, shares mean nothing: of two viewers, one is 50%. */
const MIN_VIEWS = 20;

/** `undefined` if there is only one sample. */
function growthWords(samples: readonly VideoSample[], timeZone: string): string | undefined {
  const seen = samples.filter(({ views }) => views !== undefined);
  const [first, last] = [seen[0], seen.at(-1)];
  if (first?.views === undefined || last?.views === undefined || first === last) {
    return undefined;
  }
  const grown = last.views - first.views;
  const span = formatDuration(last.atMs - first.atMs);
  return `**${grown > 0 ? "+" : ""}${plural(grown, "view")}** in ${span}, since ${formatTime(first.atMs, timeZone)}.`;
}

/** Rows are left out evenly, but never the first and the last. */
function samplesTable(samples: readonly VideoSample[], timeZone: string): string {
  // Of two samples within a minute, the later one is used.
  const times = samples.map(({ atMs }) => formatTime(atMs, timeZone));
  const all = samples.filter((_, at) => times[at] !== times[at + 1]);
  const wanted = new Set(
    Array.from({ length: TABLE_ROWS }, (_, row) => Math.round((row * (all.length - 1)) / (TABLE_ROWS - 1))),
  );
  const shown = all.filter((_, at) => wanted.has(at));
  // A column without any counts adds nothing and makes the table too wide for a phone.
  const columns = (["views", "likes", "comments", "shares"] as const).filter(
    (name) => name === "views" || shown.some((sample) => (sample[name] ?? 0) > 0),
  );
  const rows = [
    ["", ...columns],
    ...shown.map((sample) => [
      formatTime(sample.atMs, timeZone),
      ...columns.map((name) => sample[name]?.toLocaleString("en-GB") ?? "–"),
    ]),
  ];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  "),
  );
  return `\`\`\`\n${lines.join("\n")}\n\`\`\``;
}

function insightLines(insights: VideoStats["insights"]): readonly string[] {
  if (insights === "not-permitted") {
    return ["-# For more than that, the account's token needs the permission `read_insights`."];
  }
  if (insights === "unavailable") {
    return ["-# The video service didn't give its own statistics this time. Please try again later."];
  }
  const { breakdowns, gone } = insights;
  const totalMs = watchedMs(insights);
  const followers = insights.counts.get("post_video_followers") ?? 0;
  const lines = [
    ["Still watching", retentionWords(insights) ?? ""],
    ["Watched", listCounts(insights, WATCHED)],
    ["Plays", listCounts(insights, PLAYS)],
    ["Played as a Reel", listCounts(insights, REELS)],
    ["Total watch time", totalMs === 0 ? "" : formatDuration(totalMs)],
    ["New followers", followers === 0 ? "" : followers.toLocaleString("en-GB")],
    ["Reactions", topOf(breakdowns, "total_video_reactions_by_type_total")],
    ["Reactions", topOf(breakdowns, "post_video_likes_by_reaction_type", reactionName)],
    ["Countries", topOf(breakdowns, "total_video_views_by_country_id", countryName)],
    ["People", topOf(breakdowns, "total_video_views_by_age_bucket_and_gender", groupName)],
  ] as const;
  const told = lines.flatMap(([name, words]) => (words === "" ? [] : [`**${name}**: ${words}.`]));
  if (told.length === 0 && gone.length === 0) {
    return ["-# The video service has no statistics of its own for this video yet."];
  }
  const names = gone.map((name) => `\`${oneLine(name, 60).replaceAll("`", "")}\``);
  return [
    ...told,
    ...(gone.length === 0 ? [] : [`-# The video service no longer counts ${listAnd(names)}.`]),
  ];
}

function watchedMs({ counts }: Insights): number {
  return counts.get("total_video_view_total_time") ?? counts.get("post_video_view_time") ?? 0;
}

/** e.g. `62% after a quarter, 41% halfway …`; `undefined` if the service does not give it or there are too few views. */
function retentionWords({ retention, counts }: Insights): string | undefined {
  const views = counts.get("total_video_views") ?? counts.get("blue_reels_play_count") ?? MIN_VIEWS;
  if (retention === undefined || retention.length < 5 || views < MIN_VIEWS) {
    return undefined;
  }
  const at = (share: number) =>
    `${Math.round(100 * (retention[Math.round((retention.length - 1) * share)] ?? 0))}%`;
  return `${at(0.25)} after a quarter, ${at(0.5)} halfway, ${at(0.75)} after three quarters, ${at(1)} at the end`;
}

const WATCHED = {
  total_video_views: "at least 3 seconds",
  total_video_15s_views: "at least 15 seconds",
  total_video_complete_views: "nearly to the end",
};
const PLAYS = {
  total_video_views_autoplayed: "autoplay",
  total_video_views_clicked_to_play: "clicked",
  total_video_views_paid: "paid",
};
const REELS = {
  blue_reels_play_count: "for the first time",
  fb_reels_replay_count: "again",
};

function listCounts({ counts }: Insights, words: Readonly<Record<string, string>>): string {
  const told = Object.entries(words).flatMap(([name, word]) => {
    const count = counts.get(name);
    return count === undefined ? [] : [{ count, word }];
  });
  // A list of zeros is left out.
  return told.every(({ count }) => count === 0)
    ? ""
    : told.map(({ count, word }) => `${count.toLocaleString("en-GB")} ${word}`).join(", ");
}

function topOf(
  breakdowns: Insights["breakdowns"],
  name: string,
  format: (key: string) => string = (key) => key,
): string {
  return Object.entries(breakdowns.get(name) ?? {})
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([key, count]) => {
      const words = format(oneLine(key, 20).replace(/[^\w.+ -]/g, ""));
      return `${words} ${count.toLocaleString("en-GB")}`;
    })
    .join(", ");
}

const reactionName = (key: string): string => key.replace(/^REACTION_/, "").toLowerCase();

let countries: Intl.DisplayNames | undefined;

/** e.g. `United Kingdom` for `GB`; any other text is unchanged. */
function countryName(code: string): string {
  countries ??= new Intl.DisplayNames("en-GB", { type: "region", fallback: "code" });
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
}

const GENDERS: Readonly<Record<string, string>> = { F: "women", M: "men", U: "people" };

/** e.g. `women aged 25-34:` for `F.25-34`; any other text is unchanged. */
function groupName(key: string): string {
  const [gender = "", age = ""] = key.split(".");
  const who = GENDERS[gender];
  return who === undefined || !/^\d{2}(?:-\d{2}|\+)$/.test(age) ? key : `${who} aged ${age}:`;
}

/** e.g. `18 Nov 17:20`. */
function formatTime(atMs: number, timeZone: string): string {
  const { date, time } = wallTime(timeZone, atMs);
  return `${date} ${time}`;
}

interface StatsChart {
  readonly name: string;
  readonly description: string;
  readonly model: ChartModel;
}

const TITLE_LENGTH = 60;
/** The longest planned time between two samples, and a margin: the line across a longer gap is dashed. */
const DASHED_AFTER_MS = 26 * 3_600_000;

/** Returns the charts; none for figures that cannot be drawn yet. */
export function statsCharts({ video, samples, insights, timeZone }: VideoStats): readonly StatsChart[] {
  const title = oneLine(video.title ?? "Untitled video", TITLE_LENGTH);
  const points = samples.flatMap(({ atMs, views }) => (views === undefined ? [] : [{ x: atMs, y: views }]));
  const views: StatsChart = {
    name: "views.png",
    description: `Line chart of views over time: ${title}. ${(growthWords(samples, timeZone) ?? "").replaceAll("**", "")}`,
    model: {
      title,
      subtitle: "Views over time",
      axis: { kind: "time", zone: timeZone, dashedAfterMs: DASHED_AFTER_MS },
      unit: undefined,
      name: "Views",
      points,
    },
  };
  const retention = typeof insights === "string" ? [] : (insights.retention ?? []);
  const words = typeof insights === "string" ? undefined : retentionWords(insights);
  const seconds = video.lengthSeconds;
  const watching: StatsChart = {
    name: "still-watching.png",
    description: `Line chart of how many viewers are still watching, from the video's beginning to its end: ${words}.`,
    model: {
      title,
      subtitle: "Who is still watching, by time in the video",
      axis: {
        kind: "share",
        marks: [0, 25, 50, 75, 100].map((x) =>
          seconds === undefined ? `${x}%` : lengthWords((x * seconds) / 100),
        ),
      },
      unit: "%",
      name: "Watching",
      points: retention.map((share, at) => ({ x: (100 * at) / (retention.length - 1), y: 100 * share })),
    },
  };
  // A line needs two points.
  return [...(points.length < 2 ? [] : [views]), ...(words === undefined ? [] : [watching])];
}
