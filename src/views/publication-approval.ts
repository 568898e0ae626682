// What approvers see of a publication: all that they need to decide, then what was decided.
import type { Publication } from "../services/publish/publish.ts";
import { relativeTime } from "./duration.ts";
import { formatMoment, publicationButton } from "./publication-args.ts";
import {
  accountWords,
  descriptionQuote,
  fileWords,
  isQuotedWhole,
  refusedWords,
  whenWords,
} from "./publication-words.ts";
import type { PublicationBody } from "./publication-view.ts";

/** As much as fits: whoever approves has to have seen what goes out. */
const DESCRIPTION_SHOWN = 2_400;

/** The body of the message in the approval channel. */
export function approvalBody(publication: Publication): PublicationBody {
  const mark = { id: publication.id, forApprovers: true };
  const details = publicationButton("details", mark);
  if (publication.state !== "awaiting-approval") {
    return { lines: [outcomeWords(publication), byWords(publication)], buttons: [details] };
  }
  const { description, file, stateAtMs } = publication;
  return {
    lines: [
      `May this be published? Asked ${relativeTime(stateAtMs)}.`,
      descriptionQuote(description, DESCRIPTION_SHOWN) ?? "No description.",
      ...(description === undefined || isQuotedWhole(description, DESCRIPTION_SHOWN)
        ? []
        : ["-# The description is longer than this. Details has all of it."]),
      `**Goes out** ${publication.publishAtMs === undefined ? "as soon as it is approved" : whenWords(publication)}`,
      `**Account** ${accountWords(publication)}`,
      `**File** ${fileWords(publication)}; its link ends ${relativeTime(file.linkEndsAtMs)}`,
      byWords(publication),
    ],
    buttons: [
      // With the moment: whoever approves has seen these very texts.
      publicationButton("approve", mark, { t: formatMoment(stateAtMs) }),
      publicationButton("refuse", mark),
      ...(file.url === undefined ? [] : [{ type: "link" as const, label: "Watch it", url: file.url }]),
      details,
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
