// How a publication is put into words: its texts, file, times and progress.
import { formatSize, cutUnits } from "../core/text.ts";
import { escapeMarkdown } from "../core/reply.ts";
import type { Publication, PublicationProblem } from "./publishing/publish.ts";
import { relativeTime } from "../time/duration.ts";
import { type AccountOwner, videoProblemWords } from "./video-problem-words.ts";

const TITLE_SHOWN = 255;
const DESCRIPTION_SHOWN = 1_000;

/** What it is called: its title, or its file's name; at most so many characters. */
export function publicationTitle(
  { title, file }: Pick<Publication, "title" | "file">,
  most = TITLE_SHOWN,
): string {
  return escapeMarkdown(cut(title ?? file.name, most));
}

/** The description as a quotation of at most so many characters; `undefined` where there is none. */
export function descriptionQuote(
  description: string | undefined,
  most = DESCRIPTION_SHOWN,
): string | undefined {
  if (description === undefined) {
    return undefined;
  }
  let shown = most;
  let quoted = quote(description, shown);
  // What is escaped grows, and so do lines.
  while (quoted.length > most) {
    shown = Math.floor(shown * 0.8);
    quoted = quote(description, shown);
  }
  return quoted;
}

function quote(text: string, most: number): string {
  return `> ${escapeMarkdown(cut(text, most)).replaceAll("\n", "\n> ")}`;
}

/** Whether a quotation of at most so many characters shows all of it. */
export function isQuotedWhole(description: string, most = DESCRIPTION_SHOWN): boolean {
  return descriptionQuote(description, most) === quote(description, description.length);
}

/** e.g. `film.mp4 · 12.4 MB`. */
export function fileWords({ file }: Pick<Publication, "file">): string {
  return `${escapeMarkdown(cut(file.name, 80))} · ${formatSize(file.sizeBytes)}`;
}

/** When it goes out, on the wall in the server's zone and counted down for each reader. */
export function whenWords({ publishAtMs, timeZone }: Pick<Publication, "publishAtMs" | "timeZone">): string {
  return publishAtMs === undefined
    ? "at once"
    : `${wallClock(publishAtMs, timeZone)} (${timeZone.replaceAll("_", " ")}), ${relativeTime(publishAtMs)}`;
}

/** When one that waits for approval goes out. */
export function afterApprovalWords(publication: Pick<Publication, "publishAtMs" | "timeZone">): string {
  return publication.publishAtMs === undefined ? "as soon as it is approved" : whenWords(publication);
}

/** e.g. `Fri 27 Nov, 18:00`. */
function wallClock(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).format(ms);
}

const BAR_PARTS = 12;

/** e.g. `▰▰▰▱▱▱▱▱▱▱▱▱ 25 %`. */
export function progressBar(share: number): string {
  const part = Math.min(1, Math.max(0, share));
  const full = Math.floor(part * BAR_PARTS);
  return `${"▰".repeat(full)}${"▱".repeat(BAR_PARTS - full)} ${Math.floor(part * 100)} %`;
}

/** e.g. `12.5 MB of 50.0 MB`. */
export function uploadWords({ doneBytes, file }: Pick<Publication, "doneBytes" | "file">): string {
  return `${formatSize(doneBytes)} of ${formatSize(file.sizeBytes)}`;
}

const OF_DISCORD: Partial<Record<PublicationProblem["kind"], string>> = {
  "not-found": "The link to the file has ended. Please attach the video again with `/video publish`.",
  "rate-limited": "Discord asks me to slow down before it hands out more of the file.",
};

/** The account that it goes out with, or was to. */
export function accountWords({ account: { key, name, isLinked } }: Pick<Publication, "account">): string {
  if (!isLinked) {
    return "one that is no longer linked";
  }
  return name === undefined
    ? key === "operator"
      ? "the bot's own"
      : "the one that is linked here"
    : escapeMarkdown(name);
}

/** Why it failed, or what is in its way, and what to do. */
export function publicationProblemWords(problem: PublicationProblem, whose?: AccountOwner): string {
  switch (problem.of) {
    case "video":
    case "account":
      return videoProblemWords(problem, whose);
    case "discord":
      return (
        OF_DISCORD[problem.kind] ??
        "Discord does not provide the file just now. Please try again in a minute."
      );
    case "storage":
      return problem.kind === "unreadable"
        ? videoProblemWords(problem)
        : "My memory could not be reached. Please try again in a few minutes.";
    case "bug":
      return videoProblemWords({ kind: "bug" });
  }
}

const STANDING: Readonly<Record<Publication["state"], string>> = {
  draft: "is not sent yet",
  "awaiting-approval": "waits for approval",
  uploading: "is on its way to the video service",
  processing: "is with the video service, which gets it ready",
  scheduled: "is ready and goes out when its time has come",
  published: "is published",
  refused: "was refused",
  failed: "could not be published",
  cancelled: "was cancelled",
  expired: "was not sent: the link to its file has ended",
  "outcome-unknown": "may be published or not, and somebody has to look",
  deleted: "was deleted",
};

/** How it stands, to follow its name. */
export function standingWords(state: Publication["state"]): string {
  return STANDING[state];
}

/** Who refused it, and why. */
export function refusedWords({ decidedBy, refusedReason }: Publication): string {
  const who = decidedBy === undefined ? "Refused" : `Refused by <@${decidedBy}>`;
  return `✖️ ${who}${refusedReason === undefined ? "." : `: ${escapeMarkdown(refusedReason)}`}`;
}

/** Of a text that turns the direction of writing, nothing turns what stands around it. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

function cut(text: string, most: number): string {
  const characters = Array.from(cutUnits(text, most * 2).replace(TURNS, ""));
  return characters.length > most || text.length > most * 2
    ? `${characters.slice(0, most - 1).join("")}…`
    : characters.join("");
}
