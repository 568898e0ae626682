// `createFollow` follows a video through the service's processing and at its time: it counts as published
// only if the service says so. `createCleanUp` handles publications that wait for a person or have ended.
import { withAccount } from "../accounts/video-accounts.ts";
import { type VideoAccount, isVideoError } from "../client/account.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import { type PublicationProblem, NO_ACCOUNT, formatProblem, parseSession, problemOf } from "./problems.ts";
import type { Change } from "./claimed-publication.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { TROUBLE_RESET, cancelled, enter, failed, isStoppedByLeaving, mustWithdraw } from "./states.ts";

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15_000;
/** Processing that takes longer than this is reported as a problem. */
const USUAL_MS = 15 * 60_000;
const LATE_PAUSE_MS = 60_000;
/** About a day. Checks are counted because the clock may jump and the bot may be off. */
const MAX_CHECKS = 1_440;
const LONGEST_WAIT_MS = 3_600_000;
/** How long a video must be missing before it counts as gone: a new one may be invisible for a short time. */
const GONE_AFTER_MS = 3 * 60_000;

const TOO_LONG: PublicationProblem = { of: "video", kind: "timeout" };

export function createFollow({ accounts, client, clock, log }: PublishRunnerDependencies) {
  /** Returns the changes for a further check, with the problem until then; after too many checks, it fails. */
  function checkLater(
    record: PublicationRecord,
    problem?: PublicationProblem,
    waitMs = 0,
  ): PublicationChanges {
    const nowMs = clock.now();
    const { state, stateAtMs, publishAtMs = 0, troubleSinceMs = nowMs } = record;
    const ageMs = nowMs - (state === "scheduled" ? Math.max(stateAtMs, publishAtMs) : stateAtMs);
    const tries = record.tries + 1;
    const isLate = ageMs > USUAL_MS;
    const shown = problem ?? (isLate ? TOO_LONG : undefined);
    if (tries > MAX_CHECKS && !mustWithdraw(record)) {
      return failed(record, shown ?? TOO_LONG, nowMs, false);
    }
    const pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, Math.round(ageMs / 4)), LONGEST_PAUSE_MS);
    return {
      problem: shown && formatProblem(shown),
      troubleSinceMs: problem?.kind === "not-found" ? troubleSinceMs : undefined,
      tries,
      notBeforeMs: nowMs + Math.min(Math.max(isLate ? LATE_PAUSE_MS : pauseMs, waitMs), LONGEST_WAIT_MS),
    };
  }

  async function check(record: PublicationRecord, account: VideoAccount, videoId: string): Promise<Change> {
    const nowMs = clock.now();
    const video = await client.read(account, videoId);
    const { stage, percent, problem } = video.status;
    const isScheduled = record.state === "scheduled";
    if (stage === "published") {
      return { ...enter(record, "published", nowMs), link: video.link, fileUrl: undefined };
    }
    if (mustWithdraw(record)) {
      // The bot was removed from its server, so nobody could stop the video any more.
      await client.delete(account, videoId);
      return (current) => cancelled(current, clock.now());
    }
    if (stage === "failed" || stage === "expired") {
      log.warn({ service: "video", publication: record.id, stage, problem }, "video processing failed");
      return failed(record, { of: "video", kind: "rejected" }, nowMs, !isScheduled);
    }
    if (!isScheduled && stage === "scheduled") {
      // The link stays: if the bot is removed, the video is cancelled and may be sent again later.
      return enter(record, "scheduled", nowMs);
    }
    if (isScheduled && (video.publishAtMs ?? 0) > nowMs) {
      // Somebody has changed the time on the service itself.
      return { publishAtMs: video.publishAtMs, ...TROUBLE_RESET };
    }
    return { percent, ...checkLater(record) };
  }

  return async (record: PublicationRecord): Promise<Change> => {
    const { guildId, account: key, videoId, troubleSinceMs = Infinity } = record;
    const account = await accounts.byKey(guildId, key);
    if (account === undefined || videoId === undefined) {
      return checkLater(record, NO_ACCOUNT, LATE_PAUSE_MS);
    }
    try {
      return await withAccount(accounts, guildId, account, (as) => check(record, as, videoId));
    } catch (error) {
      if (!isVideoError(error)) {
        throw error;
      }
      const problem = problemOf(error);
      log.info({ error, publication: record.id }, "video read failed");
      if (problem.kind === "not-found" && clock.now() - troubleSinceMs > GONE_AFTER_MS) {
        return mustWithdraw(record)
          ? (current) => cancelled(current, clock.now())
          : failed(record, problem, clock.now(), false);
      }
      return checkLater(record, problem, error.retryAfterMs);
    }
  };
}

export function createCleanUp({ accounts, client, clock, log }: PublishRunnerDependencies) {
  /** A failure is harmless, because a session that is never finished does not become a video. */
  async function cancelSession(record: PublicationRecord): Promise<void> {
    const session = parseSession(record);
    const account = session && (await accounts.byKey(record.guildId, record.account));
    if (session === undefined || account === undefined) {
      return;
    }
    try {
      await client.cancelUpload(account.account, session);
    } catch (error) {
      if (!isVideoError(error)) {
        throw error;
      }
      log.info({ error, publication: record.id }, "upload cancellation failed");
    }
  }

  return async (record: PublicationRecord): Promise<Change> => {
    const { state } = record;
    if (state === "draft" || state === "awaiting-approval") {
      return enter(record, "expired", clock.now());
    }
    if (state === "outcome-unknown") {
      // The session stays, because an upload that has all bytes can still be finished.
      return { fileUrl: undefined };
    }
    await cancelSession(record);
    return (current) => ({
      session: undefined,
      ...(!(state === "cancelled" && isStoppedByLeaving(current)) && { fileUrl: undefined }),
    });
  };
}
