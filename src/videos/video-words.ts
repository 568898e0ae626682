// What is said of videos in more than one place.
import { INVISIBLE, cutUnits, joinDots, oneLine, plural } from "../core/text.ts";
import { escapeMarkdown } from "../core/reply.ts";
import { hashContent } from "../delivery/nonce.ts";
import type { ListedVideo } from "./videos.ts";

/** e.g. `1,204 views · 3 likes`; what the service does not tell is left out: it is not zero. */
export function countsLine(
  counts: Partial<Record<"views" | "likes" | "comments" | "shares", number | undefined>>,
): string {
  const { views, likes, comments, shares } = counts;
  return joinDots(
    countOf(views, "view"),
    countOf(likes, "like"),
    countOf(comments, "comment"),
    countOf(shares, "share"),
  );
}

export function videoTitle(title: string | undefined, limit = 200): string {
  return title === undefined ? "Untitled video" : escapeMarkdown(oneLine(title, limit));
}

/** What somebody wrote, as a quotation: its lines kept, its markdown not. */
export function quotation(text: string, limit: number): string {
  const characters = Array.from(cutUnits(text, 4 * limit));
  const cut =
    characters.length <= limit ? characters.join("") : `${characters.slice(0, limit - 1).join("")}…`;
  return cut
    .trim()
    .split(/\r?\n/)
    .map((line) => `> ${escapeMarkdown(line.replace(INVISIBLE, " "))}`)
    .join("\n");
}

/** Whether the service has this text: it may give it back with other blanks, line ends and accents. */
export function isSameText(one: string | undefined, other: string | undefined): boolean {
  return plain(one) === plain(other);
}

function plain(text: string = ""): string {
  return text.normalize().replace(/\s+/g, " ").trim();
}

/** The same for equal texts and times: a form carries it, so that what others change meanwhile is not overwritten. */
export function hashTexts(
  { title, description }: { readonly title?: string | undefined; readonly description?: string | undefined },
  publishAtMs?: number,
): string {
  return hashContent([plain(title), plain(description), publishAtMs]);
}

/** e.g. `1,204 views`, `1 view`; `undefined` where it is not told. */
export function countOf(count: number | undefined, one: string): string | undefined {
  return count === undefined ? undefined : plural(count, one);
}

/** Discord shows it in each reader's own time: day and time, the day or the time alone. */
export function timestamp(atMs: number, style: "f" | "d" | "T" = "f"): string {
  return `<t:${Math.floor(atMs / 1_000)}:${style}>`;
}

/** e.g. `18 Nov 2026`, where Discord shows no moments. */
export function formatDay(atMs: number): string {
  const parts = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  return new Date(atMs).toLocaleDateString("en-GB", parts);
}

/** e.g. `1:05`, `1:02:09`. */
export function lengthWords(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const [first, ...others] = parts[0] === 0 ? parts.slice(1) : parts;
  return [first, ...others.map((part) => String(part).padStart(2, "0"))].join(":");
}

type Stage = ListedVideo["stage"];

/** How far a video is, after "It is" or on its own; `markdown` where a moment can be shown to each reader. */
export function stageWords({ stage, publishAtMs }: Pick<ListedVideo, "stage" | "publishAtMs">): string {
  return stage === "scheduled" && publishAtMs !== undefined
    ? `⏰ comes out ${timestamp(publishAtMs)}`
    : PLAIN_STAGES[stage];
}

export const PLAIN_STAGES: Readonly<Record<Stage, string>> = {
  published: "published",
  scheduled: "⏰ scheduled",
  uploading: "being uploaded",
  processing: "being processed",
  draft: "a draft that nobody can see",
  failed: "⚠️ the video service couldn't process it",
  expired: "⚠️ never finished",
  gone: "⚠️ gone, or no longer visible to me",
};
