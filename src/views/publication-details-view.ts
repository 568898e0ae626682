// What became of a publication, step by step.
import { escapeMarkdown, type Reply } from "../core/reply.ts";
import type { Publication } from "../services/publish/publish.ts";
import type { WrittenAct } from "../services/video-settings/video-settings.ts";
import { privateCard } from "./private-card.ts";
import { descriptionQuote, fileWords, publicationTitle, whenWords } from "./publication-words.ts";
import { actLine } from "./video-settings-view.ts";

/** Acts come the newest first. */
export function publicationDetailsView(publication: Publication, acts: readonly WrittenAct[]): Reply {
  const { account, description, videoId, id } = publication;
  return privateCard([
    {
      type: "text",
      text: [
        `### ${publicationTitle(publication)}`,
        descriptionQuote(description) ?? "No description.",
        `**Goes out** ${whenWords(publication)}`,
        ...(account.name === undefined ? [] : [`**Account** ${escapeMarkdown(account.name)}`]),
        `**File** ${fileWords(publication)}`,
        ...(acts.length === 0 ? [] : ["**What happened**", ...acts.map(actLine)]),
        `-# Publication ${id}${videoId === undefined ? "" : ` · video ${videoId}`}`,
      ].join("\n"),
    },
  ]);
}
