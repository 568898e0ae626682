// A publication's own message, and a second one for approvers in their channel.
import { formatSize, joinDots, joinLines } from "../core/text.ts";
import {
  ACCENT,
  SUCCESS_ACCENT,
  type Button,
  type ContentBlock,
  type Reply,
  card,
  escapeMarkdown,
} from "../core/reply.ts";
import type { PresentPublication, Publication } from "./publishing/publish.ts";
import { type PublicationAction, manageButton, publicationButton } from "./video-args.ts";
import {
  accountWords,
  afterApprovalWords,
  cancelledWords,
  descriptionQuote,
  failureWords,
  fileWords,
  NOTHING_PUBLISHED,
  problemLines,
  isQuotedWhole,
  progressBar,
  publicationTitle,
  refusedWords,
  visibilityWords,
  whenWords,
} from "./publication-words.ts";
import { withPicture } from "./video-view.ts";
import { relativeTime } from "../time/words.ts";

const TROUBLE_ACCENT = 0xd2483d;

interface PublicationBody {
  readonly lines: readonly (string | false | undefined)[];
  readonly player?: ContentBlock | undefined;
  readonly buttons?: readonly Button[];
}

export const publicationView: PresentPublication = (publication, { forApprovers, picture }): Reply => {
  const { lines, player, buttons = [] } = forApprovers ? approvalBody(publication) : publicBody(publication);
  const facts = forApprovers ? undefined : factsLine(publication);
  const text = joinLines(`### ${publicationTitle(publication)}`, ...lines, facts);
  const { part, files } = withPicture(text, picture);
  const row = [...buttons, lastButton(publication, forApprovers)];
  return { ...card([part, player, row], accentOf(publication)), files };
};

function factsLine(publication: Publication): string {
  const { submittedBy, state } = publication;
  const file = state === "published" ? undefined : fileWords(publication);
  return `-# ${joinDots(submittedBy !== undefined && `by <@${submittedBy}>`, file)}`;
}

/** Returns the button for details or for managing the video, which only people who may publish can use. */
function lastButton(
  { id, state, stopReason, videoId, problem, approvalAskedAtMs }: Publication,
  forApprovers: boolean,
): Button | undefined {
  if (!forApprovers && state === "cancelled" && stopReason === "left") {
    // Nobody can open the details while the bot is not in the server.
    return undefined;
  }
  const mark = { id, forApprovers, approvalAskedAtMs };
  const isThere = (state === "published" || state === "scheduled") && problem?.kind !== "not-found";
  return isThere && !forApprovers && videoId !== undefined
    ? manageButton(videoId, mark)
    : publicationButton("details", mark);
}

const FAILURE_STATES = new Set<Publication["state"]>(["failed", "refused", "expired", "outcome-unknown"]);

function accentOf({ state, problem }: Publication): number {
  if (state === "scheduled" || (state === "published" && problem === undefined)) {
    return SUCCESS_ACCENT;
  }
  return FAILURE_STATES.has(state) || problem !== undefined ? TROUBLE_ACCENT : ACCENT;
}

function publicBody(publication: Publication): PublicationBody {
  const { id, state, stateAtMs, decidedBy, problem, mayRetry, isStopping, stopReason } = publication;
  const own = (action: PublicationAction) => publicationButton(action, { id, forApprovers: false });
  const tooLate = isStopping && TOO_LATE;
  switch (state) {
    case "draft":
      return { lines: ["Nothing has been sent yet."] };
    case "awaiting-approval":
      return {
        lines: [
          `⏳ Waiting for approval, requested ${relativeTime(stateAtMs)}.`,
          `Goes out ${afterApprovalWords(publication)}.`,
          ...problemLines(publication),
        ],
        buttons: [own("change"), own("cancel")],
      };
    case "uploading":
      if (isStopping) {
        return { lines: [STOPPING] };
      }
      return {
        lines: [
          publication.asksApproval && decidedBy !== undefined && `Approved by <@${decidedBy}>.`,
          goesOutLine(publication),
          ...progressLines(publication),
          ...problemLines(publication),
        ],
        buttons: [own("cancel")],
      };
    case "processing":
      return {
        lines: [
          "⚙️ Uploaded. Processing…",
          tooLate,
          publication.percent !== undefined && progressBar(publication.percent / 100),
          goesOutLine(publication),
          ...problemLines(publication),
        ],
      };
    case "scheduled":
      return {
        lines: [`🗓️ Ready. It goes out ${whenWords(publication)}.`, tooLate, ...problemLines(publication)],
        buttons: watchButton(publication),
      };
    case "published":
      return {
        lines: [
          descriptionQuote(publication.description),
          `✅ Published ${relativeTime(stateAtMs)}.`,
          problem && `⚠️ ${visibilityWords(problem)}`,
          tooLate,
        ],
        buttons: problem?.kind === "not-found" ? [] : watchButton(publication),
      };
    case "refused": {
      const { submittedBy, fileUrl, linkEndsAtMs } = publication;
      const author = submittedBy === undefined ? "Its author" : `<@${submittedBy}>`;
      const again =
        fileUrl === undefined
          ? "To try again, attach the video with `/video publish`."
          : `${author} can edit it and send it again before the file link expires, ${relativeTime(linkEndsAtMs)}.`;
      return {
        lines: [refusedWords(publication), `${NOTHING_PUBLISHED} ${again}`],
        buttons: fileUrl === undefined ? [] : [{ ...own("change"), label: "Edit and send again" }],
      };
    }
    case "failed":
      return {
        lines: [`⚠️ ${failureWords(publication)}`, mayRetry && NOTHING_PUBLISHED, requestLine(publication)],
        buttons: mayRetry ? [own("retry"), own("change")] : [],
      };
    case "cancelled":
      if (stopReason !== "returned") {
        const why = stopReason === "left" ? "Cancelled: I was removed from its server." : "Cancelled.";
        return { lines: [why, cancelledWords(publication)] };
      }
      return {
        lines: [
          "👋 I was removed from this server, so I cancelled this. Now I'm back.",
          publication.publishAtMs !== undefined && `It was due to go out ${whenWords(publication)}.`,
          NOTHING_PUBLISHED,
          !mayRetry && "To publish it, attach the video again with `/video publish`.",
        ],
        buttons: mayRetry ? [{ ...own("retry"), label: "Publish again" }, own("change")] : [],
      };
    case "expired":
      return {
        lines: [
          "The file link expired before it was sent. Please attach the video again with `/video publish`.",
          NOTHING_PUBLISHED,
        ],
      };
    case "outcome-unknown":
      return {
        lines: [
          "❓ The video service never said whether it published this, and I can't tell by looking. I won't send it again by myself, so it doesn't appear twice.",
          "Somebody has to check: press **Look for it** to see what I find.",
          requestLine(publication),
        ],
        buttons: [own("look")],
      };
    case "deleted":
      return {
        lines: [
          problem === undefined
            ? `🗑️ Deleted from the video service ${relativeTime(stateAtMs)}.`
            : `🗑️ Somebody tried to delete it here ${relativeTime(stateAtMs)}, but it was already gone, or I could no longer see it.`,
        ],
      };
  }
}

const STOPPING = "⏹️ Trying to cancel it. It may already be published: I'm checking, and will say so here.";
const TOO_LATE =
  "It was too late to cancel: the video service had it by then. To delete it there, press **Manage** or use `/video delete`.";

/** A scheduled publication shows its time from the beginning. */
function goesOutLine(publication: Publication): string | false {
  return publication.publishAtMs !== undefined && `Goes out ${whenWords(publication)}.`;
}

function progressLines(publication: Publication): readonly string[] {
  const { doneBytes, sizeBytes, publishAtMs, problem, nextTryAtMs, session, pendingWrite } = publication;
  if (problem === undefined && nextTryAtMs !== undefined && nextTryAtMs === publishAtMs) {
    return ["⬆️ That's too soon for the video service to schedule, so I'll publish it myself at that time."];
  }
  if (problem === undefined && session === undefined && pendingWrite === undefined) {
    // Few uploads run at the same time, so this one may wait for long.
    return ["⬆️ Waiting to upload…"];
  }
  return doneBytes === 0
    ? ["⬆️ Uploading…"]
    : [`⬆️ ${progressBar(doneBytes / sizeBytes)}`, `${formatSize(doneBytes)} of ${formatSize(sizeBytes)}`];
}

function requestLine({ problem }: Publication): string | false {
  const { requestId } = problem ?? {};
  return (
    requestId !== undefined &&
    `-# If you contact the video service about it, quote ${escapeMarkdown(requestId)}.`
  );
}

function watchButton({ link }: Publication): readonly Button[] {
  return link === undefined ? [] : [{ type: "link", label: "Watch", url: link }];
}

/** As many characters as fit, because approvers have to see what will be published. */
const DESCRIPTION_SHOWN = 2_400;

function approvalBody(publication: Publication): PublicationBody {
  const { id, approvalAskedAtMs, pingRoleId } = publication;
  const mark = { id, forApprovers: true, approvalAskedAtMs };
  if (publication.state !== "awaiting-approval") {
    return { lines: [outcomeWords(publication), byWords(publication)] };
  }
  const { description, fileUrl, linkEndsAtMs, stateAtMs } = publication;
  return {
    lines: [
      `${pingRoleId === undefined ? "" : `<@&${pingRoleId}> `}Approve this video? Requested ${relativeTime(stateAtMs)}.`,
      descriptionQuote(description, DESCRIPTION_SHOWN) ?? "No description.",
      description !== undefined &&
        !isQuotedWhole(description, DESCRIPTION_SHOWN) &&
        "-# The description is longer than this. **Details** has all of it.",
      `**Goes out** ${afterApprovalWords(publication)}`,
      `**Account** ${accountWords(publication)}`,
      `**File** ${fileWords(publication)}; its link expires ${relativeTime(linkEndsAtMs)}`,
      byWords(publication),
    ],
    player: playerOf(publication),
    buttons: [
      // The button contains the time of this state, which proves that the approver saw exactly these texts.
      publicationButton("approve", mark, stateAtMs),
      publicationButton("refuse", mark),
      ...(fileUrl === undefined ? [] : [{ type: "link" as const, label: "Watch it", url: fileUrl }]),
    ],
  };
}

/** The file types that Discord plays in a message. */
const PLAYABLE_TYPES: ReadonlySet<string> = new Set(["video/mp4", "video/quicktime", "video/webm"]);

/** Shows the file in the message, so that nobody has to leave Discord to watch it. */
function playerOf({ fileUrl, fileType }: Publication): ContentBlock | undefined {
  return fileUrl === undefined || !PLAYABLE_TYPES.has(fileType)
    ? undefined
    : { type: "gallery", items: [{ url: fileUrl, description: "The video to approve" }] };
}

function byWords({ submittedBy }: Publication): string {
  return `-# by ${submittedBy === undefined ? "somebody" : `<@${submittedBy}>`}`;
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
        : `Approved by <@${decidedBy}>, then cancelled.`;
    return `${what} ${cancelledWords(publication)}`;
  }
  if (state === "expired") {
    return `Its file link expired before it was sent. ${NOTHING_PUBLISHED}`;
  }
  const who = decidedBy === undefined ? "Approved." : `✅ Approved by <@${decidedBy}>.`;
  return `${who} Follow it in <#${channelId}>.`;
}
