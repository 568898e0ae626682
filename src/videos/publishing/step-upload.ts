// The step of a publication that is to be sent: an attempt, and what becomes of one that fails.
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import { AccountGoneError, createAttempt } from "./attempt.ts";
import type { ShowProgress } from "./attempt-progress.ts";
import { isLinkOver } from "./due-at.ts";
import { type Hold, HoldLostError } from "./hold.ts";
import {
  NOT_PENDING,
  cancelled,
  endOf,
  failed,
  isUnclear,
  judgeFailure,
  problemOf,
} from "./judge-failure.ts";
import { formatProblem, lasting, parseProblem } from "./kept-problem.ts";
import type { PublicationProblem } from "./publish.ts";
import { accountKeyOf } from "./read-publication.ts";
import { enter } from "./states.ts";
import { NO_ACCOUNT, type PublishRunnerDependencies, type Step, UNREADABLE } from "./step.ts";

/** A service that is away is waited for, each time longer. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const PATIENCE_MS = 15 * 60_000;
/** One that asks us to wait says for how long. */
const RATE_LIMIT_PATIENCE_MS = 3_600_000;
/** Sessions begun anew, before it is the service's fault. */
const MOST_SESSIONS = 3;
/** Where an answer was lost, its video may be there in a moment. */
const FIRST_LOOK_MS = 2_000;

/** Whether somebody wants it stopped, as far as that can be read. */
function mayBeStopped(record: PublicationRecord): boolean {
  const { isStopping, isUnreadable = false } = parseProblem(record);
  return isStopping !== undefined || isUnreadable;
}

/** Makes the step. */
export function createUploadStep(deps: PublishRunnerDependencies & { readonly show: ShowProgress }): Step {
  const { accounts, clock, log } = deps;
  const attempt = createAttempt(deps);

  /** Nothing was published; what somebody wanted stopped, or may have, is stopped with that. */
  async function conclude(
    hold: Hold,
    changesOf: (record: PublicationRecord) => PublicationChanges,
  ): Promise<void> {
    const ended = (record: PublicationRecord): PublicationChanges => {
      const { isStopping, isUnreadable } = parseProblem(record);
      if (isStopping !== undefined) {
        return cancelled(record, clock.now());
      }
      return isUnreadable ? failed(record, UNREADABLE, clock.now()) : changesOf(record);
    };
    await hold.change("uploading", (record) => ({ ...ended(record), ...NOT_PENDING }), endOf);
    if (parseProblem(hold.record).problem?.kind === UNREADABLE.kind) {
      log.error({ publication: hold.record.id }, "publication parked, its stored state is unreadable");
    }
  }

  const fail = (hold: Hold, problem: PublicationProblem): Promise<void> =>
    conclude(hold, (record) => failed(record, problem, clock.now()));

  const expire = (hold: Hold): Promise<void> =>
    conclude(hold, (record) => ({ ...enter(record, "expired", clock.now()), problem: undefined }));

  async function tryAgain(
    hold: Hold,
    problem: PublicationProblem,
    { waitMs, mostTries = Infinity }: { readonly waitMs?: number | undefined; readonly mostTries?: number },
  ): Promise<void> {
    const nowMs = clock.now();
    const { sinceMs = nowMs, tries = 0 } = parseProblem(hold.record);
    const notBeforeMs = nowMs + (waitMs ?? Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS));
    const patienceMs = problem.kind === "rate-limited" ? RATE_LIMIT_PATIENCE_MS : PATIENCE_MS;
    if (notBeforeMs - sinceMs > patienceMs || tries >= mostTries) {
      await fail(hold, problem);
    } else if (isLinkOver(hold.record, notBeforeMs)) {
      await expire(hold);
    } else {
      const kept = formatProblem({ problem, sinceMs, tries: tries + 1, notBeforeMs });
      await conclude(hold, () => ({ problem: kept }));
    }
  }

  /** It may be there: from now on it is looked for. */
  async function doubt(hold: Hold, problem: PublicationProblem): Promise<void> {
    const nowMs = clock.now();
    const kept = { ...problem, kind: "outcome-unknown", mayRetry: false } as const;
    const notBeforeMs = nowMs + FIRST_LOOK_MS;
    await hold.change("uploading", (record) => {
      const further = { ...lasting(record), sinceMs: nowMs, notBeforeMs };
      return { problem: formatProblem({ problem: kept, ...further }) };
    });
  }

  async function settle(hold: Hold, error: unknown): Promise<void> {
    const { state, pendingWrite, guildId, id } = hold.record;
    if (error instanceof HoldLostError) {
      throw error;
    }
    if (state !== "uploading") {
      return;
    }
    if (error instanceof AccountGoneError) {
      await fail(hold, NO_ACCOUNT);
      return;
    }
    const level = problemOf(error).kind === "bug" ? "error" : "warn";
    log[level]({ error, publication: id, pendingWrite }, "an attempt to send a video failed");
    if (isUnclear(error, pendingWrite)) {
      await doubt(hold, problemOf(error));
      return;
    }
    const verdict = judgeFailure(error);
    switch (verdict.verdict) {
      case "stopped":
        await conclude(hold, () => ({}));
        return;
      case "expired":
        await expire(hold);
        return;
      case "wait":
        await tryAgain(hold, verdict.problem, { waitMs: verdict.waitMs });
        return;
      case "anew":
        await hold.change("uploading", { session: undefined, doneBytes: 0 });
        await tryAgain(hold, verdict.problem, { mostTries: MOST_SESSIONS });
        return;
      case "fail": {
        const { kind, trouble = "token-dead" } = verdict.problem;
        if (kind === "unauthorised") {
          await accounts.markBroken(guildId, accountKeyOf(hold.record), trouble);
        }
        await fail(hold, verdict.problem);
        return;
      }
    }
  }

  async function send(hold: Hold, signal: AbortSignal): Promise<void> {
    const find = () => accounts.byKey(hold.record.guildId, hold.record.account);
    const isLinked = async () => (await find()) !== undefined;
    const account = await find();
    if (account === undefined) {
      await fail(hold, NO_ACCOUNT);
      return;
    }
    const stop = new AbortController();
    const unlisten = hold.onForeignChange((record) => {
      if (record?.state !== "uploading" || mayBeStopped(record)) {
        stop.abort();
      }
    });
    try {
      await attempt({ hold, account, isLinked, signal: AbortSignal.any([signal, stop.signal]) });
    } catch (error) {
      await settle(hold, error);
      return;
    } finally {
      unlisten();
    }
    if (hold.record.state === "uploading" && hold.record.pendingWrite !== undefined) {
      // The service has taken it without saying by which name.
      await doubt(hold, { of: "video", kind: "outcome-unknown", mayRetry: false });
    }
  }

  return async (hold, signal) => {
    if (parseProblem(hold.record).isUnreadable) {
      await conclude(hold, () => ({}));
    } else if (isLinkOver(hold.record, clock.now())) {
      await expire(hold);
    } else {
      await send(hold, signal);
    }
  };
}
