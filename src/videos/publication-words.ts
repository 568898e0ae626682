import { formatSize } from "../core/text.ts";
import { escapeMarkdown } from "../core/reply.ts";
import type { PublicationProblem } from "./publishing/problems.ts";
import type { Publication } from "./publishing/publish.ts";
import { formatZone } from "../time/schedule.ts";
import { relativeTime } from "../time/words.ts";
import { wallTime } from "../time/wall-clock.ts";
import { type AccountOwner, linkAgainWords, ownerOf, videoProblemWords } from "./video-problem-words.ts";
import { quotation, timestamp, videoTitle } from "./video-words.ts";

const TITLE_SHOWN = 255;
const DESCRIPTION_SHOWN = 1_000;

export function publicationTitle(
  { title, fileName }: Pick<Publication, "title" | "fileName">,
  most = TITLE_SHOWN,
): string {
  return videoTitle(title ?? fileName, most);
}

export function quotedTitle(publication: Publication): string {
  return `“${publicationTitle(publication)}”`;
}

/** `undefined` if there is no description. */
export function descriptionQuote(description?: string, most = DESCRIPTION_SHOWN): string | undefined {
  if (description === undefined) {
    return undefined;
  }
  // Escaping and quoting lengthen the text, so it is cut until it fits.
  for (let shown = most; ; shown = Math.floor(shown * 0.8)) {
    const quoted = quotation(description, shown);
    if (quoted.length <= most) {
      return quoted;
    }
  }
}

export function isQuotedWhole(description: string, most = DESCRIPTION_SHOWN): boolean {
  return descriptionQuote(description, most) === quotation(description, description.length);
}

/** e.g. `film.mp4 · 12.4 MB`. */
export function fileWords({ fileName, sizeBytes }: Publication): string {
  return `${videoTitle(fileName, 80)} · ${formatSize(sizeBytes)}`;
}

/** e.g. `Fri 27 Nov, 18:00 (London time), in 3 hours`; the countdown is each reader's. */
export function whenWords({ publishAtMs, timeZone }: Publication): string {
  if (publishAtMs === undefined) {
    return "at once";
  }
  const { day, time } = wallTime(timeZone, publishAtMs);
  return `${day}, ${time} (${formatZone(timeZone)}), ${relativeTime(publishAtMs)}`;
}

export function afterApprovalWords(publication: Publication): string {
  return publication.publishAtMs === undefined ? "as soon as it's approved" : whenWords(publication);
}

const BAR_PARTS = 12;

/** e.g. `▰▰▰▱▱▱▱▱▱▱▱▱ 25%`. */
export function progressBar(share: number): string {
  const part = Math.min(1, Math.max(0, share));
  const full = Math.floor(part * BAR_PARTS);
  return `${"▰".repeat(full)}${"▱".repeat(BAR_PARTS - full)} ${Math.floor(part * 100)}%`;
}

const FILE_PROBLEMS: Partial<Record<PublicationProblem["kind"], string>> = {
  "not-found": "The file link has expired. Please attach the video again with `/video publish`.",
  "rate-limited": "Discord has asked me to slow down before it sends more of the file.",
};

export function accountWords({ account: { key, name, isLinked } }: Publication): string {
  if (!isLinked) {
    return "one that's no longer linked";
  }
  return name === undefined
    ? key === "operator"
      ? "the bot's own"
      : "the one linked here"
    : escapeMarkdown(name);
}

export function publicationProblemWords(problem: PublicationProblem, whose?: AccountOwner): string {
  switch (problem.of) {
    case "video":
    case "account":
      return videoProblemWords(problem, whose);
    case "discord":
      return (
        FILE_PROBLEMS[problem.kind] ??
        "I can't get the file from Discord right now. Please try again in a minute."
      );
    case "storage":
      return "I couldn't reach my database. Please try again in a few minutes.";
    case "bug":
      return videoProblemWords({ kind: "bug" });
  }
}

export const STATE_WORDS: Readonly<Record<Publication["state"], string>> = {
  draft: "hasn't been sent",
  "awaiting-approval": "is waiting for approval",
  uploading: "is being uploaded",
  processing: "is uploaded and being processed",
  scheduled: "is ready and will go out at its scheduled time",
  published: "is published",
  refused: "was refused",
  failed: "couldn't be published",
  cancelled: "was cancelled",
  expired: "wasn't sent: its file link has expired",
  "outcome-unknown": "may or may not be published: somebody needs to check",
  deleted: "was deleted",
};

/** Somebody may have left a publication with an unknown outcome as it is. */
export function cancelledWords({ problem }: Publication): string {
  return problem?.kind === "outcome-unknown"
    ? "Nobody knows whether it was published: please check the account's own page before you send it again."
    : NOTHING_PUBLISHED;
}

export const NOTHING_PUBLISHED = "Nothing was published.";

export function refusedWords({ decidedBy, refusedReason }: Publication): string {
  const who = decidedBy === undefined ? "Refused" : `Refused by <@${decidedBy}>`;
  return `✖️ ${who}${refusedReason === undefined ? "." : `: ${escapeMarkdown(refusedReason)}`}`;
}

type ProblemWord = PublicationProblem["kind"] | NonNullable<PublicationProblem["trouble"]>;

/** Problems that pass without anybody's help. */
const TRANSIENT_PROBLEMS: Partial<Record<ProblemWord, string>> = {
  unavailable: "I can't reach the video service right now.",
  timeout: "The video service is taking longer than usual.",
  "rate-limited": "The video service asks me to slow down.",
  "slow-down": "The video service asks me to slow down.",
  busy: "The video service is having problems right now.",
  offset:
    "The video service and I no longer agree on how much of the upload has arrived, so I'm trying again.",
  session: "The video service gave up on the upload before it was complete, so I'm starting again.",
  "not-found": "The video service isn't showing the video right now.",
  gone: "The video service isn't showing the video right now.",
  "unexpected-answer": "The video service is sending answers I don't understand.",
};

function problemSentence(problem: PublicationProblem, { key }: Publication["account"]): string {
  const { of, kind, trouble = kind } = problem;
  switch (of) {
    case "video":
    case "account":
      return kind === "no-account"
        ? `The account it went to is no longer linked, so I can't follow it. ${linkAgainWords(key)}`
        : (TRANSIENT_PROBLEMS[trouble] ?? publicationProblemWords(problem, ownerOf(key)));
    case "discord":
      return kind === "not-permitted"
        ? "I can't ask for approval: the approval channel is gone, or I'm not allowed to write there. Let me write there, or choose another with `/video settings`; then press **Edit** and save, and I'll ask again."
        : "I can't get the file from Discord right now.";
    case "storage":
      return "I can't reach my database right now.";
    case "bug":
      return "Something went wrong on my side.";
  }
}

const LOOKING =
  "🔎 The video service never said whether it took this. I'm looking for it for a few minutes, as it may still turn up.";

/** Returns a line about what delays a publication that continues automatically; none if there is no problem. */
export function problemLines(publication: Publication): readonly string[] {
  const { state, problem, nextTryAtMs, isStopping, account } = publication;
  if (problem === undefined || (isStopping && state === "uploading")) {
    return [];
  }
  if (problem.kind === "outcome-unknown") {
    return [LOOKING];
  }
  return [`⚠️ ${problemSentence(problem, account)}${nextTimeWords(problem, nextTryAtMs)}`];
}

/** Only a person can fix these. They are retried, but nothing changes until somebody does. */
const WAITS_FOR_PERSON: ReadonlySet<ProblemWord> = new Set(["no-account", "unauthorised"]);

function nextTimeWords({ kind }: PublicationProblem, nextTryAtMs: number | undefined): string {
  if (nextTryAtMs === undefined) {
    return "";
  }
  // Shown as a time of day, because a countdown would soon be in the past.
  return WAITS_FOR_PERSON.has(kind)
    ? " Once it's linked again, I'll carry on by myself."
    : ` I'll try again at ${timestamp(nextTryAtMs, "T")}.`;
}

export function visibilityWords({ kind }: PublicationProblem): string {
  return kind === "unpublished"
    ? "Nobody can see it any more: somebody has unpublished it on the video service."
    : "It's gone, or I can't see it any more: the video service doesn't say which.";
}

export function failureWords({ problem, videoId, account }: Publication): string {
  if (problem === undefined) {
    return "It couldn't be published.";
  }
  if (
    videoId === undefined ||
    (problem.of !== "video" && problem.of !== "account") ||
    problem.kind === "not-found"
  ) {
    return publicationProblemWords(problem, ownerOf(account.key));
  }
  return problem.kind === "rejected"
    ? "The video service couldn't process this video. If trying again doesn't help, save it as MP4 (H.264 with AAC sound) and attach that."
    : `${problemSentence(problem, account)} I followed it for a day and have stopped looking. It may still appear: please check the account's own page before you send it again.`;
}
