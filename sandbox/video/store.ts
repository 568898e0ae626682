// The stand-in's memory, and the ids in it: the same acts give the same ids.
import type { Comment, Page, Session, Token, Video } from "./entities.ts";

export type Store = ReturnType<typeof createStore>;

/** Above 2^53: whoever takes it for a number loses its end. */
const FIRST_ID = 10_203_040_506_070_809n;

export const PAGES: readonly [Page, Page] = [
  { id: "1002003004005", name: "Signal Hall" },
  { id: "1002003004006", name: "Garden Railway" },
];

/** Nothing but two pages. */
export function createStore() {
  let ids = 0n;
  let commentIds = 30;
  const videos = new Map<string, Video>();
  const sessions = new Map<string, Session>();
  const comments = new Map<string, Comment>();
  return {
    pages: PAGES,
    tokens: new Map<string, Token>(),
    /** In the order of their making, as the others are. */
    videos,
    sessions,
    comments,
    /** For videos, posts and sessions: digits beyond what a number holds. */
    nextId() {
      ids += 1n;
      // Ids of different things do not lie side by side.
      return String(FIRST_ID + ids * 1_009n);
    },
    /** Somebody says something about a video, or answers `parent`: answers to an answer stand below the first. Gives its id. */
    addComment(
      video: Video,
      parent: Comment | undefined,
      said: Pick<Comment, "author" | "message" | "createdAtMs">,
    ) {
      commentIds += 1;
      const id = `${video.postId}_${commentIds}`;
      const parentId = parent?.parentId ?? parent?.id;
      comments.set(id, { id, videoId: video.id, parentId, ...said, isHidden: false });
      return id;
    },
    findPage: (id: string) => PAGES.find((page) => page.id === id),
    /** The unfinished upload that a video id was given out for. */
    findSessionOf: (videoId: string) => sessions.values().find((session) => session.videoId === videoId),
    /** A video by its post's id, with or without the page's before it. */
    findByPost: (postId: string) =>
      videos.values().find((video) => `${video.pageId}_${video.postId}` === postId),
  };
}
