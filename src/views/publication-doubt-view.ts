// When nobody knows whether a video was published: what may be it, and the question whether to send it again.
import { textReply, type Reply } from "../core/reply.ts";
import type { Candidate, Publication } from "../services/publish/publish.ts";
import { relativeTime } from "./duration.ts";
import { publicationTitle, standingWords } from "./publication-words.ts";
import { privateCard } from "./private-card.ts";
import { videoTitle } from "./video-words.ts";

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
  const target = (action: string) => ({ command: "video/doubt", action, args: { p: id } });
  const lines = candidates.map(({ link, title, createdAtMs }, index) => {
    const name = videoTitle(title, TITLE_SHOWN);
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
      buttons: [{ type: "button", label: "It is not there", target: target("absent") }],
    },
  ]);
}

/** Asks before it is sent again. */
export function sendAgainQuestionView(publication: Publication): Reply {
  const target = (action: string) => ({ command: "video/doubt", action, args: { p: publication.id } });
  return privateCard([
    {
      type: "text",
      text: `### Is “${publicationTitle(publication)}” really not there?\nIf I send it again and it is there after all, it will be there twice. Only you can tell: have you looked at the account's own page?`,
    },
    {
      type: "buttons",
      buttons: [
        { type: "button", label: "It is not there: send again", style: "danger", target: target("again") },
        { type: "button", label: "It is not there: leave it", target: target("leave") },
        { type: "button", label: "Back", target: target("back") },
      ],
    },
  ]);
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
