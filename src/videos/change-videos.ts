import type { Video } from "./client/read-video.ts";
import { createUpdatePublication } from "./publishing/change-publication.ts";
import { formatProblem } from "./publishing/problems.ts";
import { enter, mayFollow, maySendAgain } from "./publishing/states.ts";
import { type OwnVideo, type VideoRequest, type WriteOutcome, isGone } from "./own-video.ts";
import { NOT_VISIBLE } from "./sample-videos.ts";
import type { PublicationTexts } from "./publishing/publish.ts";
import type { OwnedVideosDependencies } from "./videos.ts";
import type { VideoDetails } from "./client/video-source.ts";
import { UserError, recover } from "../core/errors.ts";
import {
  type ReadingTime,
  checkText,
  outdatedFormError,
  parsePublishAt,
} from "./publishing/draft-publication.ts";
import { isSameText, hashTexts } from "./video-words.ts";

export interface DeletableVideo extends Pick<Video, "id" | "title"> {
  readonly views?: number | undefined;
  readonly comments?: number | undefined;
  readonly isGone?: boolean;
}

export function createVideoChanges(deps: OwnedVideosDependencies) {
  const { records, client, own, clock } = deps;
  const update = createUpdatePublication(deps);

  /** Also wakes the runner, which updates the publication's message. */
  async function alterPublication(
    { publication }: OwnVideo,
    decide: Parameters<typeof update>[1],
  ): Promise<void> {
    if (publication !== undefined) {
      await update(publication.id, decide);
    }
  }

  return {
    /**
     * Throws a UserError if nothing would change, a text would become empty, this person may not change it, or
     * the form no longer shows the current texts (`seen`: the `hashTexts` of what it showed).
     */
    async edit(asked: VideoRequest, edit: PublicationTexts, seen?: string): Promise<WriteOutcome> {
      const { videoId } = asked;
      const found = await own.openToWrite(asked, "change a video");
      const { timeZone } = found.settings;
      const video = await own.read(found);
      await own.checkStillApproved(found, video);
      const change = readEdit(edit, video, { timeZone, nowMs: clock.now() });
      const now = hashTexts(video);
      if (seen !== undefined && seen !== now) {
        // The next form must show the current texts.
        own.forget();
        throw outdatedFormError(now);
      }
      const outcome = await own.write(
        found,
        { act: "edited", note: change.title ?? found.publication?.title },
        (account) => client.update(account, videoId, change),
        async (account) => isChanged(await client.read(account, videoId), change),
      );
      own.forget();
      if (outcome === "done") {
        await alterPublication(found, () => ({ ...change, nextAtMs: clock.now() }));
      }
      return outcome;
    },
    /** A video that the service no longer shows can only be removed from its server's list. */
    async readToDelete(asked: VideoRequest): Promise<DeletableVideo> {
      const found = await own.openToWrite(asked, "delete a video");
      const { videoId: id, publication } = found;
      const reading = own.ask(found, (account) => client.read(account, id));
      return recover(reading, ["not-found"], () => ({ id, title: publication?.title, isGone: true }));
    },
    /** `onlyOffList`: throws a UserError if the video is visible, because nobody agreed to delete that. */
    async delete(asked: VideoRequest, onlyOffList = false): Promise<WriteOutcome> {
      const { guildId, videoId } = asked;
      const found = await own.openToWrite(asked, "delete a video");
      const outcome = await own.write(
        found,
        { act: "deleted", note: found.publication?.title },
        (account) =>
          isGone(
            onlyOffList ? client.read(account, videoId).then(refuseVisible) : client.delete(account, videoId),
          ),
        (account) => isGone(client.read(account, videoId)),
      );
      own.forget();
      if (outcome !== "unknown") {
        const problem = outcome === "gone" ? formatProblem(NOT_VISIBLE) : undefined;
        // A publication that may be sent again stays as it is: only the service's failed copy is gone.
        await alterPublication(found, (row) =>
          mayFollow(row.state, "deleted") && !maySendAgain(row)
            ? { ...enter(row, "deleted", clock.now()), problem }
            : undefined,
        );
        await records.removeSamples(guildId, videoId);
      }
      return outcome;
    },
  };
}

function refuseVisible(): never {
  throw new UserError(
    "The video service shows that video again, so I've left it alone. To delete it, use `/video delete`.",
  );
}

/** Returns only what differs from the video. */
function readEdit(edit: PublicationTexts, video: Video, now: ReadingTime): VideoDetails {
  const wanted: VideoDetails = {
    title: readText("title", edit.title, video.title),
    description: readText("description", edit.description, video.description),
    publishAtMs: readTime(edit.publishAt, video, now),
  };
  const changes = Object.entries(wanted).filter(([, value]) => value !== undefined);
  if (changes.length === 0) {
    throw new UserError("It's like that already, so I changed nothing.");
  }
  return Object.fromEntries(changes);
}

function isChanged(video: Video, { title, description, publishAtMs }: VideoDetails): boolean {
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
  const text = checkText(what, typed);
  if (text === undefined) {
    throw new UserError(
      `The video service can't make a ${what} empty. Type another one, or leave it as it is.`,
    );
  }
  return text;
}

function readTime(
  typed: string | undefined,
  { status, publishAtMs: before }: Video,
  now: ReadingTime,
): number | undefined {
  if (typed === undefined || typed.trim() === "") {
    return undefined;
  }
  if (status.stage !== "scheduled") {
    throw new UserError("Only a scheduled video can be moved, and this one isn't scheduled.");
  }
  // The service stores whole seconds.
  const publishAtMs = 1_000 * Math.round(parsePublishAt(typed, now) / 1_000);
  return isSameSecond(before, publishAtMs) ? undefined : publishAtMs;
}

function isSameSecond(a: number | undefined, b: number): boolean {
  return a !== undefined && Math.round(a / 1000) === Math.round(b / 1000);
}
