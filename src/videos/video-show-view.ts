// One video with everything that is known of it, and with what can be done about it.
import { joinLines, joinDots } from "../core/text.ts";
import { type Part, type Reply, type ReplyFile, type Row, privateCard, textReply } from "../core/reply.ts";
import { publicationButton, videoButton } from "./video-args.ts";
import type { PublishedVideo, ShownPicture } from "./videos.ts";
import {
  countOf,
  countsLine,
  lengthWords,
  quotation,
  stageWords,
  timestamp,
  videoTitle,
} from "./video-words.ts";

const DESCRIPTION_LENGTH = 700;

/** `done`: a sentence on what has just been done with it. `publicationId`: how it came to be is a press away. */
export function videoView(
  video: PublishedVideo,
  {
    done,
    picture,
    publicationId: from,
  }: {
    readonly done?: string | undefined;
    readonly picture?: ShownPicture | undefined;
    readonly publicationId?: string | undefined;
  } = {},
): Reply {
  const { id, title, description, link } = video;
  const counts = countsLine(video);
  const text = joinLines(
    done,
    `### ${videoTitle(title, 255)}`,
    description && quotation(description, DESCRIPTION_LENGTH),
    factsOf(video),
    counts && `**${counts}**`,
  );
  const buttons: Row = [
    videoButton("edit", id, { isHere: true }),
    videoButton("comments", id, { isHere: true }),
    videoButton("stats", id),
    videoButton("delete", id, { isHere: true }),
    link !== undefined && { type: "link", label: "Watch", url: link },
  ];
  const history: Row = [
    from !== undefined && publicationButton("details", { id: from, forApprovers: false }),
  ];
  const { part, files } = besidePicture(text, picture);
  return { ...privateCard([part, buttons, history]), files };
}

export function besidePicture(
  text: string,
  picture: ShownPicture | undefined,
): { readonly part: Part; readonly files: readonly ReplyFile[] } {
  if (picture === undefined) {
    return { part: text, files: [] };
  }
  const file = { name: `video.${picture.type}`, bytes: picture.bytes, description: "A picture of the video" };
  const beside = { type: "thumbnail", file: file.name, description: file.description } as const;
  return { part: { type: "section", texts: [text], accessory: beside }, files: [file] };
}

function factsOf({ status, publishAtMs, createdAtMs, lengthSeconds }: PublishedVideo): string {
  const { stage, percent, problem } = status;
  return joinDots(
    stageWords({ stage, publishAtMs }) +
      (percent === undefined || stage !== "processing" ? "" : `, ${percent}%`),
    createdAtMs !== undefined && `uploaded ${timestamp(createdAtMs)}`,
    lengthSeconds !== undefined && lengthWords(lengthSeconds),
    problem !== undefined && `the video service says: ${videoTitle(problem)}`,
  );
}

// A video is deleted after two questions: the service cannot bring it back.

export function deleteQuestionView(video: PublishedVideo, isSure: boolean): Reply {
  const { id, title, views, comments } = video;
  // What nobody has seen or said is no loss.
  const counts = [countOf(views || undefined, "view"), countOf(comments || undefined, "comment")].filter(
    (count) => count !== undefined,
  );
  const lost = counts.length === 0 ? "its views and comments" : `its ${counts.join(" and ")}`;
  const text = isSure
    ? `### Delete it for good?\n**${videoTitle(title)}** and ${lost} can't be brought back, either by me or by the video service.`
    : `### Delete this video?\n**${videoTitle(title)}** will disappear from the video service for everybody, with ${lost}.`;
  return privateCard([
    text,
    [
      videoButton(isSure ? "deleteForGood" : "deleteSure", id, { isHere: true }),
      videoButton("show", id, { isHere: true, label: "Keep" }),
    ],
  ]);
}

/** `wasGone`: there was nothing for us to delete. */
export function videoDeletedView(wasGone = false): Reply {
  const what = wasGone
    ? "There was nothing left for me to delete: the video is gone, or no longer visible to me. If others can still see it, delete it on the account's own page."
    : "The video is deleted.";
  return textReply(`${what} If I announced it here, that message says so in a moment.`, "private");
}

/** `what` completes "whether …", e.g. `the title was changed`; `look` is where it would be seen. */
export function unknownOutcomeView(what: string, videoId: string, look: "show" | "comments"): Reply {
  return privateCard([
    `⚠️ The video service never said whether ${what}. I looked and didn't see it, but it may still turn up. Look again in a minute before you repeat it, so it doesn't happen twice.`,
    [videoButton(look, videoId, { isHere: true, label: "Look again" })],
  ]);
}
