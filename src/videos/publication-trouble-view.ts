// What is in the way of a publication that goes on by itself, and why one has failed.
import type { Publication, PublicationProblem } from "./publishing/publish.ts";
import {
  accountWords,
  afterApprovalWords,
  descriptionQuote,
  fileWords,
  isQuotedWhole,
  publicationProblemWords,
  refusedWords,
} from "./publication-words.ts";
import { timestamp } from "./video-words.ts";
import { relativeTime } from "../time/duration.ts";
import { publicationButton } from "./publication-args.ts";
import type { PublicationBody } from "./publication-view.ts";

type Word = PublicationProblem["kind"] | NonNullable<PublicationProblem["trouble"]>;

/** What passes, or is put right by itself: nobody is asked to do anything. */
const IN_THE_WAY: Partial<Record<Word, string>> = {
  unavailable: "The video service cannot be reached just now.",
  timeout: "The video service is taking longer than usual.",
  "rate-limited": "The video service asks me to slow down.",
  "slow-down": "The video service asks me to slow down.",
  busy: "The video service has a problem of its own just now.",
  offset: "The upload got out of step.",
  session: "The video service gave up the upload before it was complete, so I am starting again.",
  "not-found": "The video service does not show the video just now.",
  gone: "The video service does not show the video just now.",
  "unexpected-answer": "The video service answers in a way I do not understand.",
  "no-account":
    "The account that it went to is no longer linked, so I cannot see how it goes. Please link it again with `/video account link`.",
};

function inTheWay(problem: PublicationProblem): string {
  const { of, kind, trouble = kind } = problem;
  switch (of) {
    case "video":
    case "account":
      return IN_THE_WAY[trouble] ?? publicationProblemWords(problem);
    case "discord":
      return kind === "not-permitted"
        ? "I cannot ask for approval: I may not write in the approval channel, or it is gone. Let me write there, or choose another with `/video settings`; then press Edit and save, and I will ask again."
        : "Discord does not provide the file just now.";
    case "storage":
      return "My memory cannot be reached just now.";
    case "bug":
      return "Something went wrong on my side.";
  }
}

const LOOKING =
  "🔎 The video service never said whether it took this. I am looking for it, for some minutes: what was lost may still turn up.";

/** A line for one that goes on by itself; none where nothing is in its way. */
export function hindranceLines({ state, problem, nextTryAtMs, isStopping }: Publication): readonly string[] {
  if (problem === undefined || (isStopping && state === "uploading")) {
    return [];
  }
  if (problem.kind === "outcome-unknown") {
    return [LOOKING];
  }
  return [`⚠️ ${inTheWay(problem)}${nextTimeWords(problem, nextTryAtMs)}`];
}

/** What only a person can put right is looked at again and again, but until then that leads to nothing. */
const WAITS_FOR_PERSON: ReadonlySet<Word> = new Set(["no-account", "unauthorised"]);

function nextTimeWords({ kind }: PublicationProblem, nextTryAtMs: number | undefined): string {
  if (nextTryAtMs === undefined) {
    return "";
  }
  return WAITS_FOR_PERSON.has(kind)
    ? " Once that is done, I go on by myself."
    : // By the clock: counted down, it would soon be in the past.
      ` I go on by myself, next at ${timestamp(nextTryAtMs, "T")}.`;
}

/** What is in the way of one that was published. */
export function visibilityWords({ kind }: PublicationProblem): string {
  return kind === "unpublished"
    ? "Nobody can see it any more: it was taken back at the video service, where it still is."
    : "It is gone, or no longer visible to me: the video service does not say which.";
}

/** Why one has failed, and what to do. */
export function failureWords({ problem, videoId, account }: Publication): string {
  if (problem === undefined) {
    return "It could not be published.";
  }
  if (
    videoId === undefined ||
    (problem.of !== "video" && problem.of !== "account") ||
    problem.kind === "not-found"
  ) {
    return publicationProblemWords(problem, account.key === "operator" ? "bot" : "server");
  }
  return problem.kind === "rejected"
    ? "The video service could not process this video. If trying again does not help, save it as MP4 (H.264 with AAC sound) and attach that."
    : `${inTheWay(problem)} I have followed it for a day, and do not look any more. It may still come out: please look at the account's own page before you send it again.`;
}

// What approvers see of a publication: all that they need to decide, then what was decided.

/** As much as fits: approvers have to see what goes out. */
const DESCRIPTION_SHOWN = 2_400;

/** The body of the message in the approval channel. */
export function approvalBody(publication: Publication): PublicationBody {
  const mark = { id: publication.id, forApprovers: true };
  if (publication.state !== "awaiting-approval") {
    return { lines: [outcomeWords(publication), byWords(publication)], buttons: [] };
  }
  const { description, file, stateAtMs } = publication;
  return {
    lines: [
      `May this be published? Asked ${relativeTime(stateAtMs)}.`,
      descriptionQuote(description, DESCRIPTION_SHOWN) ?? "No description.",
      description !== undefined &&
        !isQuotedWhole(description, DESCRIPTION_SHOWN) &&
        "-# The description is longer than this. Details has all of it.",
      `**Goes out** ${afterApprovalWords(publication)}`,
      `**Account** ${accountWords(publication)}`,
      `**File** ${fileWords(publication)}; its link ends ${relativeTime(file.linkEndsAtMs)}`,
      byWords(publication),
    ],
    buttons: [
      // With the time of this state: the approver has seen exactly these texts.
      publicationButton("approve", mark, stateAtMs),
      publicationButton("refuse", mark),
      ...(file.url === undefined ? [] : [{ type: "link" as const, label: "Watch it", url: file.url }]),
    ],
  };
}

function byWords({ submittedBy }: Publication): string {
  return submittedBy === undefined ? "-# by somebody" : `-# by <@${submittedBy}>`;
}

function outcomeWords(publication: Publication): string {
  const { state, decidedBy, channelId } = publication;
  if (state === "refused") {
    return refusedWords(publication);
  }
  if (state === "cancelled") {
    const what =
      decidedBy === undefined
        ? "Withdrawn before anybody decided."
        : `Approved by <@${decidedBy}>, then stopped.`;
    return `${what} Nothing was published.`;
  }
  if (state === "expired") {
    return "The link to its file ended before it was sent. Nothing was published.";
  }
  const who = decidedBy === undefined ? "Approved." : `✅ Approved by <@${decidedBy}>.`;
  return `${who} How it goes on is told in <#${channelId}>.`;
}
