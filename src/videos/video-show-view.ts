// One video with everything that is known of it, and with what can be done about it.
import { joinLines, joinDots } from "../core/text.ts";
import { type Reply, type Row, privateCard } from "../core/reply.ts";
import type { PublishedVideo, ShownPicture } from "./videos.ts";
import { videoButton } from "./video-args.ts";
import { countsLine, lengthWords, quotation, stageWords, timestamp, videoTitle } from "./video-words.ts";

const DESCRIPTION_LENGTH = 700;

/** `done`: a sentence on what has just been done with it. */
export function videoView(
  video: PublishedVideo,
  { done, picture }: { readonly done?: string | undefined; readonly picture?: ShownPicture | undefined } = {},
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
    link !== undefined && { type: "link", label: "Open", url: link },
  ];
  if (picture === undefined) {
    return privateCard([text, buttons]);
  }
  const { bytes, type } = picture;
  const file = { name: `video.${type}`, bytes, description: "A picture of the video" };
  const beside = { type: "thumbnail", file: file.name, description: file.description } as const;
  const card = privateCard([{ type: "section", texts: [text], accessory: beside }, buttons]);
  return { ...card, files: [file] };
}

function factsOf({ status, publishAtMs, createdAtMs, lengthSeconds }: PublishedVideo): string {
  const { stage, percent, problem } = status;
  return joinDots(
    stageWords({ stage, publishAtMs }) +
      (percent === undefined || stage !== "processing" ? "" : `, ${percent}%`),
    createdAtMs !== undefined && `uploaded ${timestamp(createdAtMs)}`,
    lengthSeconds !== undefined && lengthWords(lengthSeconds),
    problem !== undefined && `the service says: ${videoTitle(problem)}`,
  );
}
