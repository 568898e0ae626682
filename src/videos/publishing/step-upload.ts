// The step of a publication that is to be sent: an attempt, and what becomes of one that fails.
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import { AccountGoneError, type ShowProgress, createAttempt } from "./attempt.ts";
import { enter, isLinkOver } from "./states.ts";
import { LeaseLostError, type PublicationLease, type Step } from "./publication-lease.ts";
import {
  NOT_PENDING,
  cancelled,
  endOf,
  failed,
  isUnclear,
  judgeFailure,
  problemOf,
} from "./judge-failure.ts";
import {
  NO_ACCOUNT,
  UNREADABLE,
  formatProblem,
  isUnreadable,
  parseProblem,
  replaceProblem,
} from "./stored-problem.ts";
import type { PublicationProblem } from "./publish.ts";
import { accountKeyOf } from "./read-publication.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";

/** A service that is away is waited for, each time longer. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const PATIENCE_MS = 15 * 60_000;
/** One that asks us to wait says for how long. */
const RATE_LIMIT_PATIENCE_MS = 3_600_000;
/** Sessions begun again, before it is the service's fault. */
const MOST_SESSIONS = 3;
/** Where an answer was lost, its video may be there in a moment. */
const FIRST_LOOK_MS = 2_000;

export function createUploadStep(deps: PublishRunnerDependencies & { readonly show: ShowProgress }): Step {
  const { accounts, clock, log } = deps;
  const attempt = createAttempt(deps);

  /** Nothing was published; what somebody wanted stopped, or may have, is stopped with that. */
  async function conclude(
    lease: PublicationLease,
    changesOf: (record: PublicationRecord) => PublicationChanges,
  ): Promise<void> {
    const ended = (record: PublicationRecord): PublicationChanges => {
      if (record.stopReason !== undefined) {
        return cancelled(record, clock.now());
      }
      return isUnreadable(record) ? failed(record, UNREADABLE, clock.now()) : changesOf(record);
    };
    await lease.change("uploading", (record) => ({ ...ended(record), ...NOT_PENDING }), endOf);
    if (parseProblem(lease.record)?.kind === UNREADABLE.kind) {
      log.error({ publication: lease.record.id }, "publication parked, its stored state is unreadable");
    }
  }

  const fail = (lease: PublicationLease, problem: PublicationProblem): Promise<void> =>
    conclude(lease, (record) => failed(record, problem, clock.now()));

  const expire = (lease: PublicationLease): Promise<void> =>
    conclude(lease, (record) => enter(record, "expired", clock.now()));

  async function tryAgain(
    lease: PublicationLease,
    problem: PublicationProblem,
    { waitMs, mostTries = Infinity }: { readonly waitMs?: number | undefined; readonly mostTries?: number },
  ): Promise<void> {
    const nowMs = clock.now();
    const { troubleSinceMs = nowMs, tries } = lease.record;
    const notBeforeMs = nowMs + (waitMs ?? Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS));
    const patienceMs = problem.kind === "rate-limited" ? RATE_LIMIT_PATIENCE_MS : PATIENCE_MS;
    if (notBeforeMs - troubleSinceMs > patienceMs || tries >= mostTries) {
      await fail(lease, problem);
    } else if (isLinkOver(lease.record, notBeforeMs)) {
      await expire(lease);
    } else {
      const kept = { problem: formatProblem(problem), troubleSinceMs, tries: tries + 1, notBeforeMs };
      await conclude(lease, () => kept);
    }
  }

  /** It may be there: from now on it is looked for. */
  async function markUnknown(lease: PublicationLease, problem: PublicationProblem): Promise<void> {
    const nowMs = clock.now();
    const kept = { ...problem, kind: "outcome-unknown", mayRetry: false } as const;
    const notBeforeMs = nowMs + FIRST_LOOK_MS;
    await lease.change("uploading", (record) => ({
      problem: replaceProblem(record, kept),
      troubleSinceMs: nowMs,
      tries: 0,
      notBeforeMs,
    }));
  }

  async function handleFailure(lease: PublicationLease, error: unknown): Promise<void> {
    const { state, pendingWrite, guildId, id } = lease.record;
    if (error instanceof LeaseLostError) {
      throw error;
    }
    if (state !== "uploading") {
      return;
    }
    if (error instanceof AccountGoneError) {
      await fail(lease, NO_ACCOUNT);
      return;
    }
    const level = problemOf(error).kind === "bug" ? "error" : "warn";
    log[level]({ error, publication: id, pendingWrite }, "upload attempt failed");
    if (isUnclear(error, pendingWrite)) {
      await markUnknown(lease, problemOf(error));
      return;
    }
    const verdict = judgeFailure(error);
    switch (verdict.verdict) {
      case "stopped":
        await conclude(lease, () => ({}));
        return;
      case "expired":
        await expire(lease);
        return;
      case "wait":
        await tryAgain(lease, verdict.problem, { waitMs: verdict.waitMs });
        return;
      case "restart":
        await lease.change("uploading", { session: undefined, doneBytes: 0 });
        await tryAgain(lease, verdict.problem, { mostTries: MOST_SESSIONS });
        return;
      case "fail": {
        const { kind, trouble = "token-dead" } = verdict.problem;
        if (kind === "unauthorised") {
          await accounts.markBroken(guildId, accountKeyOf(lease.record), trouble);
        }
        await fail(lease, verdict.problem);
        return;
      }
    }
  }

  async function send(lease: PublicationLease, signal: AbortSignal): Promise<void> {
    const find = () => accounts.byKey(lease.record.guildId, lease.record.account);
    const isLinked = async () => (await find()) !== undefined;
    const account = await find();
    if (account === undefined) {
      await fail(lease, NO_ACCOUNT);
      return;
    }
    const stop = new AbortController();
    const unlisten = lease.onForeignChange((record) => {
      if (record?.state !== "uploading" || record.stopReason !== undefined || isUnreadable(record)) {
        stop.abort();
      }
    });
    try {
      await attempt({ lease, account, isLinked, signal: AbortSignal.any([signal, stop.signal]) });
    } catch (error) {
      await handleFailure(lease, error);
      return;
    } finally {
      unlisten();
    }
    if (lease.record.state === "uploading" && lease.record.pendingWrite !== undefined) {
      // The service has taken it without saying by which name.
      await markUnknown(lease, { of: "video", kind: "outcome-unknown", mayRetry: false });
    }
  }

  return async (lease, signal) => {
    if (isUnreadable(lease.record)) {
      await conclude(lease, () => ({}));
    } else if (isLinkOver(lease.record, clock.now())) {
      await expire(lease);
    } else {
      await send(lease, signal);
    }
  };
}
