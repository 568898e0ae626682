// Works on a claimed publication: shows how far it is, brings it a step further, and so on until it must wait.
import { ServiceError } from "../../core/errors.ts";
import { dueAt, enter, isOfLeftServer, sendsBytes } from "./states.ts";
import { endOf } from "./judge-failure.ts";
import { parseSession } from "./stored-problem.ts";
import { type PublicationLease, type Step, createPublicationLease } from "./publication-lease.ts";
import { UNWANTED, createMessageUpdater } from "./update-messages.ts";
import type { ClaimChange, PublicationRecord } from "../publications-table.ts";
import { createFollowStep } from "./step-follow.ts";
import { createReconcileStep } from "./reconcile.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { createUploadStep } from "./step-upload.ts";

/** What a piece of work is given. */
interface WorkOptions {
  readonly claim: Exclude<ClaimChange, "release">;
  /** How much time had passed when it was claimed. */
  readonly claimedAtElapsedMs: number;
  /** For when it was released, where the time until then has passed: a clock that was set back since says otherwise. */
  readonly wokenForMs: number | undefined;
  readonly mayUpload: () => boolean;
  /** Asks it to come to an end, so that another life goes on with it. */
  readonly signal: AbortSignal;
  /** Called with the lease. */
  readonly onLease: (lease: PublicationLease) => void;
  /** Called when its messages are as they should be, or cannot be for now. */
  readonly onShown: () => void;
}

/** Works as long as there is something to do; gives when it is to be looked at next. Throws as the lease does. */
export function createWork(deps: PublishRunnerDependencies) {
  const updateMessages = createMessageUpdater(deps);
  const upload = createUploadStep({ ...deps, show: updateMessages });
  const look = createReconcileStep(deps);
  const follow = createFollowStep(deps);
  const tidy = createTidyStep(deps);

  function stepFor({ state, pendingWrite }: PublicationRecord): Step {
    if (state === "uploading") {
      return pendingWrite === undefined ? upload : look;
    }
    return state === "processing" || state === "scheduled" ? follow : tidy;
  }

  async function workOn(
    lease: PublicationLease,
    { wokenForMs, mayUpload, signal, onShown }: WorkOptions,
  ): Promise<number | undefined> {
    for (;;) {
      const seen = lease.foreignChanges;
      const retryAtMs = signal.aborted ? undefined : await updateMessages(lease);
      if (lease.foreignChanges !== seen) {
        // What was shown is out of date already.
        continue;
      }
      onShown();
      const { record } = lease;
      const atMs = dueAt(record);
      const isDue = atMs !== undefined && (atMs <= deps.clock.now() || atMs === wokenForMs);
      if (isDue && !signal.aborted && (!sendsBytes(record) || mayUpload())) {
        await stepFor(record)(lease, signal);
        if (lease.record.revision === record.revision) {
          throw new Error(`a step of a publication in ${record.state} changed nothing`);
        }
      } else {
        const nextAtMs = earlier(atMs, retryAtMs);
        if (await lease.release(nextAtMs)) {
          return nextAtMs;
        }
      }
    }
  }

  return async (claimed: PublicationRecord, options: WorkOptions): Promise<number | undefined> => {
    const lease = createPublicationLease({ ...deps, ...options, claimed });
    try {
      options.onLease(lease);
      return await workOn(lease, options);
    } finally {
      lease.stop();
    }
  };
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

// The steps of a publication that waits for somebody, or has come to its end: its file's link ends, and what is left at
// the service is taken away.
function createTidyStep(deps: PublishRunnerDependencies): Step {
  const { accounts, client, clock, log } = deps;

  async function expire(lease: PublicationLease): Promise<void> {
    const { state } = lease.record;
    const ended = enter(lease.record, "expired", clock.now());
    // Nobody but its author has seen a draft.
    const unseen = state === "draft" ? { shownHash: UNWANTED } : {};
    await lease.change(state, { ...ended, ...unseen }, endOf);
  }

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

  async function giveUp(lease: PublicationLease): Promise<void> {
    const { state } = lease.record;
    await cancelSession(lease.record);
    await lease.change(state, (record) => ({
      session: undefined,
      ...(!(state === "cancelled" && isOfLeftServer(record)) && { fileUrl: undefined }),
    }));
  }

  return async (lease) => {
    const { state } = lease.record;
    if (state === "draft" || state === "awaiting-approval") {
      await expire(lease);
    } else if (state === "outcome-unknown") {
      // Its session stays: what has all the bytes can still be finished.
      await lease.change(state, { fileUrl: undefined });
    } else {
      await giveUp(lease);
    }
  };
}
