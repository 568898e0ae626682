// Which comments stand below which video: an id alone could lead to another one's.
import { LRUCache } from "lru-cache";
import type { VideoClient } from "../../clients/video/client.ts";
import type { Actor } from "../video-settings/video-settings.ts";
import type { OwnVideo, OwnVideos, VideoFacts } from "./own-video.ts";

/** Proves that comments belong to videos. */
export interface OwnComments {
  /** Comments that were listed below a video. */
  note(own: OwnVideo, commentIds: readonly string[]): void;
  /** Throws UserError, and writes the attempt down, for a comment that does not stand below the video. */
  check(own: OwnVideo, commentId: string, by: Actor, what: string): Promise<void>;
}

/** e.g. `10203040506071818_31`: the post or the video, then the comment; three parts where the page goes first. */
const COMMENT_ID = /^(?:([\w-]{1,80})_)?[\da-z-]{1,40}$/i;
const IDS_KEPT = 5_000;
/** How far down it is looked for where its id does not say where it stands. */
const PAGES_SEARCHED = 3;

export function createOwnComments({
  own: videos,
  client,
}: {
  readonly own: OwnVideos;
  readonly client: Pick<VideoClient, "listComments">;
}): OwnComments {
  const seen = new LRUCache<string, true>({ max: IDS_KEPT });

  function note(own: OwnVideo, commentIds: readonly string[]): void {
    for (const id of commentIds) {
      seen.set(keyOf(own, id), true);
    }
  }

  async function search(own: OwnVideo, commentId: string): Promise<boolean> {
    let after: string | undefined;
    for (let page = 0; page < PAGES_SEARCHED; page += 1) {
      const found = await videos.ask(own, (account) => client.listComments(account, own.videoId, after));
      note(
        own,
        found.items.map(({ id }) => id),
      );
      after = found.after;
      if (seen.has(keyOf(own, commentId)) || after === undefined) {
        break;
      }
    }
    return seen.has(keyOf(own, commentId));
  }

  return {
    note,
    async check(own, commentId, by, what) {
      if (seen.has(keyOf(own, commentId))) {
        return;
      }
      const found = COMMENT_ID.exec(commentId);
      if (found !== null) {
        const [, subject = ""] = found;
        const isOwn = subjectsOf(await videos.facts(own)).has(subject) || (await search(own, commentId));
        if (isOwn) {
          note(own, [commentId]);
          return;
        }
      }
      throw await videos.deny(own.guildId, own.videoId, by, what);
    },
  };
}

/** What the ids of its comments begin with. */
function subjectsOf({ id, ownerId, postId }: VideoFacts): ReadonlySet<string> {
  const post = postId?.replace(/^\d+_/, "");
  return new Set(
    [id, postId, post, post === undefined || ownerId === undefined ? undefined : `${ownerId}_${post}`].filter(
      (subject) => subject !== undefined,
    ),
  );
}

function keyOf({ account, videoId }: OwnVideo, commentId: string): string {
  return `${account.key} ${videoId} ${commentId}`;
}
