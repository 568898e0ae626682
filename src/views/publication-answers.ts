// What whoever pressed a button of a publication is told; its message tells everyone by itself, a moment later.
import { textReply, type Reply } from "../core/reply.ts";
import type { Publication } from "../services/publish/publish.ts";
import { publicationTitle } from "./publication-words.ts";

/** What a person did. */
export type PublicationDeed = "approved" | "refused" | "changed" | "cancelled" | "retried";

/** Says what came of it. */
export function publicationAnswerView(publication: Publication, deed: PublicationDeed): Reply {
  return textReply(SENTENCES[deed](publication, `“${publicationTitle(publication)}”`), "private");
}

const SENTENCES: Readonly<Record<PublicationDeed, (publication: Publication, name: string) => string>> = {
  approved: ({ state, channelId }, name) =>
    state === "awaiting-approval"
      ? `${name} still waits: somebody has changed it just now. Please look at it again.`
      : `Thank you. ${name} is approved; how it goes on is told in <#${channelId}>.`,
  refused: ({ submittedBy }, name) =>
    `${name} is refused.${submittedBy === undefined ? "" : ` <@${submittedBy}> can read why.`}`,
  changed: ({ state, asksApproval }, name) =>
    state === "awaiting-approval" && asksApproval
      ? `${name} is changed, and waits for approval anew.`
      : `${name} is changed.`,
  cancelled: ({ isStopping, state }, name) =>
    isStopping || state !== "cancelled"
      ? `I am trying to stop ${name}. It may already be published: I am looking, and its message says what came of it.`
      : `${name} is stopped. Nothing was published.`,
  retried: (_, name) => `${name} is on its way again.`,
};
