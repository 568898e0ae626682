// Who said something below a video, and how it stands.
import type { ShownComment } from "../services/videos/videos.ts";
import { countOf, COUNTED, timestamp, videoTitle } from "./video-words.ts";

/** e.g. `**Alan** · 2 hours ago · 2 replies · hidden`. */
export function commentHead({
  author,
  createdAtMs,
  replies,
  likes,
  isHidden,
}: ShownComment["comment"]): string {
  return [
    `**${videoTitle(authorName(author), 60)}**`,
    createdAtMs !== undefined && timestamp(createdAtMs, "R"),
    replies > 0 && countOf(replies, COUNTED.replies),
    likes > 0 && countOf(likes, COUNTED.likes),
    isHidden && "🙈 hidden",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The service keeps most names back. */
export function authorName(author: ShownComment["comment"]["author"]): string {
  return author?.name ?? "Somebody";
}
