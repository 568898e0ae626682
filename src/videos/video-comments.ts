import { LRUCache } from "lru-cache";
import { limitEntries } from "../core/cache-options.ts";
import { UserError, recover } from "../core/errors.ts";
import { type OwnVideo, type VideoFacts, type VideoRequest, type WriteOutcome, isGone } from "./own-video.ts";
import { createPageChain } from "./list-videos.ts";
import type { OwnedVideosDependencies } from "./videos.ts";
import { isSameText } from "./video-words.ts";

/** Allows for differences between clocks, and for the service's whole seconds. */
const CLOCKS_DIFFER_MS = 30_000;

/** The id of the post or the video, then the comment's; three parts if the Page's id comes first. */
const COMMENT_ID = /^(?:([\w-]{1,80})_)?[\da-z-]{1,40}$/i;
const IDS_KEPT = 5_000;

export function createVideoComments({ client, own, clock }: OwnedVideosDependencies) {
  const chain = createPageChain(clock);
  /** Comments that were listed for a video. An id alone could belong to another video. */
  const seen = new LRUCache<string, true>(limitEntries(IDS_KEPT));

  async function check(found: OwnVideo, commentId: string, what: string): Promise<void> {
    if (seen.has(keyOf(found, commentId))) {
      return;
    }
    const [, subject] = COMMENT_ID.exec(commentId) ?? [];
    if (subject === undefined || !subjectsOf(await own.facts(found)).includes(subject)) {
      await own.deny(found, what);
    }
  }

  async function openToWrite(asked: VideoRequest, commentId: string, what: string): Promise<OwnVideo> {
    const found = await own.openToWrite(asked, what);
    await check(found, commentId, what);
    return found;
  }

  return {
    async comments(
      asked: VideoRequest,
      {
        replyingTo,
        after,
      }: { readonly replyingTo?: string | undefined; readonly after?: string | undefined },
    ) {
      const found = await own.open(asked, "read comments");
      if (replyingTo !== undefined) {
        await check(found, replyingTo, "read replies");
      }
      const { id, title, link } = await own.facts(found);
      const aboutId = replyingTo ?? found.videoId;
      const page = await chain(`comments ${found.account.key} ${aboutId}`, after, (cursor) =>
        own.ask(found, (account) => client.listComments(account, aboutId, cursor)),
      );
      for (const comment of page.items) {
        seen.set(keyOf(found, comment.id), true);
      }
      return { ...page, video: { id, title, link } };
    },
    async showComment(asked: VideoRequest, commentId: string) {
      const found = await own.open(asked, "read a comment");
      await check(found, commentId, "read a comment");
      const asking = own.ask(found, (account) => client.readComment(account, commentId));
      const comment = await recover(asking, ["not-found"], () => {
        throw new UserError("That comment is no longer there.", "outdated");
      });
      const { ownerId } = await own.facts(found);
      return {
        comment,
        /** Whether the account wrote it; only then can it be edited. */
        isOwn: ownerId !== undefined && comment.author?.id === ownerId,
      };
    },
    async checkMayComment(asked: VideoRequest): Promise<void> {
      await own.openToWrite(asked, "write a comment");
    },
    async comment(asked: VideoRequest, message: string, replyingTo?: string): Promise<WriteOutcome> {
      const words = readMessage(message);
      const found = await (replyingTo === undefined
        ? own.openToWrite(asked, "comment on a video")
        : openToWrite(asked, replyingTo, "answer a comment"));
      const { ownerId } = await own.facts(found);
      const aboutId = replyingTo ?? found.videoId;
      const sinceMs = clock.now() - CLOCKS_DIFFER_MS;
      return own.write(
        found,
        { act: "commented" },
        (account) => client.addComment(account, aboutId, words),
        async (account) =>
          (await client.listComments(account, aboutId)).items.some(
            ({ message: said, author, createdAtMs = 0 }) =>
              isSameText(said, words) &&
              author?.id !== undefined &&
              author.id === ownerId &&
              createdAtMs >= sinceMs,
          ),
      );
    },
    async editComment(asked: VideoRequest, commentId: string, message: string): Promise<WriteOutcome> {
      const words = readMessage(message);
      return own.write(
        await openToWrite(asked, commentId, "change a comment"),
        { act: "comment-edited" },
        (account) => client.editComment(account, commentId, words),
        async (account) => isSameText((await client.readComment(account, commentId)).message, words),
      );
    },
    async hideComment(asked: VideoRequest, commentId: string, hidden: boolean): Promise<WriteOutcome> {
      return own.write(
        await openToWrite(asked, commentId, hidden ? "hide a comment" : "show a hidden comment"),
        { act: hidden ? "comment-hidden" : "comment-shown" },
        (account) => client.hideComment(account, commentId, hidden),
        async (account) => (await client.readComment(account, commentId)).isHidden === hidden,
      );
    },
    async deleteComment(asked: VideoRequest, commentId: string): Promise<WriteOutcome> {
      return own.write(
        await openToWrite(asked, commentId, "delete a comment"),
        { act: "comment-deleted" },
        (account) => isGone(client.deleteComment(account, commentId)),
        (account) => isGone(client.readComment(account, commentId)),
      );
    },
  };
}

function readMessage(message: string): string {
  const words = message.trim();
  if (words === "") {
    throw new UserError("A comment can't be empty. Type what you want to say.");
  }
  return words;
}

/** The prefixes that ids of this video's comments may have. */
function subjectsOf({ id, ownerId, postId }: VideoFacts): readonly (string | undefined)[] {
  const post = postId?.replace(/^\d+_/, "");
  return [id, postId, post, post && ownerId && `${ownerId}_${post}`];
}

function keyOf({ account, videoId }: OwnVideo, commentId: string): string {
  return `${account.key} ${videoId} ${commentId}`;
}
