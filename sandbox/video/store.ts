// The stand-in's memory, and the ids in it: the same acts give the same ids.
import type { Comment, Page, Session, Token, Video } from "./entities.ts";

export interface Store {
  readonly pages: readonly Page[];
  readonly tokens: Map<string, Token>;
  /** In the order of their making, as the others are. */
  readonly videos: Map<string, Video>;
  readonly sessions: Map<string, Session>;
  readonly comments: Map<string, Comment>;
  /** For videos, posts and sessions: digits beyond what a number holds. */
  nextId(): string;
  /** Somebody says something about a video, or answers `parent`: answers to an answer stand below the first. Gives its id. */
  addComment(
    video: Video,
    parent: Comment | undefined,
    said: Pick<Comment, "author" | "message" | "createdAtMs">,
  ): string;
  findPage(id: string): Page | undefined;
  /** The unfinished upload that a video id was given out for. */
  findSessionOf(videoId: string): Session | undefined;
  /** A video by its post's id, with or without the page's before it. */
  findByPost(postId: string): Video | undefined;
}

/** Above 2^53: whoever takes it for a number loses its end. */
const FIRST_ID = 10_203_040_506_070_809n;

export const PAGES: readonly [Page, Page] = [
  { id: "1002003004005", name: "Signal Hall" },
  { id: "1002003004006", name: "Garden Railway" },
];

/** Nothing but two pages. */
export function createStore(): Store {
  let ids = 0n;
  let commentIds = 30;
  const videos = new Map<string, Video>();
  const sessions = new Map<string, Session>();
  const comments = new Map<string, Comment>();
  return {
    pages: PAGES,
    tokens: new Map(),
    videos,
    sessions,
    comments,
    nextId() {
      ids += 1n;
      // Ids of different things do not lie side by side.
      return String(FIRST_ID + ids * 1_009n);
    },
    addComment(video, parent, said) {
      commentIds += 1;
      const id = `${video.postId}_${commentIds}`;
      const parentId = parent?.parentId ?? parent?.id;
      comments.set(id, { id, videoId: video.id, parentId, ...said, isHidden: false });
      return id;
    },
    findPage: (id) => PAGES.find((page) => page.id === id),
    findSessionOf: (videoId) => sessions.values().find((session) => session.videoId === videoId),
    findByPost: (postId) => videos.values().find((video) => `${video.pageId}_${video.postId}` === postId),
  };
}
