// A publication that this process works on. Its row is changed one change at a time and only as it was last seen; where
// somebody else was quicker (a person who cancels or edits), it is read again, and what no longer fits is not done.
import { randomUUID } from "node:crypto";
import { ServiceError } from "../../core/errors.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { retryStorage } from "../../delivery/runner.ts";
import { changeWithAudit } from "./change-publication.ts";
import type {
  ClaimChange,
  PublicationChanges,
  PublicationRecord,
  PublicationState,
} from "../publications-table.ts";

/** Another process has it now, or it is gone: nothing more may be done. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** A claim outlives two renewals that do not come. */
const CLAIM_MS = 30_000;
const BEAT_MS = 10_000;

/** Claims it, and renews the claim until released; `undefined` where another process was quicker. */
export async function leasePublication(
  { publications, rules, clock }: Pick<PublishRunnerDependencies, "publications" | "rules" | "clock">,
  due: PublicationRecord,
) {
  const claim = { token: randomUUID(), forMs: CLAIM_MS };
  /** The claim does not run out before. */
  let safeUntilElapsedMs = clock.elapsed() + CLAIM_MS;
  const claimed = await publications.change(due, {}, { claim });
  if (claimed === undefined) {
    return undefined;
  }
  let record = claimed;
  let foreignChanges = 0;
  let writes = 0;
  let isLost = false;
  let isReleased = false;
  let queue: Promise<unknown> = Promise.resolve();
  let cancelBeat: (() => void) | undefined;
  let onChange: ((record: PublicationRecord | undefined) => void) | undefined;

  function lose(message: string): LeaseLostError {
    isLost = true;
    cancelBeat?.();
    onChange?.(undefined);
    return new LeaseLostError(message);
  }

  function isSafe(): boolean {
    return clock.elapsed() < safeUntilElapsedMs;
  }

  async function retryWhileClaimed<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await retryStorage(clock, isSafe, ask);
    } catch (error) {
      if (error instanceof ServiceError && !isSafe()) {
        throw lose("the claim has run out while the database was away");
      }
      throw error;
    }
  }

  /** Reads it again. Says whether `written`, whose answer was lost, is what was last done to it. */
  async function reread(written?: ClaimChange): Promise<boolean> {
    const current = await retryWhileClaimed(() => publications.get(record.id));
    if (current === undefined) {
      throw lose("it has gone");
    }
    const { claimToken } = current;
    if (written !== undefined && claimToken === (written === "release" ? undefined : written.token)) {
      record = current;
      return true;
    }
    if (claimToken?.startsWith(claim.token) !== true) {
      throw lose("another process has taken it over");
    }
    if (current.revision !== record.revision) {
      record = current;
      foreignChanges += 1;
      onChange?.(record);
    }
    return false;
  }

  /** One at a time, in the order in which they are asked for. */
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = queue.then(() => {
      if (isLost || isReleased) {
        throw new LeaseLostError("it is no longer held");
      }
      return act();
    });
    queue = turn.catch(() => undefined);
    return turn;
  }

  /** What comes to its end by that is written to the audit log. */
  function write(
    changes: Change,
    mayStill: () => boolean,
    nextClaim: () => ClaimChange = renewal,
  ): Promise<boolean> {
    return inTurn(async () => {
      while (mayStill()) {
        const askedAtElapsedMs = clock.elapsed();
        const written = nextClaim();
        const wanted = typeof changes === "function" ? changes(record) : changes;
        const changed = await retryWhileClaimed(() =>
          changeWithAudit({ publications, rules }, record, wanted, { claim: written }),
        );
        record = changed ?? record;
        if (changed !== undefined || (await reread(written))) {
          safeUntilElapsedMs = askedAtElapsedMs + CLAIM_MS;
          return true;
        }
      }
      return false;
    });
  }

  /** Each change has a token of its own, by which it is known again. */
  function renewal(): ClaimChange {
    writes += 1;
    return { ...claim, token: `${claim.token}.${writes}` };
  }

  /** Changes it whatever has become of it: for what stays true, e.g. where its message stands. */
  async function note(changes: PublicationChanges): Promise<void> {
    await write(changes, () => true);
  }

  function beat(): void {
    cancelBeat = clock.after(BEAT_MS, () => {
      // The work learns of a failure by its next change, or that the lease is lost.
      note({}).catch(() => undefined);
      if (!isLost && !isReleased) {
        beat();
      }
    });
  }

  function stop(): void {
    isReleased = true;
    cancelBeat?.();
  }

  beat();
  return {
    get record() {
      return record;
    },
    /** Counts the times that somebody else changed it meanwhile. */
    get foreignChanges() {
      return foreignChanges;
    },
    note,
    /** Changes it unless it has left this state; says whether it has not left. A function is given the row as it then is. */
    change: (from: PublicationState, changes: Change): Promise<boolean> =>
      write(changes, () => record.state === from),
    isSafe,
    /** Checks whether somebody has changed it. */
    refresh: async () => void (await inTurn(reread)),
    /** Releases it until that time; `false` where somebody changed it meanwhile: the lease goes on. */
    async release(nextAtMs: number | undefined): Promise<boolean> {
      const seen = foreignChanges;
      const isFree = await write(
        { nextAtMs },
        () => foreignChanges === seen,
        () => "release",
      );
      if (isFree) {
        stop();
      }
      return isFree;
    },
    /** Calls back when somebody else has changed it, or it is lost (then without a row). One at a time; returns a function to unsubscribe. */
    onForeignChange(listener: (record: PublicationRecord | undefined) => void): () => void {
      onChange = listener;
      return () => void (onChange = undefined);
    },
    stop,
  };
}

export type PublicationLease = NonNullable<Awaited<ReturnType<typeof leasePublication>>>;

/** What is to change; a function is given the row as it then is. */
export type Change = PublicationChanges | ((record: PublicationRecord) => PublicationChanges);

/** Brings what is leased a step further: it has changed when this settles. `signal` asks to come to an end soon. */
export type Step = (lease: PublicationLease, signal: AbortSignal) => Promise<void>;
