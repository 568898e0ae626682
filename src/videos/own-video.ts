// Decides which videos a server may read and change, and with which account, and finds the outcome of writes to them.
import { LRUCache } from "lru-cache";
import { createAnswers } from "../sources/answers.ts";
import type { VideoAccount } from "./client/account.ts";
import type { Video } from "./client/read-video.ts";
import { ServiceError, UserError, recover } from "../core/errors.ts";
import type { PublicationRecord } from "./publications-table.ts";
import { type UsableAccount, withAccount } from "./accounts/video-accounts.ts";
import { CHECK_OUTCOME_FIRST } from "./publishing/change-publication.ts";
import type { AuditAction } from "./settings/audit-log.ts";
import type { ServerActor, VideoSettings } from "./settings/video-rules.ts";
import { type Clock, sleep } from "../core/clock.ts";
import { linkAgainWords } from "./video-problem-words.ts";
import type { VideosDependencies } from "./videos.ts";

export interface VideoRequest extends ServerActor {
  readonly videoId: string;
}

export interface OwnVideo extends VideoRequest {
  readonly account: UsableAccount;
  /** `undefined` if this server did not publish the video through the bot. */
  readonly publication: PublicationRecord | undefined;
}

/** A video that this person may change, according to the server's `settings`. */
interface WritableVideo extends OwnVideo {
  readonly settings: VideoSettings;
}

export interface VideoFacts extends Pick<Video, "id" | "ownerId" | "postId" | "title" | "link"> {}

/** Ids of posts and comments have several parts. The service would accept them here, so they are excluded. */
const VIDEO_ID = /^[\da-z-]{1,40}$/i;
const FACTS_CACHED = 2_000;

const GONE =
  "The video service no longer shows that video: it was deleted there, or the account can no longer see it.";

/** The audit log's note for a deletion that found nothing. The service does not say which of the two it is. */
const GONE_NOTE = "the video service no longer had it, or no longer showed it to me";

/** Lists are read repeatedly while somebody types or turns pages. */
const FRESH_MS = 60_000;
const STALE_MS = 10 * 60_000;

/** Gives access to the videos of servers. All functions also throw as the API client does. */
export function createOwnVideos(deps: VideosDependencies) {
  const { accounts, rules, publications, client, onOutcome, clock } = deps;
  const answers = createAnswers({ clock, freshMs: FRESH_MS, staleMs: STALE_MS, onOutcome });
  /** Part of each cache key. Every write changes it, so earlier entries are not used any more. */
  let writes = 0;
  /** A video's owner never changes, so one check is enough. */
  const factsCache = new LRUCache<string, VideoFacts>({ max: FACTS_CACHED });

  const ask = <T>(
    { guildId, account }: Pick<OwnVideo, "guildId" | "account">,
    request: (account: VideoAccount) => Promise<T>,
  ): Promise<T> => withAccount(accounts, guildId, account, request);

  async function readVideo(own: OwnVideo, withShares = false): Promise<Video> {
    const video = await ask(own, (account) => client.read(account, own.videoId, { withShares }));
    const { id, ownerId, postId, title, link } = video;
    factsCache.set(keyOf(own), { id, ownerId, postId, title, link });
    return video;
  }

  function deny({ guildId, videoId, by }: VideoRequest, what: string): Promise<never> {
    const entry = VIDEO_ID.test(videoId)
      ? { videoId, note: what }
      : { note: `${what}, with something that isn't a video's id` };
    return rules.deny(
      { guildId, actorId: by.userId, ...entry },
      "This server has no video by that name. Pick one from the list that appears as you type, or look in `/video list`.",
    );
  }

  async function isOfLinkedAccount(own: OwnVideo): Promise<boolean> {
    // The operator's account has no id here.
    const { id: accountId } = own.account.account;
    if (accountId === undefined) {
      return false;
    }
    // The id of another kind of object is refused, because that has no such fields.
    const facts: VideoFacts | undefined =
      factsCache.get(keyOf(own)) ??
      (await recover(readVideo(own), ["not-found", "rejected"], async ({ kind }) => {
        // The service also says this about what the account may not see, e.g. another server's video.
        if (kind === "not-found" && (await publications.known([own.videoId])).size === 0) {
          throw new UserError(GONE);
        }
        return undefined;
      }));
    return facts?.ownerId === accountId;
  }

  /** If it is not the server's, writes the attempt (`what`) to the audit log and throws a UserError. */
  async function open(asked: VideoRequest, what: string): Promise<OwnVideo> {
    const { guildId, videoId } = asked;
    if (!VIDEO_ID.test(videoId)) {
      return deny(asked, what);
    }
    const publication = await publications.ofVideo(guildId, videoId);
    if (publication !== undefined) {
      const sentence = UNMANAGEABLE[publication.state];
      if (sentence !== undefined) {
        throw new UserError(sentence);
      }
      const account = await accounts.byKey(guildId, publication.account);
      if (account === undefined) {
        throw new UserError(
          `That video was published with an account that's no longer linked here. ${linkAgainWords(publication.account)}`,
        );
      }
      return { ...asked, account, publication };
    }
    const account = await accounts.of(guildId);
    const own = account && { ...asked, account, publication };
    if (own === undefined || !(await isOfLinkedAccount(own))) {
      return deny(asked, what);
    }
    return own;
  }

  return {
    ask,
    deny,
    open,
    answers,
    keyOf: (...parts: readonly string[]): string => [String(writes), ...parts].join(" "),
    /** Makes cached answers out of date. */
    forget: () => void (writes += 1),
    async openToWrite(asked: VideoRequest, what: string): Promise<WritableVideo> {
      const settings = await rules.checkPublisher(asked.guildId, asked.by, what);
      return { ...(await open(asked, what)), settings };
    },
    /**
     * An edit must not bypass approval: if the server requires it, a video that is not public yet may only be
     * changed by an approver who did not submit it. Throws a UserError.
     */
    async checkStillApproved(
      { guildId, videoId, by, publication, settings }: WritableVideo,
      { status }: Pick<Video, "status">,
    ): Promise<void> {
      const { approvalChannelId, approverRoleId } = settings;
      if (approvalChannelId === undefined || status.stage === "published") {
        return;
      }
      const mayApprove = approverRoleId === undefined || by.roleIds.includes(approverRoleId);
      const isOthers = publication === undefined || (publication.submittedBy ?? by.userId) !== by.userId;
      if (mayApprove && isOthers) {
        return;
      }
      const note = "change what others approved";
      const who = approverRoleId === undefined ? "somebody" : `somebody with the role <@&${approverRoleId}>`;
      await rules.deny(
        { guildId, actorId: by.userId, publicationId: publication?.id, videoId, note },
        `Videos are approved here before they go out, and this one isn't out yet: only ${who} who didn't submit it can change it. Ask one of them, or delete it with \`/video delete\` and submit it again.`,
      );
    },
    /** `write` returns true if nothing was left to delete; `isDone` checks after a lost answer. */
    write(
      own: OwnVideo,
      { act, note }: { readonly act: AuditAction; readonly note?: string | undefined },
      write: (account: VideoAccount) => Promise<unknown>,
      isDone: (account: VideoAccount) => Promise<boolean>,
    ): Promise<WriteOutcome> {
      const { guildId, videoId, by, publication } = own;
      const entry = { guildId, actorId: by.userId, act, publicationId: publication?.id, videoId, note };
      const send = () => ask(own, write);
      const check = () => ask(own, isDone);
      return rules.attempt(entry, () => confirmWrite(clock, send, check), { gone: GONE_NOTE });
    },
    /** Throws a UserError if the service no longer shows it. */
    read: (own: OwnVideo, withShares = false): Promise<Video> =>
      recover(readVideo(own, withShares), ["not-found"], () => {
        throw new UserError(GONE);
      }),
    /** Returns the facts that were read before if they are complete; otherwise reads the video. */
    async facts(own: OwnVideo): Promise<VideoFacts> {
      const facts = factsCache.get(keyOf(own));
      // A video has a post only after it is published.
      return facts?.postId === undefined ? readVideo(own) : facts;
    },
  };
}

export type OwnVideos = ReturnType<typeof createOwnVideos>;

function keyOf({ account, videoId }: OwnVideo): string {
  return `${account.key} ${videoId}`;
}

const NEVER_PUBLISHED = "That video was never published, so there's nothing to manage.";

const UNMANAGEABLE: Readonly<Record<PublicationRecord["state"], string | undefined>> = {
  processing: undefined,
  scheduled: undefined,
  published: undefined,
  // The service has the video, and may have published it after the bot stopped checking.
  failed: undefined,
  deleted: "That video was deleted.",
  uploading: "That video is still being published. Its message shows the progress.",
  "outcome-unknown": CHECK_OUTCOME_FIRST,
  draft: NEVER_PUBLISHED,
  "awaiting-approval": NEVER_PUBLISHED,
  refused: NEVER_PUBLISHED,
  cancelled: NEVER_PUBLISHED,
  expired: NEVER_PUBLISHED,
};

// A write whose answer is lost is never sent again; the bot checks whether it happened.

/** `gone`: there was nothing to delete, or nothing that the account may see. `unknown` must be reported to the person. */
export type WriteOutcome = "done" | "gone" | "unknown";

/** The second or third check sees what the service does late, while the person still waits. */
const CHECK_PAUSES_MS = [0, 2_000, 4_000];

async function confirmWrite(
  clock: Clock,
  write: () => Promise<unknown>,
  isDone: () => Promise<boolean>,
): Promise<WriteOutcome> {
  const writing = write().then((wasGone) => (wasGone === true ? "gone" : "done"));
  const written = await recover(writing, ["outcome-unknown"], () => "unknown" as const);
  if (written !== "unknown") {
    return written;
  }
  for (const waitMs of CHECK_PAUSES_MS) {
    if (waitMs > 0) {
      await sleep(clock, waitMs);
    }
    // A check that fails proves nothing.
    const isSeen = await isDone().catch((error: unknown) => {
      if (error instanceof ServiceError) {
        return false;
      }
      throw error;
    });
    if (isSeen) {
      return "done";
    }
  }
  return "unknown";
}

export function isGone(asked: Promise<unknown>): Promise<boolean> {
  return recover(
    asked.then(() => false),
    ["not-found"],
    () => true,
  );
}
