// What is said of videos in more than one place.
import { UNSEEN, cutUnits, oneLine, plural } from "../core/text.ts";
import { escapeMarkdown } from "../core/reply.ts";
import type { ListedVideo } from "./videos.ts";

/** e.g. `1,204 views · 3 likes`; what the service does not tell is left out: it is not zero. */
export function countsLine(
  counts: Partial<Record<"views" | "likes" | "comments" | "shares", number | undefined>>,
): string {
  const names = ["views", "likes", "comments", "shares"] as const;
  return names.flatMap((name) => countOf(counts[name], COUNTED[name]) ?? []).join(" · ");
}

/** A title as markdown, cut to so many characters. */
export function videoTitle(title: string | undefined, limit = 200): string {
  return title === undefined ? "A video without a title" : escapeMarkdown(oneLine(title, limit));
}

/** What somebody wrote, as a quotation: its lines kept, its markdown not. */
export function quotation(text: string, limit: number): string {
  const characters = Array.from(cutUnits(text, 4 * limit));
  const cut =
    characters.length <= limit ? characters.join("") : `${characters.slice(0, limit - 1).join("")}…`;
  return cut
    .trim()
    .split(/\r?\n/)
    .map((line) => `> ${escapeMarkdown(line.replace(UNSEEN, " "))}`)
    .join("\n");
}

/** e.g. `1,204 views`, `1 view`; `undefined` where it is not told. */
export function countOf(
  count: number | undefined,
  [one, many]: readonly [string, string],
): string | undefined {
  return count === undefined ? undefined : plural(count, one, many);
}

export const COUNTED = {
  views: ["view", "views"],
  likes: ["like", "likes"],
  comments: ["comment", "comments"],
  shares: ["share", "shares"],
  replies: ["reply", "replies"],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

/** Discord shows it in each reader's own time: day and time, the day or the time alone. */
export function timestamp(atMs: number, style: "f" | "d" | "T" = "f"): string {
  return `<t:${Math.floor(atMs / 1_000)}:${style}>`;
}

/** e.g. `18 Nov 2026`, where Discord shows no moments. */
export function formatDay(atMs: number): string {
  return DAY.format(atMs);
}

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** e.g. `1:05`, `1:02:09`. */
export function lengthWords(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`;
}

function two(part: number): string {
  return String(part).padStart(2, "0");
}

type Stage = ListedVideo["stage"];

/** How far a video is, after "It is" or on its own; `markdown` where a moment can be shown to each reader. */
export function stageWords({ stage, publishAtMs }: Pick<ListedVideo, "stage" | "publishAtMs">): string {
  return stage === "scheduled" && publishAtMs !== undefined
    ? `⏰ comes out ${timestamp(publishAtMs)}`
    : PLAIN_STAGES[stage];
}

/** The same where moments cannot be shown. */
export const PLAIN_STAGES: Readonly<Record<Stage, string>> = {
  published: "published",
  scheduled: "⏰ scheduled",
  uploading: "being uploaded",
  processing: "being processed",
  draft: "a draft there, which nobody sees",
  failed: "⚠️ the service could not process it",
  expired: "⚠️ never finished",
  gone: "⚠️ gone, or no longer visible to me",
};
