// Finds out whether a write whose answer was lost has happened. The write is never sent again.
import { type VideoAccount, isVideoError } from "../client/account.ts";
import type { Video } from "../client/read-video.ts";
import { UserError, recover } from "../../core/errors.ts";
import { withAccount } from "../accounts/video-accounts.ts";
import { type PublicationChanges, type PublicationRecord, VideoTakenError } from "../publications-table.ts";
import type { Actor } from "../settings/video-rules.ts";
import { linkAgainWords } from "../video-problem-words.ts";
import { isSameText } from "../video-words.ts";
import { requirePublication } from "./change-publication.ts";
import { type PublicationProblem, NO_ACCOUNT, formatProblem, parseProblem, problemOf } from "./problems.ts";
import type { Change, Step } from "./claimed-publication.ts";
import type { Candidate, CandidateSearch, OutcomeDecision, Publication, PublishParts } from "./publish.ts";
import { NOT_PENDING, arrived, cancelled, enter, failed, isLinkExpired } from "./states.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";

/** Empty if nothing was found yet but may still appear. */
interface Finding {
  readonly videoId?: string;
  /** A video that may be it; only a person can tell. */
  readonly candidate?: Video;
  /** The write did not happen, and will not. */
  readonly isAbsent?: true;
}

/** The service's clock may be behind ours. */
const SKEW_MS = 2 * 60_000;
/** A hundred videos; no account publishes more within the minutes that matter. */
const MAX_PAGES = 4;

function createReconciler({ client, publications }: PublishRunnerDependencies) {
  async function newest(account: VideoAccount, sinceMs: number): Promise<readonly Video[]> {
    const found: Video[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const page = await client.list(account, after);
      found.push(...page.items);
      const { createdAtMs: oldestMs = Infinity } = page.items.at(-1) ?? {};
      after = page.after;
      if (after === undefined || oldestMs < sinceMs) {
        break;
      }
    }
    return found.filter(({ createdAtMs = Infinity }) => createdAtMs >= sinceMs);
  }

  /** Newest first. If there are several, only a person can tell which one is right. */
  async function candidates(record: PublicationRecord, account: VideoAccount): Promise<readonly Video[]> {
    const sinceMs = (record.pendingSinceMs ?? record.stateAtMs) - SKEW_MS;
    const videos = (await newest(account, sinceMs)).filter((video) => isLike(video, record));
    const taken = await publications.known(videos.map(({ id }) => id));
    // A session has a video id from the start. For a form, `videoId` may be from an earlier attempt.
    const own = record.pendingWrite === "finish" ? record.videoId : undefined;
    return videos.filter(({ id }) => id === own || !taken.has(id));
  }

  /** Whether another publication of any server, with the same texts and an unknown outcome, may match the same video. */
  async function hasRival(record: PublicationRecord): Promise<boolean> {
    const others = await publications.withUnknownOutcome(record.account);
    return others.some((other) => other.id !== record.id && isLike(other, record));
  }

  async function findByStatus(videoId: string, account: VideoAccount): Promise<Finding> {
    const status = await recover(client.status(account, videoId), ["not-found"], () => undefined);
    if (status === undefined || status.stage === "uploading") {
      return {};
    }
    return status.stage === "expired" ? { isAbsent: true } : { videoId };
  }

  return {
    candidates,
    /** `seen`: videos that a person has seen and rejected. */
    async find(
      record: PublicationRecord,
      account: VideoAccount,
      seen: readonly string[] = [],
    ): Promise<Finding> {
      if (record.pendingWrite === "finish" && record.videoId !== undefined) {
        return findByStatus(record.videoId, account);
      }
      const all = await candidates(record, account);
      const candidate = all.find(({ id }) => !seen.includes(id));
      const isSure = all.length === 1 && candidate !== undefined && !(await hasRival(record));
      return isSure ? { videoId: candidate.id } : { ...(candidate && { candidate }) };
    },
  };
}

type Texts = Pick<PublicationRecord, "title" | "description">;

function isLike(one: Texts, other: Texts): boolean {
  return isSameText(one.title, other.title) && isSameText(one.description, other.description);
}

// The bot searches for some minutes, because the video may still appear. Then a person must check.

const RECONCILE_FOR_MS = 10 * 60_000;
/** While the service cannot be reached, a person could not see more than the bot, so asking them can wait. */
const UNREACHABLE_FOR_MS = 3_600_000;
const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;
const LONGEST_WAIT_MS = 10 * 60_000;

const UNKNOWN: PublicationProblem = { of: "video", kind: "outcome-unknown" };

export function createReconcileStep(deps: PublishRunnerDependencies): Step {
  const { accounts, clock, log } = deps;
  const reconciler = createReconciler(deps);

  async function find(record: PublicationRecord): Promise<Change> {
    const { guildId, account: key, id } = record;
    const account = await accounts.byKey(guildId, key);
    if (account === undefined) {
      return (current) => stayUnknown(current, UNREACHABLE_FOR_MS);
    }
    try {
      const asked = withAccount(accounts, guildId, account, (as) => reconciler.find(record, as));
      const { videoId, isAbsent } = await asked;
      if (videoId === undefined) {
        return isAbsent ? endWithout : stayUnknown;
      }
      log.info({ service: "video", publication: id }, "lost upload found");
      return (current) => arrived(current, videoId, clock.now());
    } catch (error) {
      if (!isVideoError(error)) {
        throw error;
      }
      log.info({ error, publication: id }, "reconciliation failed, will retry");
      return (current) => stayUnknown(current, UNREACHABLE_FOR_MS, error.retryAfterMs);
    }
  }

  function stayUnknown(
    record: PublicationRecord,
    patienceMs = RECONCILE_FOR_MS,
    retryAfterMs = 0,
  ): PublicationChanges {
    const nowMs = clock.now();
    // If a process died during the write, the row has no waiting time yet, and its trouble starts now.
    const { troubleSinceMs = nowMs, tries = 0 } = record.notBeforeMs === undefined ? {} : record;
    const before = parseProblem(record);
    const problem = formatProblem(before?.kind === "outcome-unknown" ? before : UNKNOWN);
    if (nowMs - troubleSinceMs >= patienceMs) {
      return { ...enter(record, "outcome-unknown", nowMs), problem };
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
    const waitMs = Math.min(Math.max(pauseMs, retryAfterMs), LONGEST_WAIT_MS);
    return { problem, troubleSinceMs, tries: tries + 1, notBeforeMs: nowMs + waitMs };
  }

  function endWithout(record: PublicationRecord): PublicationChanges {
    const problem: PublicationProblem = { of: "video", kind: "rejected", trouble: "session" };
    const ended =
      record.stopReason === undefined
        ? failed(record, problem, clock.now(), true)
        : cancelled(record, clock.now());
    return { ...ended, ...NOT_PENDING, session: undefined };
  }

  return async (claimed) => {
    try {
      await claimed.change("uploading", await find(claimed.record));
    } catch (error) {
      if (!(error instanceof VideoTakenError)) {
        throw error;
      }
      // Somebody has just decided that the video is another publication's.
      await claimed.change("uploading", stayUnknown);
    }
  };
}

const TAKEN =
  "Somebody else got there first: that video has just become another publication's. Please check again which one this is.";

export function createResolveOutcome(deps: PublishParts) {
  const { publications, accounts, rules, clock, read, update } = deps;
  const reconciler = createReconciler(deps);

  /** `problem`: why the bot cannot search. */
  async function findCandidate(id: string): Promise<CandidateSearch> {
    const record = await requirePublication(publications, id);
    if (record.state !== "outcome-unknown") {
      return {};
    }
    const account = await accounts.byKey(record.guildId, record.account);
    if (account === undefined) {
      return { problem: NO_ACCOUNT };
    }
    try {
      const [candidate] = await reconciler.candidates(record, account.account);
      return { candidate };
    } catch (error) {
      if (!isVideoError(error)) {
        throw error;
      }
      return { problem: problemOf(error) };
    }
  }

  /** Searches again, because a person who says that it is absent may have checked too early. */
  async function findNow(
    record: PublicationRecord,
    outcome: OutcomeDecision,
    seen: readonly string[],
  ): Promise<Finding> {
    const { guildId, account: key } = record;
    const account = await accounts.byKey(guildId, key);
    if (account === undefined) {
      if (outcome === "given-up") {
        return {};
      }
      throw new UserError(`I can't look: the account it went to is no longer linked. ${linkAgainWords(key)}`);
    }
    if (typeof outcome === "string") {
      return reconciler.find(record, account.account, seen).catch((error: unknown) => {
        // People must be able to leave it even if the bot cannot search.
        if (outcome === "given-up" && isVideoError(error)) {
          return {};
        }
        throw error;
      });
    }
    const { videoId } = outcome;
    const found = await reconciler.candidates(record, account.account);
    if (!found.some(({ id }) => id === videoId)) {
      throw new UserError("That video doesn't match the one you sent. Press **Look for it** again.");
    }
    return { videoId };
  }

  /**
   * Before the video is sent again, the bot checks once more and accepts what it finds. If that may be
   * another video, the person must look at the `candidate`, as they did at those in `seen`.
   */
  async function resolveOutcome(
    id: string,
    outcome: OutcomeDecision,
    by: Actor,
    seen: readonly string[] = [],
  ): Promise<{ readonly publication: Publication; readonly candidate?: Candidate }> {
    const record = await requirePublication(publications, id);
    const { guildId } = record;
    await rules.checkPublisher(guildId, by, "say whether a video was published");
    if (record.state !== "outcome-unknown") {
      return { publication: await read(record) };
    }
    const { videoId, candidate: unseen } = await findNow(record, outcome, seen);
    if (outcome === "absent" && unseen !== undefined) {
      return { publication: await read(record), candidate: unseen };
    }
    const isLeft = outcome === "given-up" && videoId === undefined;
    const note = isLeft ? "left as it is" : videoId === undefined ? "not there" : undefined;
    const decide = (current: PublicationRecord): PublicationChanges | undefined => {
      if (current.state !== "outcome-unknown") {
        return undefined;
      }
      if (videoId !== undefined) {
        return arrived(current, videoId, clock.now());
      }
      const isOver = isLinkExpired(current, clock.now());
      const next = isLeft ? "cancelled" : isOver ? "expired" : "uploading";
      const problem = isLeft ? formatProblem(UNKNOWN) : undefined;
      return { ...enter(current, next, clock.now()), ...NOT_PENDING, problem };
    };
    try {
      const { after } = await update(id, decide, () => [{ actorId: by.userId, act: "settled", note }]);
      return { publication: await read(after) };
    } catch (error) {
      throw error instanceof VideoTakenError ? new UserError(TAKEN) : error;
    }
  }

  return { findCandidate, resolveOutcome };
}
