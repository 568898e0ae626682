// The message of a publication: how far it is, and what can be done with it. A second one, for approvers, stands in
// their channel.
import { joinLines } from "../core/text.ts";
import { ACCENT, type Button, type Reply, card, escapeMarkdown } from "../core/reply.ts";
import type { PresentPublication, Publication } from "./publishing/publish.ts";
import { type PublicationAction, publicationButton, publishedButton } from "./publication-args.ts";
import {
  accountWords,
  afterApprovalWords,
  descriptionQuote,
  failureWords,
  fileWords,
  hindranceLines,
  isQuotedWhole,
  progressBar,
  publicationTitle,
  refusedWords,
  uploadWords,
  visibilityWords,
  whenWords,
} from "./publication-words.ts";
import { relativeTime } from "../time/duration.ts";

const DONE = 0x2fa36b;
const TROUBLE = 0xd2483d;

/** What stands under the title, lines that do not apply left out, and the buttons before Details. */
interface PublicationBody {
  readonly lines: readonly (string | false | undefined)[];
  readonly buttons?: readonly Button[];
}

export const publicationView: PresentPublication = (publication, { forApprovers }): Reply => {
  const { id, state, submittedBy, left } = publication;
  const by = submittedBy === undefined ? "" : `by <@${submittedBy}> · `;
  const { lines, buttons = [] } = forApprovers ? approvalBody(publication) : publicBody(publication);
  const facts = forApprovers ? [] : [`-# ${by}${fileWords(publication)}`];
  const text = joinLines(`### ${publicationTitle(publication)}`, ...lines, ...facts);
  // In a server that the bot has left nobody can see more.
  const isGone = !forApprovers && state === "cancelled" && left === "left";
  const details = isGone ? [] : [publicationButton("details", { id, forApprovers })];
  const row = [...buttons, ...details];
  return card([text, row.length > 0 && row], accentOf(publication));
};

const WELL: ReadonlySet<Publication["state"]> = new Set(["published", "scheduled"]);
const ILL: ReadonlySet<Publication["state"]> = new Set(["failed", "refused", "expired", "outcome-unknown"]);

function accentOf({ state, problem }: Publication): number {
  if (WELL.has(state) && (state !== "published" || problem === undefined)) {
    return DONE;
  }
  return ILL.has(state) || problem !== undefined ? TROUBLE : ACCENT;
}

function publicBody(publication: Publication): PublicationBody {
  const { id, state, stateAtMs, problem, isStopping, percent, file } = publication;
  const own = (action: PublicationAction) => publicationButton(action, { id, forApprovers: false });
  const mayRetry = problem?.mayRetry === true;
  const tooLate = isStopping && TOO_LATE;
  switch (state) {
    case "draft":
      return { lines: ["Nothing has been sent yet."] };
    case "awaiting-approval":
      return {
        lines: [
          `⏳ Waits for approval, asked for ${relativeTime(stateAtMs)}.`,
          `Goes out ${afterApprovalWords(publication)}.`,
          ...hindranceLines(publication),
        ],
        buttons: [own("change"), own("cancel")],
      };
    case "uploading":
      return {
        lines: [...(isStopping ? [STOPPING] : uploading(publication)), ...hindranceLines(publication)],
        buttons: isStopping ? [] : [own("cancel")],
      };
    case "processing":
      return {
        lines: [
          "⚙️ The video service has it all and is getting it ready.",
          tooLate,
          percent !== undefined && progressBar(percent / 100),
          goesOutLine(publication),
          ...hindranceLines(publication),
        ],
      };
    case "scheduled":
      return {
        lines: [`🗓️ Ready. It goes out ${whenWords(publication)}.`, tooLate, ...hindranceLines(publication)],
        buttons: publishedButtons(publication, ["edit", "delete"]),
      };
    case "published":
      return {
        lines: [
          `✅ Published ${relativeTime(stateAtMs)}.`,
          problem && `⚠️ ${visibilityWords(problem)}`,
          tooLate,
        ],
        buttons:
          problem?.kind === "not-found"
            ? []
            : publishedButtons(publication, [
                "stats",
                "comments",
                "edit",
                ...(isStopping ? (["delete"] as const) : []),
              ]),
      };
    case "refused":
      return file.url === undefined
        ? { lines: [refusedWords(publication), `${NOTHING} ${ANEW}`], buttons: [] }
        : {
            lines: [
              refusedWords(publication),
              `${NOTHING} The person who sent it can correct that and ask again until the link to the file expires, ${relativeTime(file.linkEndsAtMs)}.`,
            ],
            buttons: [{ ...own("change"), label: "Edit and send again" }],
          };
    case "failed":
      return {
        lines: [`⚠️ ${failureWords(publication)}`, mayRetry && NOTHING, requestLine(publication)],
        buttons: mayRetry ? [own("retry"), own("change")] : [],
      };
    case "cancelled":
      return publication.left === "returned"
        ? returnedBody(publication)
        : {
            lines: [
              publication.left === "left"
                ? "Cancelled: I was removed from the server that it was for."
                : "Cancelled.",
              NOTHING,
            ],
          };
    case "expired":
      return {
        lines: [
          "The link to the file ended before it was sent. Please attach the video again with `/video publish`.",
          NOTHING,
        ],
      };
    case "outcome-unknown":
      return {
        lines: [
          "❓ The video service never said whether it published this, and I cannot tell by looking. So that it does not appear twice, I send nothing again by myself.",
          "Somebody has to check: the button shows what I find.",
          requestLine(publication),
        ],
        buttons: [own("look")],
      };
    case "deleted":
      return {
        lines: [
          problem === undefined
            ? `🗑️ Deleted at the video service ${relativeTime(stateAtMs)}.`
            : `🗑️ Somebody wanted to delete it here ${relativeTime(stateAtMs)}. By then it was gone, or no longer visible to me.`,
        ],
      };
  }
}

/** Cancelled since the bot was removed; now that it is back, it can go out all the same. */
function returnedBody(publication: Publication): PublicationBody {
  const { id, file, publishAtMs } = publication;
  const own = (action: PublicationAction) => publicationButton(action, { id, forApprovers: false });
  return {
    lines: [
      "👋 I was removed from this server, so I cancelled this. Now I am back.",
      publishAtMs !== undefined && `It was to go out ${whenWords(publication)}.`,
      NOTHING,
      file.url === undefined && ATTACH_AGAIN,
    ],
    buttons: file.url === undefined ? [] : [{ ...own("retry"), label: "Publish again" }, own("change")],
  };
}

const NOTHING = "Nothing was published.";
const ATTACH_AGAIN = "To publish it, attach the video again with `/video publish`.";
const ANEW = "Once that is put right, send it anew with `/video publish`.";
const STOPPING =
  "⏹️ Trying to stop it. It may already be published: I am looking, and say here what came of it.";
const TOO_LATE =
  "It was too late to cancel: the video service had it by then. Whoever may publish can delete it there, with Delete or `/video delete`.";

/** What comes out at its own time says so from the beginning. */
function goesOutLine(publication: Publication): string | false {
  return publication.publishAtMs !== undefined && `Goes out ${whenWords(publication)}.`;
}

function uploading(publication: Publication): PublicationBody["lines"] {
  const { doneBytes, file, asksApproval, decidedBy, publishAtMs, problem, nextTryAtMs } = publication;
  const isHeldBack = problem === undefined && nextTryAtMs !== undefined && nextTryAtMs === publishAtMs;
  return [
    asksApproval && decidedBy !== undefined && `Approved by <@${decidedBy}>.`,
    goesOutLine(publication),
    ...(isHeldBack
      ? ["⬆️ I hold it back until then, since the service takes no time as near as that."]
      : doneBytes === 0
        ? ["⬆️ On its way to the video service…"]
        : [`⬆️ ${progressBar(doneBytes / file.sizeBytes)}`, uploadWords(publication)]),
  ];
}

function requestLine({ problem }: Publication): string | false {
  const { requestId } = problem ?? {};
  return requestId !== undefined && `-# If you ask the service about it, quote ${escapeMarkdown(requestId)}.`;
}

function publishedButtons(
  { id, link, videoId }: Publication,
  actions: readonly Parameters<typeof publishedButton>[0][],
): readonly Button[] {
  const mark = { id, forApprovers: false };
  return [
    ...(link === undefined ? [] : [{ type: "link" as const, label: "Open", url: link }]),
    ...(videoId === undefined ? [] : actions.map((action) => publishedButton(action, videoId, mark))),
  ];
}

// What approvers see of a publication: all that they need to decide, then what was decided.

/** As much as fits: approvers have to see what goes out. */
const DESCRIPTION_SHOWN = 2_400;

/** The body of the message in the approval channel. */
function approvalBody(publication: Publication): PublicationBody {
  const mark = { id: publication.id, forApprovers: true };
  if (publication.state !== "awaiting-approval") {
    return { lines: [outcomeWords(publication), byWords(publication)] };
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
