// A publication that this process works on. Its row is changed one change at a time and only as it was last seen; where
// somebody else was quicker (a person who cancels or edits), it is read again, and what no longer fits is not done.
import { randomUUID } from "node:crypto";
import { ServiceError } from "../../core/errors.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { retryStorage } from "../../delivery/retry-storage.ts";
import { type PublicationAuditEntry, auditEntryOf } from "./change-publication.ts";
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

/** A claim on a publication by one piece of work. */
export function createClaim(): Exclude<ClaimChange, "release"> {
  return { token: randomUUID(), forMs: CLAIM_MS };
}

/**
 * Takes a row that was claimed when `claimedAtElapsedMs` had passed; renews its claim until it is released or stopped.
 * All of it throws LeaseLostError, and as the database does.
 */
export function createPublicationLease({
  publications,
  rules,
  clock,
  claim,
  claimed,
  claimedAtElapsedMs,
}: Pick<PublishRunnerDependencies, "publications" | "rules" | "clock"> & {
  readonly claim: Exclude<ClaimChange, "release">;
  readonly claimed: PublicationRecord;
  readonly claimedAtElapsedMs: number;
}) {
  let record = claimed;
  let foreignChanges = 0;
  let writes = 0;
  let isLost = false;
  let isReleased = false;
  let queue: Promise<unknown> = Promise.resolve();
  let cancelBeat: (() => void) | undefined;
  /** The claim does not run out before. */
  let safeUntilElapsedMs = claimedAtElapsedMs + CLAIM_MS;
  const listeners = new Set<(record: PublicationRecord | undefined) => void>();

  function lose(message: string): LeaseLostError {
    isLost = true;
    cancelBeat?.();
    notify(undefined);
    return new LeaseLostError(message);
  }

  function notify(seen: PublicationRecord | undefined): void {
    for (const listener of listeners) {
      listener(seen);
    }
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
      throw lose("it is gone");
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
      notify(record);
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

  function write(
    changes: Change,
    mayStill: () => boolean,
    entryOf: EntryOf = () => undefined,
    nextClaim: () => ClaimChange = renewal,
  ): Promise<boolean> {
    return inTurn(async () => {
      while (mayStill()) {
        const askedAtElapsedMs = clock.elapsed();
        const written = nextClaim();
        const wanted = typeof changes === "function" ? changes(record) : changes;
        const act = entryOf({ ...record, ...wanted });
        const acts = act === undefined ? [] : [auditEntryOf(record, wanted, act)];
        const changed = await retryWhileClaimed(() =>
          rules.changeWithAudit(acts, (lines) =>
            publications.change(record, wanted, { acts: lines, claim: written }),
          ),
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

  /** Stops renewing the claim. */
  function stop(): void {
    isReleased = true;
    cancelBeat?.();
  }

  beat();
  return {
    /** As it was last seen. */
    get record() {
      return record;
    },
    /** Counts the times that somebody else changed it meanwhile. */
    get foreignChanges() {
      return foreignChanges;
    },
    note,
    /**
     * Changes it unless it has left this state, with the audit entry of that; says whether it has not left. A function is
     * given the row as it then is, and `entryOf` as it comes to be.
     */
    change: (from: PublicationState, changes: Change, entryOf?: EntryOf): Promise<boolean> =>
      write(changes, () => record.state === from, entryOf),
    /** Looks whether somebody has changed it. */
    refresh: async () => void (await inTurn(reread)),
    /** Releases it until that time; `false` where somebody changed it meanwhile: the lease goes on. */
    async release(nextAtMs: number | undefined): Promise<boolean> {
      const seen = foreignChanges;
      const isFree = await write(
        { nextAtMs },
        () => foreignChanges === seen,
        undefined,
        () => "release",
      );
      if (isFree) {
        stop();
      }
      return isFree;
    },
    /** Told when somebody else has changed it, or it is lost (then with nothing). Returns what unsubscribes. */
    onForeignChange(listener: (record: PublicationRecord | undefined) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };
}

export type PublicationLease = ReturnType<typeof createPublicationLease>;

type Change = PublicationChanges | ((record: PublicationRecord) => PublicationChanges);
type EntryOf = (after: PublicationRecord) => PublicationAuditEntry | undefined;

/**
 * Brings what is leased a step further: it has changed when this settles. `signal` asks to come to an end soon. Throws
 * LeaseLostError, and as the database does.
 */
export type Step = (lease: PublicationLease, signal: AbortSignal) => Promise<void>;
