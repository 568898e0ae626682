// The message of a publication: how far it is, and what can be done with it. A second one, for approvers, stands in
// their channel.
import { ACCENT, type Button, type ContentBlock, type Reply, escapeMarkdown } from "../core/reply.ts";
import type { PresentPublication, Publication } from "./publishing/publish.ts";
import { approvalBody, failureWords, hindranceLines, visibilityWords } from "./publication-trouble-view.ts";
import { publicationButton, publishedButton } from "./publication-args.ts";
import {
  fileWords,
  progressBar,
  publicationTitle,
  refusedWords,
  uploadWords,
  whenWords,
} from "./publication-words.ts";
import { relativeTime } from "../time/duration.ts";

const DONE = 0x2fa36b;
const TROUBLE = 0xd2483d;

/** What stands under the title, and the buttons. */
export interface PublicationBody {
  readonly lines: readonly string[];
  readonly buttons: readonly Button[];
}

export const publicationView: PresentPublication = (publication, { forApprovers }): Reply => {
  const { lines, buttons } = forApprovers ? approvalBody(publication) : publicBody(publication);
  const blocks: ContentBlock[] = [
    { type: "text", text: [`### ${publicationTitle(publication)}`, ...lines].join("\n") },
    ...(buttons.length === 0 ? [] : [{ type: "buttons" as const, buttons }]),
  ];
  return { blocks: [{ type: "container", accent: accentOf(publication), blocks }] };
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
  const { id, state, stateAtMs, submittedBy, problem, isStopping } = publication;
  const mark = { id, forApprovers: false };
  const by = submittedBy === undefined ? "" : `by <@${submittedBy}> · `;
  const facts = `-# ${by}${fileWords(publication)}`;
  const own = (action: Parameters<typeof publicationButton>[0]) => publicationButton(action, mark);
  switch (state) {
    case "draft":
      return { lines: ["Nothing is sent yet.", facts], buttons: [own("details")] };
    case "awaiting-approval":
      return {
        lines: [
          `⏳ Waits for approval, asked for ${relativeTime(stateAtMs)}.`,
          `Goes out ${publication.publishAtMs === undefined ? "as soon as it is approved" : whenWords(publication)}.`,
          ...hindranceLines(publication),
          facts,
        ],
        buttons: [own("change"), own("cancel"), own("details")],
      };
    case "uploading":
      return {
        lines: [...(isStopping ? [STOPPING] : uploading(publication)), ...hindranceLines(publication), facts],
        buttons: isStopping ? [own("details")] : [own("cancel"), own("details")],
      };
    case "processing":
      return {
        lines: [
          "⚙️ The video service has it all and is getting it ready.",
          ...(isStopping ? [TOO_LATE] : []),
          ...(publication.percent === undefined ? [] : [progressBar(publication.percent / 100)]),
          ...goesOutLines(publication),
          ...hindranceLines(publication),
          facts,
        ],
        buttons: [own("details")],
      };
    case "scheduled":
      return {
        lines: [
          `🗓️ Ready. It goes out ${whenWords(publication)}.`,
          ...(isStopping ? [TOO_LATE] : []),
          ...hindranceLines(publication),
          facts,
        ],
        buttons: publishedButtons(publication, ["edit", "delete"]),
      };
    case "published":
      return {
        lines: [
          `✅ Published ${relativeTime(stateAtMs)}.`,
          ...(problem === undefined ? [] : [`⚠️ ${visibilityWords(problem)}`]),
          ...(isStopping ? [TOO_LATE] : []),
          facts,
        ],
        buttons:
          problem?.kind === "not-found"
            ? [own("details")]
            : publishedButtons(publication, [
                "stats",
                "comments",
                "edit",
                ...(isStopping ? (["delete"] as const) : []),
              ]),
      };
    case "refused":
      return publication.file.url === undefined
        ? { lines: [refusedWords(publication), `${NOTHING} ${ANEW}`, facts], buttons: [own("details")] }
        : {
            lines: [
              refusedWords(publication),
              `${NOTHING} Whoever sent it can put that right and ask once more, until the link to the file ends, ${relativeTime(publication.file.linkEndsAtMs)}.`,
              facts,
            ],
            buttons: [{ ...own("change"), label: "Edit and send again" }, own("details")],
          };
    case "failed":
      return {
        lines: [
          `⚠️ ${failureWords(publication)}`,
          ...(problem?.mayRetry === true ? [NOTHING] : []),
          ...requestWords(publication),
          facts,
        ],
        buttons:
          problem?.mayRetry === true ? [own("retry"), own("change"), own("details")] : [own("details")],
      };
    case "cancelled":
      return publication.hasLeft
        ? {
            lines: ["Cancelled: I was removed from the server that it was for.", NOTHING, facts],
            buttons: [],
          }
        : { lines: ["Cancelled.", NOTHING, facts], buttons: [own("details")] };
    case "expired":
      return {
        lines: [
          "The link to the file ended before it was sent. Please attach the video again with `/video publish`.",
          NOTHING,
          facts,
        ],
        buttons: [own("details")],
      };
    case "outcome-unknown":
      return {
        lines: [
          "❓ The video service never said whether it published this, and I cannot tell by looking. So that it does not appear twice, I send nothing again by myself.",
          "Somebody has to look: the button shows what may be it.",
          ...requestWords(publication),
          facts,
        ],
        buttons: [own("look"), own("details")],
      };
    case "deleted":
      return {
        lines: [
          problem === undefined
            ? `🗑️ Deleted at the video service ${relativeTime(stateAtMs)}.`
            : `🗑️ Somebody wanted to delete it here ${relativeTime(stateAtMs)}. By then it was gone, or no longer visible to me.`,
          facts,
        ],
        buttons: [own("details")],
      };
  }
}

const NOTHING = "Nothing was published.";
const ANEW = "Once that is put right, send it anew with `/video publish`.";
const STOPPING =
  "⏹️ Trying to stop it. It may already be published: I am looking, and say here what came of it.";
const TOO_LATE =
  "It was too late to cancel: the video service had it by then. Whoever may publish can delete it there, with Delete or `/video delete`.";

/** What comes out at its own time says so from the beginning. */
function goesOutLines(publication: Publication): readonly string[] {
  return publication.publishAtMs === undefined ? [] : [`Goes out ${whenWords(publication)}.`];
}

function uploading(publication: Publication): readonly string[] {
  const { doneBytes, file, asksApproval, decidedBy, publishAtMs, problem, nextTryAtMs } = publication;
  const isHeldBack = problem === undefined && nextTryAtMs !== undefined && nextTryAtMs === publishAtMs;
  return [
    ...(asksApproval && decidedBy !== undefined ? [`Approved by <@${decidedBy}>.`] : []),
    ...goesOutLines(publication),
    ...(isHeldBack
      ? ["⬆️ I hold it back until then, since the service takes no time as near as that."]
      : doneBytes === 0
        ? ["⬆️ On its way to the video service…"]
        : [`⬆️ ${progressBar(doneBytes / file.sizeBytes)}`, uploadWords(publication)]),
  ];
}

function requestWords({ problem }: Publication): readonly string[] {
  return problem?.requestId === undefined
    ? []
    : [`-# If you ask the service about it, name ${escapeMarkdown(problem.requestId)}.`];
}

function publishedButtons(
  { id, link, videoId }: Publication,
  actions: readonly Parameters<typeof publishedButton>[0][],
): readonly Button[] {
  const mark = { id, forApprovers: false };
  return [
    ...(link === undefined ? [] : [{ type: "link" as const, label: "Open", url: link }]),
    ...(videoId === undefined ? [] : actions.map((action) => publishedButton(action, videoId, mark))),
    publicationButton("details", mark),
  ];
}
