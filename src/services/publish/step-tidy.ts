// The steps of a publication that waits for somebody, or has come to its end: its file's link ends, and what is left at
// the service is taken away.
import { ServiceError } from "../../core/errors.ts";
import type { PublicationRecord } from "../../storage/publications-table.ts";
import type { Hold } from "./hold.ts";
import { formatProblem, parseProblem } from "./kept-problem.ts";
import { UNWANTED } from "./keep-messages.ts";
import { parseSession } from "./kept-session.ts";
import { enter } from "./states.ts";
import { endOf } from "./outcomes.ts";
import type { PublishRunnerDependencies, Step } from "./step.ts";

/** Makes the step. */
export function createTidyStep(deps: PublishRunnerDependencies): Step {
  const { accounts, client, clock, log } = deps;

  async function expire(hold: Hold): Promise<void> {
    const { state } = hold.record;
    const ended = enter(hold.record, "expired", clock.now());
    // Nobody but its author has seen a draft.
    const unseen = state === "draft" ? { shownHash: UNWANTED } : {};
    await hold.change(state, { ...ended, ...unseen, problem: undefined }, endOf);
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
      log.info({ error, publication: record.id }, "an upload could not be taken back at the service");
    }
  }

  async function giveUp(hold: Hold): Promise<void> {
    const { state } = hold.record;
    const { problem } = parseProblem(hold.record);
    await cancelSession(hold.record);
    await hold.change(state, {
      fileUrl: undefined,
      session: undefined,
      ...(problem && { problem: formatProblem({ problem: { ...problem, mayRetry: false } }) }),
    });
  }

  return async (hold) => {
    const { state } = hold.record;
    if (state === "draft" || state === "awaiting-approval") {
      await expire(hold);
    } else if (state === "outcome-unknown") {
      // Its session stays: what has all the bytes can still be finished.
      await hold.change(state, { fileUrl: undefined });
    } else {
      await giveUp(hold);
    }
  };
}
