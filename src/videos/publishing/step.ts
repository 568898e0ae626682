// What the steps of a publication share.
import type { PublicationRecord } from "../publications-table.ts";
import type { PublicationLease } from "./publication-lease.ts";
import { parseSession, plainProblem } from "./stored-problem.ts";
import { ServiceError } from "../../core/errors.ts";
import { UNWANTED } from "./update-messages.ts";
import type { PublishRunnerDependencies } from "./publish-dependencies.ts";
import { enter, isOfLeftServer } from "./states.ts";
import { endOf } from "./judge-failure.ts";
/**
 * Brings what is held a step further: it has changed when this settles. `signal` asks to come to an end soon. Throws
 * LeaseLostError, and as the database does.
 */
export type Step = (lease: PublicationLease, signal: AbortSignal) => Promise<void>;

/** The account that it was meant for cannot be used any more. */
export const NO_ACCOUNT = plainProblem("account", "no-account", true);

// The steps of a publication that waits for somebody, or has come to its end: its file's link ends, and what is left at
// the service is taken away.
export function createTidyStep(deps: PublishRunnerDependencies): Step {
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
