import type { VideoContext } from "./context.ts";
import type { Session, Video } from "./entities.ts";
import { formatMoment, type FieldReaders } from "./fields.ts";
import { progressOf, formatSessionStatus, formatStatus } from "./progress.ts";
import { attentionFor } from "./attention.ts";

export function videoFields({ clock, store, baseUrl }: VideoContext, video: Video): FieldReaders {
  const { id, file } = video;
  const nowMs = clock.now();
  const progress = progressOf(video, nowMs);
  const attention = attentionFor(video, nowMs);
  const page = store.findPage(video.pageId);
  const comments = () =>
    store.comments
      .values()
      .filter(({ videoId }) => videoId === id)
      .toArray().length;
  return {
    id: () => id,
    title: () => video.title || undefined,
    description: () => video.description || undefined,
    created_time: () => formatMoment(video.createdAtMs),
    updated_time: () => formatMoment(video.updatedAtMs),
    length: () => (progress.word === "ready" ? lengthSeconds(file.sizeBytes) : undefined),
    views: () => attention.views,
    post_id: () => (progress.isPublished ? video.postId : undefined),
    permalink_url: () => `/reel/${id}/`,
    picture: () => (progress.word === "ready" ? `${baseUrl()}/media/${id}.jpg?at=${nowMs}` : undefined),
    // Another address each time, because clients must not store it.
    source: () => (file.chunks.length > 0 ? `${baseUrl()}/media/${id}.mp4?at=${nowMs}` : undefined),
    from: () => page && { id: page.id, name: page.name },
    published: () => progress.isPublished,
    scheduled_publish_time: () =>
      video.publishAtMs === undefined || progress.isPublished ? undefined : formatMoment(video.publishAtMs),
    status: () => formatStatus(video, progress),
    likes: () => ({ data: [], summary: { total_count: attention.likes, can_like: true, has_liked: false } }),
    comments: () => ({
      data: [],
      summary: { order: "ranked", total_count: comments(), can_comment: true },
    }),
  };
}

/** The fields of an unfinished upload: those of a video, most of them without a value. */
export function sessionFields({ clock }: VideoContext, session: Session): FieldReaders {
  const nowMs = clock.now();
  const unsaid = Object.fromEntries(
    "title description length views post_id permalink_url picture from scheduled_publish_time likes comments"
      .split(" ")
      .map((name) => [name, () => undefined]),
  );
  return {
    ...unsaid,
    id: () => session.videoId,
    created_time: () => formatMoment(session.startedAtMs),
    updated_time: () => formatMoment(session.startedAtMs),
    published: () => false,
    status: () => formatSessionStatus(session, nowMs),
  };
}

export function postFields({ clock }: VideoContext, video: Video): FieldReaders {
  const nowMs = clock.now();
  const { shares } = attentionFor(video, nowMs);
  return {
    id: () => `${video.pageId}_${video.postId}`,
    message: () => [video.title, video.description].filter(Boolean).join("\n") || undefined,
    created_time: () => formatMoment(progressOf(video, nowMs).publishedAtMs ?? video.createdAtMs),
    permalink_url: () => `/reel/${video.id}/`,
    // Absent, not zero, until somebody shares it.
    shares: () => (shares === 0 ? undefined : { count: shares }),
    attachments: () => ({ data: [{ media_type: "video", target: { id: video.id } }] }),
  };
}

/** A guess from the file's size, at about the bit rate of a phone's video. */
function lengthSeconds(sizeBytes: number): number {
  return Math.round(Math.max(1, sizeBytes / 250_000) * 10) / 10;
}
