// What somebody typed to change a video, made into what the service is told.
import type { Video } from "../../clients/video/read-video.ts";
import type { VideoChange } from "../../clients/video/video-verbs.ts";
import { UserError } from "../../core/errors.ts";
import { checkDescription, checkTitle } from "../publish/check-draft.ts";
import { parsePublishAt } from "../publish/parse-publish-at.ts";
import type { VideoEdit } from "./videos.ts";

/** Throws UserError for what cannot be, and where nothing would be different. */
export function readEdit(
  edit: VideoEdit,
  video: Video,
  now: { readonly timeZone: string; readonly nowMs: number },
): VideoChange {
  const change: VideoChange = {
    title: readText("title", edit.title, video.title),
    description: readText("description", edit.description, video.description),
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
  before: string | undefined,
): string | undefined {
  if (typed === undefined || isSameText(before, typed)) {
    return undefined;
  }
  const text = what === "title" ? checkTitle(typed) : checkDescription(typed);
  if (text === undefined) {
    throw new UserError(
      `The video service cannot make a ${what} empty. Type another one, or leave it as it is.`,
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
