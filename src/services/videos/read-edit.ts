// What somebody typed to change a video, made into what the service is told.
import type { Video } from "../../clients/video/read-video.ts";
import type { VideoChange } from "../../clients/video/video-verbs.ts";
import { UserError } from "../../core/errors.ts";
import { DESCRIPTION_LIMIT, TITLE_LIMIT } from "../publish/check-draft.ts";
import { parsePublishAt } from "../publish/parse-publish-at.ts";
import type { VideoEdit } from "./videos.ts";

/** Throws UserError for what cannot be, and where nothing would be different. */
export function readEdit(
  edit: VideoEdit,
  video: Video,
  now: { readonly timeZone: string; readonly nowMs: number },
): VideoChange {
  const change: VideoChange = {
    title: readText("title", edit.title, { before: video.title, limit: TITLE_LIMIT }),
    description: readText("description", edit.description, {
      before: video.description,
      limit: DESCRIPTION_LIMIT,
    }),
    publishAtMs: readTime(edit.publishAt, video, now),
  };
  if (Object.values(change).every((value) => value === undefined)) {
    throw new UserError("That is how it is already, so I changed nothing.");
  }
  return change;
}

/** Whether a video is as a change wanted it. */
export function isChanged(video: Video, { title, description, publishAtMs }: VideoChange): boolean {
  return (
    (title === undefined || isSameText(video.title, title)) &&
    (description === undefined || isSameText(video.description, description)) &&
    (publishAtMs === undefined || isSameSecond(video.publishAtMs, publishAtMs))
  );
}

function readText(
  what: "title" | "description",
  typed: string | undefined,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): string | undefined {
  const text = typed?.trim();
  if (text === undefined || isSameText(before, text)) {
    return undefined;
  }
  if (text === "") {
    throw new UserError(
      `The video service cannot make a ${what} empty. Type another one, or leave it as it is.`,
    );
  }
  if (text.length > limit) {
    throw new UserError(
      `That ${what} has ${text.length.toLocaleString("en-GB")} characters; ${limit.toLocaleString("en-GB")} are the most. Please shorten it.`,
    );
  }
  return text;
}

function readTime(
  typed: string | undefined,
  { status, publishAtMs: before }: Video,
  now: { readonly timeZone: string; readonly nowMs: number },
): number | undefined {
  if (typed === undefined || typed.trim() === "") {
    return undefined;
  }
  if (status.stage !== "scheduled") {
    throw new UserError("Only a video that is still to come can be moved, and this one is not scheduled.");
  }
  // The service keeps whole seconds.
  const publishAtMs = 1_000 * Math.round(parsePublishAt(typed, now) / 1_000);
  return isSameSecond(before, publishAtMs) ? undefined : publishAtMs;
}

/** The service puts blanks and line ends in order. */
function isSameText(a: string | undefined, b: string | undefined): boolean {
  return inOrder(a) === inOrder(b);
}

function inOrder(text = ""): string {
  return text.replace(/\s+/g, " ").trim();
}

function isSameSecond(a: number | undefined, b: number): boolean {
  return a !== undefined && Math.round(a / 1000) === Math.round(b / 1000);
}
