// One video with everything that is known of it, and with what can be done about it.
import type { Button, Reply } from "../core/reply.ts";
import type { PublishedVideo } from "../services/videos/videos.ts";
import { privateCard } from "./private-card.ts";
import { videoButton } from "./video-buttons.ts";
import {
  countOf,
  COUNTED,
  lengthWords,
  quotation,
  stageWords,
  timestamp,
  videoTitle,
} from "./video-words.ts";

const DESCRIPTION_LENGTH = 700;

/** Under a sentence on what has just been done with it, where there is one. */
export function videoView(video: PublishedVideo, done?: string): Reply {
  const { id, title, description, link } = video;
  const lines = [
    done,
    `### ${videoTitle(title, 255)}`,
    description === undefined ? undefined : quotation(description, DESCRIPTION_LENGTH),
    factsOf(video),
    countsOf(video),
  ];
  const buttons: readonly Button[] = [
    videoButton("edit", id, { isHere: true }),
    videoButton("comments", id, { isHere: true }),
    videoButton("stats", id),
    videoButton("delete", id, { isHere: true }),
    ...(link === undefined ? [] : [{ type: "link" as const, label: "Open", url: link }]),
  ];
  return privateCard([
    { type: "text", text: lines.filter((line) => line !== undefined).join("\n") },
    { type: "buttons", buttons },
  ]);
}

function factsOf({ status, publishAtMs, createdAtMs, lengthSeconds }: PublishedVideo): string {
  const { stage, percent, problem } = status;
  return [
    stageWords({ stage, publishAtMs }) +
      (percent === undefined || stage !== "processing" ? "" : `, ${percent} %`),
    createdAtMs !== undefined && `uploaded ${timestamp(createdAtMs)}`,
    lengthSeconds !== undefined && lengthWords(lengthSeconds),
    problem !== undefined && `the service says: ${videoTitle(problem)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** What the service does not tell is left out: it is not zero. */
function countsOf({ views, likes, comments, shares }: PublishedVideo): string | undefined {
  const counts = [
    countOf(views, COUNTED.views),
    countOf(likes, COUNTED.likes),
    countOf(comments, COUNTED.comments),
    countOf(shares, COUNTED.shares),
  ].filter((count) => count !== undefined);
  return counts.length === 0 ? undefined : `**${counts.join(" · ")}**`;
}
