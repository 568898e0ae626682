// What became of a publication, step by step, and all that is said of the video.
import type { Reply } from "../core/reply.ts";
import type { Publication } from "../services/publish/publish.ts";
import type { WrittenAct } from "../services/video-settings/video-settings.ts";
import { privateCard } from "./private-card.ts";
import {
  accountWords,
  descriptionQuote,
  fileWords,
  isQuotedWhole,
  publicationTitle,
  standingWords,
  whenWords,
} from "./publication-words.ts";
import { actLine } from "./video-settings-view.ts";

/** The last ones; earlier ones stand in the history of `/video settings`. */
export const ACTS_SHOWN = 12;
const WHOLE = "description.txt";

/** Of the others there is nothing to wait for. */
const IS_TO_COME: ReadonlySet<Publication["state"]> = new Set([
  "draft",
  "awaiting-approval",
  "uploading",
  "processing",
  "scheduled",
]);

function goesOut(publication: Publication): string {
  return publication.state === "awaiting-approval" && publication.publishAtMs === undefined
    ? "as soon as it is approved"
    : whenWords(publication);
}

/** Acts come the newest first, at most {@link ACTS_SHOWN}. A description that is too long for a message comes as a file as well. */
export function publicationDetailsView(publication: Publication, acts: readonly WrittenAct[]): Reply {
  const { description, videoId, id, state } = publication;
  const text = {
    type: "text",
    text: [
      `### ${publicationTitle(publication)}`,
      `**Now** it ${standingWords(state)}`,
      descriptionQuote(description) ?? "No description.",
      ...(IS_TO_COME.has(state) ? [`**Goes out** ${goesOut(publication)}`] : []),
      `**Account** ${accountWords(publication)}`,
      `**File** ${fileWords(publication)}`,
      ...(acts.length === 0 ? [] : ["**What happened**", ...acts.map(actLine)]),
      `-# Publication ${id}${videoId === undefined ? "" : ` · video ${videoId}`}`,
    ].join("\n"),
  } as const;
  if (description === undefined || isQuotedWhole(description)) {
    return privateCard([text]);
  }
  const file = { name: WHOLE, bytes: Buffer.from(description), description: "The whole description" };
  return { ...privateCard([text, { type: "file", file: WHOLE }]), files: [file] };
}
