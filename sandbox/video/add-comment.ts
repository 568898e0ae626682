// Somebody says something about a video, or answers.
import type { Comment, Video } from "./entities.ts";
import type { Store } from "./store.ts";

/** What is said, and by whom. */
export interface Said extends Pick<Comment, "author" | "message" | "createdAtMs"> {
  readonly video: Video;
  /** The comment that it answers. */
  readonly parent: Comment | undefined;
}

/** Gives the new comment's id. Answers to an answer stand below the first. */
export function addComment(store: Store, { video, parent, author, message, createdAtMs }: Said): string {
  const id = store.nextCommentId(video.postId);
  const parentId = parent?.parentId ?? parent?.id;
  store.comments.set(id, { id, videoId: video.id, parentId, author, message, createdAtMs, isHidden: false });
  return id;
}
