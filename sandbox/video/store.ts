// The stand-in's store, in memory. The same actions give the same ids.
import type { Comment, Page, Session, Token, Video } from "./entities.ts";

export type Store = ReturnType<typeof createStore>;

/** Above 2^53, so that code that parses ids as numbers loses their last digits. */
const FIRST_ID = 10_203_040_506_070_809n;

export const PAGES: readonly [Page, Page] = [
  { id: "1002003004005", name: "Signal Hall" },
  { id: "1002003004006", name: "Garden Railway" },
];

export function createStore() {
  let ids = 0n;
  let commentIds = 30;
  const videos = new Map<string, Video>();
  const sessions = new Map<string, Session>();
  const comments = new Map<string, Comment>();
  return {
    pages: PAGES,
    tokens: new Map<string, Token>(),
    /** In order of creation, as are the other maps. */
    videos,
    sessions,
    comments,
    nextId() {
      ids += 1n;
      // The ids of different objects are not consecutive.
      return String(FIRST_ID + ids * 1_009n);
    },
    /** Adds a comment, or a reply to `parent` (a reply to a reply belongs to the first comment). Returns its id. */
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
    findSessionOf: (videoId: string) => sessions.values().find((session) => session.videoId === videoId),
    /** The video of a post, whose id begins with the page's id. */
    findByPost: (postId: string) =>
      videos.values().find((video) => `${video.pageId}_${video.postId}` === postId),
  };
}
