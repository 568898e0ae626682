// When nobody knows whether a video was published: what may be it, and the question whether to send it again.
import { textReply, type Reply } from "../core/reply.ts";
import type { Candidate, Publication } from "../services/publish/publish.ts";
import { relativeTime } from "./board-settings-words.ts";
import { publicationTitle } from "./publication-words.ts";
import { privateCard } from "./private-card.ts";

/** As many as one menu holds. */
const MOST = 25;

/** What may be it, newest first, or none of it. */
export function candidatesView(publication: Publication, newest: readonly Candidate[]): Reply {
  const candidates = newest.slice(0, MOST);
  const { id } = publication;
  const target = (action: string) => ({ command: "video/publish", action, args: { p: id } });
  const lines = candidates.map(({ link, title, createdAtMs }, index) => {
    const name = publicationTitle({ title: title ?? "Without a title", file: publication.file });
    const at = createdAtMs === undefined ? "" : `, ${relativeTime(createdAtMs)}`;
    return `${index + 1}. ${link === undefined ? name : `[${name}](${link})`}${at}`;
  });
  return privateCard([
    {
      type: "text",
      text: [
        `### Is “${publicationTitle(publication)}” there?`,
        candidates.length === 0
          ? "The account's newest videos hold nothing that could be it. A lost upload may still turn up for some minutes: look at the account's own page as well before you send it again."
          : "These are the account's newest videos. Please look at them, and tell me which one it is.",
        ...lines,
      ].join("\n"),
    },
    ...(candidates.length === 0
      ? []
      : [
          {
            type: "select" as const,
            target: target("settle"),
            placeholder: "It is this one…",
            choices: candidates.map(({ videoId, title }, index) => ({
              label: `${index + 1}. ${title ?? "Without a title"}`,
              value: videoId,
              description: `Its id there is ${videoId}`,
            })),
          },
        ]),
    {
      type: "buttons",
      buttons: [{ type: "button", label: "None of these", target: target("absent") }],
    },
  ]);
}

/** Asks before it is sent again. */
export function sendAgainQuestionView(publication: Publication): Reply {
  const target = (action: string) => ({ command: "video/publish", action, args: { p: publication.id } });
  return privateCard([
    {
      type: "text",
      text: `### Send “${publicationTitle(publication)}” again?\nIf it is there after all, it will be there twice. Only you can tell: have you looked at the account's own page?`,
    },
    {
      type: "buttons",
      buttons: [
        { type: "button", label: "It is not there: send again", style: "danger", target: target("again") },
        { type: "button", label: "Back", target: target("back") },
      ],
    },
  ]);
}

/** After a person has looked. */
export function settledView(publication: Publication): Reply {
  return textReply(
    publication.state === "uploading"
      ? `All right, “${publicationTitle(publication)}” is on its way again.`
      : `Thank you, “${publicationTitle(publication)}” is known to be there.`,
    "private",
  );
}
