// The video service's ledger for the page: what is published, and what is said about it.
import { attentionFor } from "../../video/attention.ts";
import type { Comment, Video } from "../../video/entities.ts";
import { progressOf } from "../../video/progress.ts";
import type { VideoStandIn } from "../../video/server.ts";
import { PAGES } from "../../video/store.ts";
import type { KnownTokens } from "../../video/tokens.ts";
import type { PublishedVideo, VideoComment, VideoLedger } from "../api/video.ts";
import { formatCall, TOLD_CALLS } from "./calls.ts";

const TOKEN_LABELS: Readonly<Record<keyof KnownTokens, string>> = {
  page: "Signal Hall, everything allowed",
  secondPage: "Garden Railway, everything allowed",
  person: "A person's: publishes nothing",
  expired: "Expired",
  readOnly: "May only read",
  otherApp: "Made for another application",
};

export function formatVideo(video: VideoStandIn, nowMs: number): VideoLedger {
  const comments = Map.groupBy(video.comments(), ({ videoId }) => videoId);
  return {
    videos: video.videos().map((one) => formatPublished(one, comments.get(one.id) ?? [], nowMs)),
    // Each has its label: the table above is typed by their names.
    tokens: (Object.keys(TOKEN_LABELS) as (keyof KnownTokens)[]).map((name) => ({
      label: TOKEN_LABELS[name],
      value: video.tokens[name],
    })),
    calls: video.ledger.slice(-TOLD_CALLS).map((entry) => ({
      ...formatCall(entry),
      made: entry.made?.what ?? null,
      error: entry.error ?? null,
    })),
  };
}

function formatPublished(video: Video, comments: readonly Comment[], nowMs: number): PublishedVideo {
  const { id, pageId, title, description, createdAtMs, publishAtMs, file } = video;
  const { word, percent, publishing, isPublished } = progressOf(video, nowMs);
  return {
    id,
    page: PAGES.find((page) => page.id === pageId)?.name ?? pageId,
    title,
    description,
    createdAtMs,
    // A video is there once its upload is over.
    status: word === "ready" || word === "error" ? word : "processing",
    percent,
    publishing,
    publishAtMs: publishing === "scheduled" ? (publishAtMs ?? null) : null,
    file: { name: file.name, contentType: file.contentType, sizeBytes: file.sizeBytes },
    mediaUrl: isPublished && file.chunks.length > 0 ? `_sandbox/video/media/${id}` : null,
    ...attentionFor(video, nowMs),
    comments: comments.map((comment) => formatComment(comment, pageId)),
  };
}

function formatComment(comment: Comment, pageId: string): VideoComment {
  const { id, parentId, author, message, createdAtMs, isHidden } = comment;
  return {
    id,
    parentId: parentId ?? null,
    author: author.name ?? null,
    isByPage: author.id === pageId,
    message,
    atMs: createdAtMs,
    isHidden,
  };
}
