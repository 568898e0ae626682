import { INVISIBLE, cutUnits, joinDots, oneLine, plural } from "../core/text.ts";
import { escapeMarkdown } from "../core/reply.ts";
import { hashContent } from "../delivery/deliver.ts";
import type { ListedVideo } from "./videos.ts";

/** e.g. `1,204 views · 3 likes`. A count that the service does not give is left out, because it is not zero. */
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

/** Keeps the lines and escapes the markdown. */
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

/** Ignores blanks, line breaks and Unicode normalisation, which the service may change. */
export function isSameText(one: string | undefined, other: string | undefined): boolean {
  return plain(one) === plain(other);
}

function plain(text: string = ""): string {
  return text.normalize().replace(/\s+/g, " ").trim();
}

/** A form contains it, so that it does not overwrite what others have changed in the meantime. */
export function hashTexts(
  { title, description }: { readonly title?: string | undefined; readonly description?: string | undefined },
  publishAtMs?: number,
): string {
  return hashContent([plain(title), plain(description), publishAtMs]);
}

/** e.g. `1,204 views`, `1 view`; `undefined` if the count is unknown. */
export function countOf(count: number | undefined, one: string): string | undefined {
  return count === undefined ? undefined : plural(count, one);
}

/** Discord shows it in each reader's own time zone: day and time, the day or the time alone. */
export function timestamp(atMs: number, style: "f" | "d" | "T" = "f"): string {
  return `<t:${Math.floor(atMs / 1_000)}:${style}>`;
}

/** e.g. `18 Nov 2026`, for texts in which Discord renders no timestamps. */
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

export function stageWords({ stage, publishAtMs }: Pick<ListedVideo, "stage" | "publishAtMs">): string {
  return stage === "scheduled" && publishAtMs !== undefined
    ? `⏰ goes out ${timestamp(publishAtMs)}`
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
