// The answer to a press on a publication's button; its message shows everyone the outcome a moment later.
import { joinLines } from "../core/text.ts";
import { publicationArgs } from "./publication-args.ts";
import { buttonTo, menu, type Reply, privateCard, textReply } from "../core/reply.ts";
import type { Candidate, Publication } from "./publishing/publish.ts";
import {
  accountWords,
  afterApprovalWords,
  descriptionQuote,
  fileWords,
  isQuotedWhole,
  publicationTitle,
  standingWords,
  whenWords,
} from "./publication-words.ts";
import type { AuditEntry } from "./settings/video-settings.ts";
import { auditLine } from "./video-settings-view.ts";
import { relativeTime } from "../time/duration.ts";
import { linesCard, videoTitle } from "./video-words.ts";

export type PublicationDeed = "approved" | "refused" | "changed" | "cancelled" | "retried";

export function publicationAnswerView(publication: Publication, deed: PublicationDeed): Reply {
  return textReply(SENTENCES[deed](publication, `“${publicationTitle(publication)}”`), "private");
}

const SENTENCES: Readonly<Record<PublicationDeed, (publication: Publication, name: string) => string>> = {
  approved(publication, name) {
    const { state, channelId } = publication;
    if (state === "awaiting-approval") {
      return `${name} still waits: somebody has changed it just now. Please look at it again.`;
    }
    return IS_SENT.has(state)
      ? `Thank you. ${name} is approved; how it goes on is told in <#${channelId}>.`
      : tooLate(publication, name);
  },
  refused: (publication, name) =>
    publication.state === "refused"
      ? `${name} is refused.${publication.submittedBy === undefined ? "" : ` <@${publication.submittedBy}> can read why.`}`
      : tooLate(publication, name),
  changed: ({ state, asksApproval }, name) =>
    state === "awaiting-approval" && asksApproval
      ? `${name} is changed, and waits for approval anew.`
      : `${name} is changed.${state === "failed" ? " Press Try again to send it." : ""}`,
  cancelled: ({ state }, name) =>
    state === "cancelled"
      ? `${name} is stopped. Nothing was published.`
      : IS_SENT.has(state)
        ? `I am stopping ${name}. Its message says in a moment whether that was in time.`
        : `There is nothing to stop any more: ${name} ${standingWords(state)}.`,
  retried: (publication, name) =>
    publication.state === "uploading"
      ? `${name} is on its way again.`
      : publication.state === "awaiting-approval"
        ? `${name} waits for approval: it goes out once somebody has given it.`
        : tooLate(publication, name),
};

const IS_SENT: ReadonlySet<Publication["state"]> = new Set([
  "uploading",
  "processing",
  "scheduled",
  "published",
]);

/** What was pressed was not done: it was decided otherwise in the meantime. */
function tooLate({ state }: Publication, name: string): string {
  return state === "expired"
    ? `${name} can no longer be sent: the link to its file has ended. Please ask for the video again.`
    : `Somebody else was quicker: ${name} ${standingWords(state)}.`;
}

// What became of a publication, step by step, and all that is said of the video.

/** The last ones; earlier ones stand in the history of `/video settings`. */
export const ENTRIES_SHOWN = 12;
const WHOLE = "description.txt";

/** Of the others there is nothing to wait for. */
const IS_TO_COME: ReadonlySet<Publication["state"]> = new Set([
  "draft",
  "awaiting-approval",
  "uploading",
  "processing",
  "scheduled",
]);

/** Acts come the newest first, at most {@link ENTRIES_SHOWN}. A description that is too long for a message comes as a file as well. */
export function publicationDetailsView(publication: Publication, acts: readonly AuditEntry[]): Reply {
  const { description, videoId, id, state } = publication;
  const text = joinLines(
    `### ${publicationTitle(publication)}`,
    `**Now** it ${standingWords(state)}`,
    descriptionQuote(description) ?? "No description.",
    IS_TO_COME.has(state) &&
      `**Goes out** ${state === "awaiting-approval" ? afterApprovalWords(publication) : whenWords(publication)}`,
    `**Account** ${accountWords(publication)}`,
    `**File** ${fileWords(publication)}`,
    ...(acts.length === 0 ? [] : ["**What happened**", ...acts.map(auditLine)]),
    `-# Publication ${id}${videoId === undefined ? "" : ` · video ${videoId}`}`,
  );
  if (description === undefined || isQuotedWhole(description)) {
    return privateCard([text]);
  }
  const file = { name: WHOLE, bytes: Buffer.from(description), description: "The whole description" };
  return { ...privateCard([text, { type: "file", file: WHOLE }]), files: [file] };
}

// When nobody knows whether a video was published: what may be it, and the question whether to send it again.

/** As many as one menu holds. */
const MOST = 25;

/** Short enough for all of them, with their links. */
const TITLE_SHOWN = 40;

/** What may be it, newest first, or none of it. */
export function candidatesView(publication: Publication, newest: readonly Candidate[]): Reply {
  if (publication.state !== "outcome-unknown") {
    return settledView(publication);
  }
  const candidates = newest.slice(0, MOST);
  const { id } = publication;
  const target = (action: string) => ({
    command: "video/doubt",
    action,
    args: publicationArgs.encode({ id }),
  });
  const lines = candidates.map(({ link, title, createdAtMs }, index) => {
    const name = videoTitle(title, TITLE_SHOWN);
    const at = createdAtMs === undefined ? "" : `, ${relativeTime(createdAtMs)}`;
    return `${index + 1}. ${link === undefined ? name : `[${name}](${link})`}${at}`;
  });
  return privateCard([
    [
      `### Is “${publicationTitle(publication)}” there?`,
      candidates.length === 0
        ? "The account's newest videos hold nothing that could be it. A lost upload may still turn up for some minutes: look at the account's own page as well before you send it again."
        : "These are the account's newest videos. Please look at them, and tell me which one it is.",
      ...lines,
    ].join("\n"),
    candidates.length > 0 &&
      menu(
        target("settle"),
        "It is this one…",
        candidates.map(({ videoId, title }, index) => ({
          label: `${index + 1}. ${title ?? "Without a title"}`,
          value: videoId,
          description: `Its id there is ${videoId}`,
        })),
      ),
    [buttonTo("It is not there", target("absent"))],
  ]);
}

export function sendAgainQuestionView(publication: Publication): Reply {
  const target = (action: string) => ({
    command: "video/doubt",
    action,
    args: publicationArgs.encode(publication),
  });
  return linesCard(
    [
      `### Is “${publicationTitle(publication)}” really not there?`,
      "If I send it again and it is there after all, it will be there twice. Only you can tell: have you looked at the account's own page?",
    ],
    [
      buttonTo("It is not there: send again", target("again"), { style: "danger" }),
      buttonTo("It is not there: leave it", target("leave")),
      buttonTo("Back", target("back")),
    ],
  );
}

/** After a person has looked. */
export function settledView(publication: Publication): Reply {
  return textReply(settledWords(publication, `“${publicationTitle(publication)}”`), "private");
}

const IS_THERE: ReadonlySet<Publication["state"]> = new Set(["processing", "scheduled", "published"]);

function settledWords({ state }: Publication, name: string): string {
  if (state === "uploading") {
    return `All right, ${name} is on its way again.`;
  }
  if (state === "expired") {
    return `Thank you. ${name} cannot be sent again, because the link to its file has ended: please attach the video again with \`/video publish\`.`;
  }
  return IS_THERE.has(state)
    ? `Thank you, ${name} is known to be there.`
    : `Thank you; ${name} ${standingWords(state)}.`;
}
