// What people say below a video, and what the account says and does about it.
import { LRUCache } from "lru-cache";
import type { VideoClient } from "./client/video-client.ts";
import { UserError } from "../core/errors.ts";
import type { Actor } from "./settings/video-rules.ts";
import type { AuditAction } from "./settings/audit-log.ts";
import type { OwnVideo, OwnVideos, VideoFacts } from "./own-video.ts";
import { type PageChain, nextPage, parsePage } from "./page-chain.ts";
import { isGone, isNotFound, confirmWrite } from "./confirm-write.ts";
import type { CommentsPage, OwnedVideosDependencies, ShownComment, WriteOutcome } from "./videos.ts";

/** Clocks differ, and the service tells whole seconds. */
const CLOCKS_DIFFER_MS = 30_000;
const MESSAGE_LIMIT = 4_000;

export function createVideoComments({
  rules,
  client,
  own,
  chain,
  clock,
}: OwnedVideosDependencies & { readonly chain: PageChain }) {
  const ours = createOwnComments(own, client);

  /** A video, and where one is named a comment of it, for somebody who may change it. */
  async function openToWrite(
    guildId: string,
    videoId: string,
    by: Actor,
    { commentId, what }: { readonly commentId?: string | undefined; readonly what: string },
  ): Promise<OwnVideo> {
    await rules.checkPublisher(guildId, by, what);
    const found = await own.open(guildId, videoId, by, what);
    if (commentId !== undefined) {
      await ours.check(found, commentId, by, what);
    }
    return found;
  }

  /** `isDone` looks whether it came about, where its answer was lost. */
  function write(
    { guildId, videoId, publication }: OwnVideo,
    { act, by }: { readonly act: AuditAction; readonly by: Actor },
    send: () => Promise<unknown>,
    isDone: () => Promise<boolean>,
  ): Promise<WriteOutcome> {
    const line = { guildId, actorId: by.userId, act, publicationId: publication?.id, videoId };
    return rules.attempt(line, () => confirmWrite(clock, send, isDone));
  }

  return {
    async comments(
      guildId: string,
      videoId: string,
      {
        replyingTo,
        after,
      }: { readonly replyingTo?: string | undefined; readonly after?: string | undefined },
      by: Actor,
    ): Promise<CommentsPage> {
      const found = await own.open(guildId, videoId, by, "read comments");
      if (replyingTo !== undefined) {
        await ours.check(found, replyingTo, by, "read replies");
      }
      const { title, link } = await own.facts(found);
      const aboutId = replyingTo ?? videoId;
      const number = parsePage(after);
      const page = await chain.page(`comments ${found.account.key} ${aboutId}`, number, (cursor) =>
        own.ask(found, (account) => client.listComments(account, aboutId, cursor)),
      );
      ours.note(
        found,
        page.items.map(({ id }) => id),
      );
      return { ...page, after: nextPage(number, page.after), video: { id: videoId, title, link } };
    },
    async showComment(guildId: string, videoId: string, commentId: string, by: Actor): Promise<ShownComment> {
      const found = await own.open(guildId, videoId, by, "read a comment");
      await ours.check(found, commentId, by, "read a comment");
      const comment = await own
        .ask(found, (account) => client.readComment(account, commentId))
        .catch((error: unknown) => {
          throw isNotFound(error) ? new UserError("That comment is no longer there.") : error;
        });
      const { ownerId } = await own.facts(found);
      return { comment, isOwn: ownerId !== undefined && comment.author?.id === ownerId };
    },
    /** Says something on the video, or in reply to one of its comments. */
    async comment(
      guildId: string,
      videoId: string,
      message: string,
      { replyingTo }: { readonly replyingTo?: string | undefined },
      by: Actor,
    ): Promise<WriteOutcome> {
      const words = readMessage(message);
      const what = replyingTo === undefined ? "comment on a video" : "answer a comment";
      const found = await openToWrite(guildId, videoId, by, { commentId: replyingTo, what });
      const { ownerId } = await own.facts(found);
      const aboutId = replyingTo ?? videoId;
      const sinceMs = clock.now() - CLOCKS_DIFFER_MS;
      return write(
        found,
        { act: "commented", by },
        () => own.ask(found, (account) => client.addComment(account, aboutId, words)),
        async () => {
          const { items } = await own.ask(found, (account) => client.listComments(account, aboutId));
          return items.some(
            ({ message: said, author, createdAtMs = 0 }) =>
              said?.trim() === words &&
              author?.id !== undefined &&
              author.id === ownerId &&
              createdAtMs >= sinceMs,
          );
        },
      );
    },
    async editComment(
      guildId: string,
      videoId: string,
      commentId: string,
      message: string,
      by: Actor,
    ): Promise<WriteOutcome> {
      const words = readMessage(message);
      const found = await openToWrite(guildId, videoId, by, { commentId, what: "change a comment" });
      return write(
        found,
        { act: "comment-edited", by },
        () => own.ask(found, (account) => client.editComment(account, commentId, words)),
        async () => {
          const comment = await own.ask(found, (account) => client.readComment(account, commentId));
          return comment.message?.trim() === words;
        },
      );
    },
    async hideComment(
      guildId: string,
      videoId: string,
      commentId: string,
      hidden: boolean,
      by: Actor,
    ): Promise<WriteOutcome> {
      const what = hidden ? "hide a comment" : "show a hidden comment";
      const found = await openToWrite(guildId, videoId, by, { commentId, what });
      return write(
        found,
        { act: hidden ? "comment-hidden" : "comment-shown", by },
        () =>
          own.ask(found, (account) =>
            hidden ? client.hideComment(account, commentId) : client.unhideComment(account, commentId),
          ),
        async () => {
          const comment = await own.ask(found, (account) => client.readComment(account, commentId));
          return comment.isHidden === hidden;
        },
      );
    },
    async deleteComment(
      guildId: string,
      videoId: string,
      commentId: string,
      by: Actor,
    ): Promise<WriteOutcome> {
      const found = await openToWrite(guildId, videoId, by, { commentId, what: "delete a comment" });
      return write(
        found,
        { act: "comment-deleted", by },
        // Gone already is what was wanted.
        () => isGone(() => own.ask(found, (account) => client.deleteComment(account, commentId))),
        () => isGone(() => own.ask(found, (account) => client.readComment(account, commentId))),
      );
    },
  };
}

function readMessage(message: string): string {
  const words = message.trim();
  if (words === "") {
    throw new UserError("A comment needs words. Type what you want to say.");
  }
  if (words.length > MESSAGE_LIMIT) {
    throw new UserError(
      `That has ${words.length.toLocaleString("en-GB")} characters; ${MESSAGE_LIMIT.toLocaleString("en-GB")} are the most. Please shorten it.`,
    );
  }
  return words;
}

// Which comments stand below which video: an id alone could lead to another one's.

/** e.g. `10203040506071818_31`: the post or the video, then the comment; three parts where the page goes first. */
const COMMENT_ID = /^(?:([\w-]{1,80})_)?[\da-z-]{1,40}$/i;
const IDS_KEPT = 5_000;
/** How far down it is looked for where its id does not say where it stands. */
const PAGES_SEARCHED = 3;

/** Proves that comments belong to videos. */
function createOwnComments(videos: OwnVideos, client: VideoClient) {
  const seen = new LRUCache<string, true>({ max: IDS_KEPT });

  /** Comments that were listed below a video. */
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
    /** Throws UserError, and audits the attempt, for a comment that does not stand below the video. */
    async check(own: OwnVideo, commentId: string, by: Actor, what: string): Promise<void> {
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
