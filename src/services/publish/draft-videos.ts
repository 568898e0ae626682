// Drafts of all the videos that somebody points at.
import { UserError } from "../../core/errors.ts";
import { proposeTitle } from "./propose-texts.ts";
import type { Publication, Publish, PublishOrder } from "./publish.ts";

/** A file that may be a video. */
export type PointedFile = PublishOrder["file"];

/** A file that cannot be published, and why in words. */
export interface RefusedFile {
  readonly name: string;
  readonly sentence: string;
}

/** As many as one message has. */
const MOST_FILES = 10;
const VIDEO_NAME =
  /\.(?:3g[2p]|3gpp|asf|avi|divx|dv|f4v|flv|m2ts|m4v|mkv|mod|mov|mp4|mpe|mpe?g|mpeg4|mts|ogm|ogv|qt|tod|ts|vob|webm|wmv)$/i;

/** Whether a file may be a video, by what Discord takes it for, or else by its name; what is without an end may be. */
function mayBeVideo({ name, contentType }: PointedFile): boolean {
  return contentType === undefined || contentType === "application/octet-stream"
    ? VIDEO_NAME.test(name) || !name.includes(".")
    : contentType.startsWith("video/");
}

/**
 * Makes a draft of each, titled by its name. Throws UserError where there is none to be made, for the reason of the
 * first; otherwise as `draft` does.
 */
export async function draftVideos(
  { draft }: Pick<Publish, "draft">,
  order: Omit<PublishOrder, "file" | "title">,
  files: readonly PointedFile[],
): Promise<{ readonly drafts: readonly Publication[]; readonly refused: readonly RefusedFile[] }> {
  const videos = files.filter(mayBeVideo).slice(0, MOST_FILES);
  if (videos.length === 0) {
    throw new UserError(
      "There is no video in that message. Pick one that has a video attached, or use `/video publish` with your own.",
    );
  }
  const drafts: Publication[] = [];
  const refused: RefusedFile[] = [];
  for (const file of videos) {
    try {
      drafts.push(await draft({ ...order, file, title: proposeTitle(file.name) }));
    } catch (error) {
      // One that will not do leaves the others.
      if (!(error instanceof UserError)) {
        throw error;
      }
      refused.push({ name: file.name, sentence: error.message });
    }
  }
  const [reason] = refused;
  if (drafts.length === 0 && reason !== undefined) {
    throw new UserError(reason.sentence);
  }
  return { drafts, refused };
}
