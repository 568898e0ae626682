// The steps of a publication that is not being sent. What the service has is followed through processing, and checked
// when its time has come: it counts as published only when the service says so. Of what waits for a person or has come
// to its end, the file's link ends, and what is left at the service is taken away.
import { ServiceError } from "../../core/errors.ts";
import { withAccount } from "../accounts/video-accounts.ts";
import type { VideoAccount } from "../client/account.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import { type PublicationProblem, NO_ACCOUNT, formatProblem, parseSession, problemOf } from "./problems.ts";
import type { Change } from "./claimed-publication.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { TROUBLE_RESET, cancelled, enter, failed, isStoppedByLeaving, mustWithdraw } from "./states.ts";

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15_000;
/** Later than this is not as it should be, and said. */
const USUAL_MS = 15 * 60_000;
const LATE_PAUSE_MS = 60_000;
/** About a day: counted in checks, since a clock may jump, and a bot be off. */
const MOST_CHECKS = 1_440;
const LONGEST_WAIT_MS = 3_600_000;
/** A new video may be invisible for a short time. */
const GONE_AFTER_MS = 3 * 60_000;

const TOO_LONG: PublicationProblem = { of: "video", kind: "timeout" };

/** Asks how a publication that the service has is getting on; gives what changes by that. Throws as the database does. */
export function createFollow({ accounts, client, clock, log }: PublishRunnerDependencies) {
  /** It is checked again, with what is in the way until then; not for ever. */
  function checkLater(
    record: PublicationRecord,
    {
      percent,
      problem,
      waitMs = 0,
    }: { percent?: number | undefined; problem?: PublicationProblem; waitMs?: number },
  ): PublicationChanges {
    const nowMs = clock.now();
    const { state, stateAtMs, publishAtMs = 0, troubleSinceMs = nowMs } = record;
    const ageMs = nowMs - (state === "scheduled" ? Math.max(stateAtMs, publishAtMs) : stateAtMs);
    const tries = record.tries + 1;
    const isLate = ageMs > USUAL_MS;
    const shown = problem ?? (isLate ? TOO_LONG : undefined);
    if (tries > MOST_CHECKS && !mustWithdraw(record)) {
      return failed(record, shown ?? TOO_LONG, nowMs, false);
    }
    const pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, Math.round(ageMs / 4)), LONGEST_PAUSE_MS);
    return {
      ...(problem === undefined && { percent }),
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
      // The bot was removed from its server, where nobody could stop it any more.
      await client.delete(account, videoId);
      return (current) => cancelled(current, clock.now());
    }
    if (stage === "failed" || stage === "expired") {
      log.warn({ service: "video", publication: record.id, stage, problem }, "video processing failed");
      return failed(record, { of: "video", kind: "rejected" }, nowMs, !isScheduled);
    }
    if (!isScheduled && stage === "scheduled") {
      // The link stays: where the bot is removed from the server, the video is cancelled and may be sent again.
      return enter(record, "scheduled", nowMs);
    }
    if (isScheduled && (video.publishAtMs ?? 0) > nowMs) {
      // Somebody has chosen another time at the service itself.
      return { publishAtMs: video.publishAtMs, ...TROUBLE_RESET };
    }
    return checkLater(record, { percent });
  }

  return async (record: PublicationRecord): Promise<Change> => {
    const { guildId, account: key, videoId, troubleSinceMs = Infinity } = record;
    const account = await accounts.byKey(guildId, key);
    if (account === undefined || videoId === undefined) {
      return checkLater(record, { problem: NO_ACCOUNT, waitMs: LATE_PAUSE_MS });
    }
    try {
      return await withAccount(accounts, guildId, account, (as) => check(record, as, videoId));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.service !== "video") {
        throw error;
      }
      const problem = problemOf(error);
      log.info({ error, publication: record.id }, "video read failed");
      if (problem.kind === "not-found" && clock.now() - troubleSinceMs > GONE_AFTER_MS) {
        return mustWithdraw(record)
          ? (current) => cancelled(current, clock.now())
          : failed(record, problem, clock.now(), false);
      }
      return checkLater(record, { problem, waitMs: error.retryAfterMs ?? 0 });
    }
  };
}

/** Tidies up a publication that waits for somebody, or has come to its end; gives what changes by that. Throws as the database does. */
export function createCleanUp({ accounts, client, clock, log }: PublishRunnerDependencies) {
  /** As well as it can be: a session without an end never becomes a video. */
  async function cancelSession(record: PublicationRecord): Promise<void> {
    const session = parseSession(record);
    const account = session && (await accounts.byKey(record.guildId, record.account));
    if (session === undefined || account === undefined) {
      return;
    }
    try {
      await client.cancelUpload(account.account, session);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.service !== "video") {
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
      // Its session stays: what has all the bytes can still be finished.
      return { fileUrl: undefined };
    }
    await cancelSession(record);
    return (current) => ({
      session: undefined,
      ...(!(state === "cancelled" && isStoppedByLeaving(current)) && { fileUrl: undefined }),
    });
  };
}
