// Which videos are a guild's to touch, with which account, and what came of a write to them.
import { LRUCache } from "lru-cache";
import { createAnswers } from "../sources/answers.ts";
import type { VideoAccount } from "./client/account.ts";
import type { Video } from "./client/read-video.ts";
import { ServiceError, UserError, recover } from "../core/errors.ts";
import type { PublicationRecord } from "./publications-table.ts";
import { type UsableAccount, withAccount } from "./accounts/video-accounts.ts";
import { CHECK_OUTCOME_FIRST } from "./publishing/change-publication.ts";
import type { AuditAction } from "./settings/audit-log.ts";
import type { ServerActor } from "./settings/video-actors.ts";
import type { VideoRules, VideoSettings } from "./settings/video-rules.ts";
import { type Clock, sleep } from "../core/clock.ts";
import { linkAgainWords } from "./video-problem-words.ts";
import type { VideosDependencies } from "./videos.ts";

/** A video as somebody asks for it, in the name of a guild. */
export interface VideoRequest extends ServerActor {
  readonly videoId: string;
}

/** One that is the guild's. */
export interface OwnVideo extends VideoRequest {
  readonly account: UsableAccount;
  /** `undefined` for one that the linked account has from elsewhere. */
  readonly publication: PublicationRecord | undefined;
}

/** One that this person may change, by the guild's `settings`. */
interface WritableVideo extends OwnVideo {
  readonly settings: VideoSettings;
}

export interface VideoFacts extends Pick<Video, "id" | "ownerId" | "postId" | "title" | "link"> {}

/** Those of posts and comments have parts; the service would take these too. */
const VIDEO_ID = /^[\da-z-]{1,40}$/i;
const FACTS_KEPT = 2_000;

/** What the audit log says of a deletion that found nothing: which of the two it is, the service tells nobody. */
const GONE_NOTE = "the video service no longer had it, or no longer showed it to me";

/** Lists are read again and again while somebody types or turns pages. */
const FRESH_MS = 60_000;
const STALE_MS = 10 * 60_000;

/** The way to the videos of guilds. Everything throws as the client does, too. */
export function createOwnVideos(deps: VideosDependencies) {
  const { accounts, rules, publications, client, noted, clock } = deps;
  const answers = createAnswers({ clock, freshMs: FRESH_MS, staleMs: STALE_MS, noted });
  /** Part of each cache key; every write changes it, so earlier entries are not used any more. */
  let writes = 0;
  /** Whose a video is never changes: proven once, it need not be asked again. */
  const known = new LRUCache<string, VideoFacts>({ max: FACTS_KEPT });

  const ask = <T>(
    { guildId, account }: Pick<OwnVideo, "guildId" | "account">,
    request: (account: VideoAccount) => Promise<T>,
  ): Promise<T> => withAccount(accounts, guildId, account, request);

  async function readVideo(own: OwnVideo, withShares = false): Promise<Video> {
    const video = await ask(own, (account) => client.read(account, own.videoId, { withShares }));
    const { id, ownerId, postId, title, link } = video;
    known.set(keyOf(own), { id, ownerId, postId, title, link });
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
    // The operator's has none.
    const { id: accountId } = own.account.account;
    if (accountId === undefined) {
      return false;
    }
    const facts = known.get(keyOf(own));
    if (facts !== undefined) {
      return facts.ownerId === accountId;
    }
    // An id of something else has no such fields.
    const video = await recover(readVideo(own), ["not-found", "rejected"], () => undefined);
    return video?.ownerId === accountId;
  }

  /** Throws UserError, and audits the attempt (`what`), for a video that is not this guild's. */
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
    /** What was read before is out of date. */
    forget: () => void (writes += 1),
    async openToWrite(asked: VideoRequest, what: string): Promise<WritableVideo> {
      const settings = await rules.checkPublisher(asked.guildId, asked.by, what);
      return { ...(await open(asked, what)), settings };
    },
    /** `write` returns true if there was nothing left to delete; `isDone` checks the service if the answer was lost. */
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
    /** Throws UserError where the service no longer shows it. */
    read: (own: OwnVideo, withShares = false): Promise<Video> =>
      recover(readVideo(own, withShares), ["not-found"], () => {
        throw new UserError(
          "The video service no longer shows that video: it was deleted there, or the account may no longer see it.",
        );
      }),
    /** What was read before, where that was all; reads otherwise. */
    async facts(own: OwnVideo): Promise<VideoFacts> {
      const facts = known.get(keyOf(own));
      // A video has a post only once it is published.
      return facts?.postId === undefined ? readVideo(own) : facts;
    },
  };
}

export type OwnVideos = ReturnType<typeof createOwnVideos>;

function keyOf({ account, videoId }: OwnVideo): string {
  return `${account.key} ${videoId}`;
}

const IN_PROGRESS = "That video is still being published. Its message shows the progress.";
const NEVER_PUBLISHED = "That video was never published, so there's nothing to manage.";

const UNMANAGEABLE: Readonly<Record<PublicationRecord["state"], string | undefined>> = {
  processing: undefined,
  scheduled: undefined,
  published: undefined,
  // The service has it, whatever became of it: it may have come out after the bot stopped looking.
  failed: undefined,
  deleted: "That video was deleted.",
  uploading: IN_PROGRESS,
  "outcome-unknown": CHECK_OUTCOME_FIRST,
  draft: NEVER_PUBLISHED,
  "awaiting-approval": NEVER_PUBLISHED,
  refused: NEVER_PUBLISHED,
  cancelled: NEVER_PUBLISHED,
  expired: NEVER_PUBLISHED,
};

// A write to the service whose answer may be lost is never sent again: the bot looks.

/** `gone`: there was nothing to delete, or nothing that the account may see. `unknown` must be said. */
export type WriteOutcome = "done" | "gone" | "unknown";

/** Before each look. What the service does late is seen at the second or third, while the person still waits. */
const WAITS_MS = [0, 2_000, 4_000];

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
  for (const waitMs of WAITS_MS) {
    if (waitMs > 0) {
      await sleep(clock, waitMs);
    }
    // A look that fails has seen nothing.
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

/** Where videos are approved, one that isn't out yet is changed only by an approver who didn't submit it. */
export async function checkStillApproved(
  rules: Pick<VideoRules, "deny">,
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
}
