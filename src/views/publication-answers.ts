// What whoever pressed a button of a publication is told; its message tells everyone by itself, a moment later.
import { textReply, type Reply } from "../core/reply.ts";
import type { Publication } from "../services/publish/publish.ts";
import { publicationTitle, standingWords } from "./publication-words.ts";

/** What a person did. */
export type PublicationDeed = "approved" | "refused" | "changed" | "cancelled" | "retried";

/** Says what came of it. */
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
