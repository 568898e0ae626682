// How a video does: pictures where there is something to draw, and the same in words and numbers.
import { listAnd, oneLine, joinLines } from "../core/text.ts";
import { type Part, type Reply, type ReplyFile, type Visibility, card } from "../core/reply.ts";
import type { VideoSample, VideoStats } from "./videos.ts";
import { videoButton } from "./video-args.ts";
import { countsLine, videoTitle } from "./video-words.ts";
import { formatDuration } from "../time/duration.ts";
import type { ChartModel } from "../render/chart-picture.ts";

/** `pictures` are those of `statsCharts`, drawn; none where they could not be. */
export function videoStatsView(
  { video, samples, insights, timeZone }: VideoStats,
  pictures: readonly ReplyFile[],
  visibility: Visibility,
): Reply {
  const growth = growthWords(samples, timeZone);
  const retention = typeof insights === "string" ? undefined : retentionWords(insights.retention);
  const head = [
    `### How ${videoTitle(video.title, 120)} does`,
    `**${countsLine(video) || "The service has no counts yet."}**`,
  ];
  const numbers = [
    growth ??
      "This is my first look: a curve comes with time. At what was published here I look by myself, every hour while it is new.",
    ...(growth === undefined ? [] : [samplesTable(samples, timeZone), `-# Times of ${timeZone}.`]),
  ];
  const parts: Part[] = [
    head.join("\n"),
    // Each in a gallery of its own: side by side Discord cuts them square, and their axes with it.
    ...pictures.map(({ name }) => ({ type: "gallery" as const, items: [{ file: name }] })),
    numbers.join("\n"),
    joinLines(retention, ...insightLines(insights)),
    [videoButton("show", video.id), videoButton("stats", video.id, { label: "Look again" })],
  ];
  return { ...card(parts), visibility, files: pictures };
}

// How a video does, in words and numbers: everything that the pictures show, and more.

type Insights = Exclude<VideoStats["insights"], string>;

/** Moments in the table: few enough for a phone. */
const ROWS = 8;
/** Views of which a share says nothing: from 3 to 90 is no 2,900 %. */
const FEW = 50;

/** Now, and what came since the first look: `undefined` where there is only one. */
function growthWords(samples: readonly VideoSample[], timeZone: string): string | undefined {
  const seen = samples.filter(({ views }) => views !== undefined);
  const [first, last] = [seen[0], seen.at(-1)];
  if (first?.views === undefined || last?.views === undefined || first === last) {
    return undefined;
  }
  const grown = last.views - first.views;
  const percent = first.views < FEW ? "" : ` (${signed(Math.round((grown / first.views) * 100))} %)`;
  const span = formatDuration(last.atMs - first.atMs);
  return `**${signed(grown)} ${Math.abs(grown) === 1 ? "view" : "views"}**${percent} in ${span}, since ${formatMoment(first.atMs, timeZone)}.`;
}

/** The samples as a table, thinned out evenly; the first and the last are always in it. */
function samplesTable(samples: readonly VideoSample[], timeZone: string): string {
  // Of two counts within a minute, the later one is used.
  const moments = samples.map(({ atMs }) => formatMoment(atMs, timeZone));
  const shown = thin(
    samples.filter((_, at) => moments[at] !== moments[at + 1]),
    ROWS,
  );
  // A column of nothing says what the line of counts says, and makes the table too wide for a phone.
  const columns = (["views", "likes", "comments", "shares"] as const).filter(
    (name) => name === "views" || shown.some((sample) => (sample[name] ?? 0) > 0),
  );
  const rows = [
    ["", ...columns],
    ...shown.map((sample) => [
      formatMoment(sample.atMs, timeZone),
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

/** What the service itself has counted, a line each. */
function insightLines(insights: VideoStats["insights"]): readonly string[] {
  if (insights === "not-permitted") {
    return [
      "-# The account may not read what the service counts beyond that: its token lacks the permission `read_insights`.",
    ];
  }
  if (insights === "unavailable") {
    return ["-# The service did not give its own statistics this time. Please try again later."];
  }
  const gone = insights.gone.map((name) => `\`${oneLine(name, 60).replaceAll("`", "")}\``);
  const lines = [
    ...viewLines(insights),
    ...breakdownLines(insights),
    ...(gone.length === 0 ? [] : [`-# No longer told by the service, so not known: ${listAnd(gone)}.`]),
  ];
  return lines.length === 0 ? ["-# The service has no statistics of its own for this video yet."] : lines;
}

/** e.g. `Still watching: 62 % after a quarter, 41 % at half time …`; `undefined` where it is not told. */
function retentionWords(retention: readonly number[] | undefined): string | undefined {
  if (retention === undefined || retention.length < 5) {
    return undefined;
  }
  const at = (share: number) => inPercent(retention[Math.round((retention.length - 1) * share)] ?? 0);
  return `**Still watching**: ${at(0.25)} after a quarter, ${at(0.5)} at half time, ${at(0.75)} after three quarters, ${at(1)} at the end.`;
}

/** The service's names for its counts, in the words of people. */
const WATCHED = {
  total_video_views: "at least 3 seconds",
  total_video_15s_views: "at least 15 seconds",
  total_video_complete_views: "nearly to the end",
} as const;
const KINDS = {
  total_video_views_autoplayed: "started by themselves",
  total_video_views_clicked_to_play: "clicked",
  total_video_views_paid: "paid for",
} as const;
const REELS = {
  blue_reels_play_count: "for the first time",
  fb_reels_replay_count: "again",
} as const;

function viewLines({ counts }: Insights): readonly string[] {
  const totalMs = counts.get("total_video_view_total_time") ?? counts.get("post_video_view_time") ?? 0;
  const followers = counts.get("post_video_followers") ?? 0;
  const lines = [
    ["Watched", listCounts(counts, WATCHED)],
    ["Of these views", listCounts(counts, KINDS)],
    ["Played as a Reel", listCounts(counts, REELS)],
    ["Watched altogether", totalMs === 0 ? "" : formatDuration(totalMs)],
    ["New followers", followers === 0 ? "" : followers.toLocaleString("en-GB")],
  ] as const;
  return lines.flatMap(([name, words]) => (words === "" ? [] : [`**${name}**: ${words}.`]));
}

function listCounts(counts: Insights["counts"], words: Readonly<Record<string, string>>): string {
  const told = Object.entries(words).flatMap(([name, word]) => {
    const count = counts.get(name);
    return count === undefined ? [] : [{ count, word }];
  });
  // What nobody has watched yet needs no list of noughts.
  return told.every(({ count }) => count === 0)
    ? ""
    : told.map(({ count, word }) => `${count.toLocaleString("en-GB")} ${word}`).join(", ");
}

function breakdownLines({ breakdowns }: Insights): readonly string[] {
  const top = (name: string, say: (key: string) => string = (key) => key) =>
    Object.entries(breakdowns.get(name) ?? {})
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 5)
      .map(([key, count]) => {
        const words = say(oneLine(key, 20).replace(/[^\w.+ -]/g, ""));
        return `${words} ${count.toLocaleString("en-GB")}`;
      })
      .join(", ");
  const reactions =
    top("total_video_reactions_by_type_total") ||
    top("post_video_likes_by_reaction_type", (key) => key.replace(/^REACTION_/, "").toLowerCase());
  const countries = top("total_video_views_by_country_id", countryName);
  const people = top("total_video_views_by_age_bucket_and_gender", groupName);
  return [
    ...(reactions === "" ? [] : [`**Reactions**: ${reactions}.`]),
    ...(countries === "" ? [] : [`**Countries**: ${countries}.`]),
    ...(people === "" ? [] : [`**People**: ${people}.`]),
  ];
}

const COUNTRIES = new Intl.DisplayNames("en-GB", { type: "region", fallback: "code" });

/** e.g. `United Kingdom` for `GB`; what is no such code stays as it is. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? code) : code;
}

const GENDERS: Readonly<Record<string, string>> = { F: "women", M: "men", U: "people" };

/** e.g. `women aged 25-34:` for `F.25-34`; what is not of this shape stays as it is. */
function groupName(key: string): string {
  const [gender = "", age = ""] = key.split(".");
  const who = GENDERS[gender];
  return who === undefined || !/^\d{2}(?:-\d{2}|\+)$/.test(age) ? key : `${who} aged ${age}:`;
}

function thin<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) {
    return items;
  }
  return Array.from({ length: most }, (_, at) => Math.round((at * (items.length - 1)) / (most - 1))).flatMap(
    (at) => items.slice(at, at + 1),
  );
}

/** e.g. `18 Nov 17:20`. */
function formatMoment(atMs: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  });
  return format.format(atMs).replace(",", "");
}

function signed(count: number): string {
  return `${count > 0 ? "+" : ""}${count.toLocaleString("en-GB")}`;
}

function inPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

// What the pictures of a video's statistics show. Everything in them stands beside them in words as well.

export interface StatsChart {
  /** Of its file. */
  readonly name: string;
  /** What it shows: the alt text. */
  readonly description: string;
  readonly model: ChartModel;
}

const TITLE_LENGTH = 60;

/** None where there is nothing to be seen yet. */
export function statsCharts(stats: VideoStats): readonly StatsChart[] {
  return [viewsChart(stats), retentionChart(stats)].filter((chart) => chart !== undefined);
}

/** A line needs two points. */
function viewsChart({ video, samples, timeZone }: VideoStats): StatsChart | undefined {
  const points = samples.flatMap(({ atMs, views }) => (views === undefined ? [] : [{ x: atMs, y: views }]));
  if (points.length < 2) {
    return undefined;
  }
  const title = oneLine(video.title ?? "A video without a title", TITLE_LENGTH);
  const growth = (growthWords(samples, timeZone) ?? "").replaceAll("**", "");
  return {
    name: "views.png",
    description: `Line of views over time: ${title}. ${growth}`,
    model: {
      title,
      subtitle: "Views, as I counted them",
      axis: { kind: "time", zone: timeZone },
      unit: undefined,
      name: "Views",
      points,
    },
  };
}

function retentionChart({ video, insights }: VideoStats): StatsChart | undefined {
  const retention = typeof insights === "string" ? undefined : insights.retention;
  const words = retentionWords(retention);
  if (retention === undefined || words === undefined) {
    return undefined;
  }
  const title = oneLine(video.title ?? "A video without a title", TITLE_LENGTH);
  return {
    name: "still-watching.png",
    description: `Line of how many are still watching, from the video's beginning to its end. ${words.replaceAll("**", "")}`,
    model: {
      title,
      subtitle: "Who is still watching, as the service counts them",
      axis: { kind: "share" },
      unit: "%",
      name: "Watching",
      points: retention.map((share, at) => ({ x: (100 * at) / (retention.length - 1), y: 100 * share })),
    },
  };
}
