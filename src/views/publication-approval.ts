// What approvers see of a publication: all that they need to decide, then what was decided.
import { escapeMarkdown } from "../core/reply.ts";
import type { Publication } from "../services/publish/publish.ts";
import { relativeTime } from "./board-settings-words.ts";
import { formatMoment, publicationButton } from "./publication-args.ts";
import { descriptionQuote, fileWords, refusedWords, whenWords } from "./publication-words.ts";
import type { PublicationBody } from "./publication-view.ts";

/** The body of the message in the approval channel. */
export function approvalBody(publication: Publication): PublicationBody {
  const mark = { id: publication.id, forApprovers: true };
  const details = publicationButton("details", mark);
  if (publication.state !== "awaiting-approval") {
    return { lines: [outcomeWords(publication), byWords(publication)], buttons: [details] };
  }
  const { account, description, file, stateAtMs } = publication;
  return {
    lines: [
      `May this be published? Asked ${relativeTime(stateAtMs)}.`,
      descriptionQuote(description) ?? "No description.",
      `**Goes out** ${publication.publishAtMs === undefined ? "as soon as it is approved" : whenWords(publication)}`,
      `**Account** ${account.name === undefined ? "the bot's own" : escapeMarkdown(account.name)}`,
      `**File** ${fileWords(publication)}; I can fetch it until ${relativeTime(file.linkEndsAtMs)}`,
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
    return "Withdrawn before anybody decided, or stopped afterwards. Nothing was published.";
  }
  if (state === "expired") {
    return "The link to its file ended before it was sent. Nothing was published.";
  }
  const who = decidedBy === undefined ? "Approved." : `✅ Approved by <@${decidedBy}>.`;
  return `${who} How it goes on is told in <#${channelId}>.`;
}
