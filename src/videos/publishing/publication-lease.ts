// A publication that this process works on. Its row is changed one change at a time and only as it was last seen; where
// somebody else was quicker (a person who cancels or edits), it is read again, and what no longer fits is not done.
import { randomUUID } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { retryStorage } from "../../delivery/retry-storage.ts";
import type { VideoRules } from "../settings/video-settings.ts";
import { type PublicationAuditEntry, auditEntryOf } from "./change-publication.ts";
import type {
  ClaimChange,
  PublicationChanges,
  PublicationRecord,
  PublicationState,
  PublicationsTable,
} from "../publications-table.ts";

/** Another process has it now, or it is gone: nothing more may be done. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** Claimed for a short while, and for longer as long as the work goes on. All of it throws LeaseLostError, and as the database does. */
export interface PublicationLease {
  /** As it was last seen. */
  readonly record: PublicationRecord;
  /** Counts the times that somebody else changed it meanwhile. */
  readonly foreignChanges: number;
  /** Changes it whatever has become of it: for what stays true, e.g. where its message stands. */
  note(changes: PublicationChanges): Promise<void>;
  /**
   * Changes it unless it has left this state, together with what is written down of that; says whether it has not. A
   * function is given it as it then is, and the act's as it comes to be.
   */
  change(
    from: PublicationState,
    changes: PublicationChanges | ((record: PublicationRecord) => PublicationChanges),
    entryOf?: (after: PublicationRecord) => PublicationAuditEntry | undefined,
  ): Promise<boolean>;
  /** Looks whether somebody has changed it. */
  refresh(): Promise<void>;
  /** Lets go of it, to be looked at at that time; `false` where somebody changed it meanwhile: it is still held. */
  release(nextAtMs: number | undefined): Promise<boolean>;
  /** Told when somebody else has changed it, or it is lost (then with nothing). Returns what ends the telling. */
  onForeignChange(listener: (record: PublicationRecord | undefined) => void): () => void;
  /** Stops renewing the claim. */
  stop(): void;
}

/** A claim outlives two renewals that do not come. */
const CLAIM_MS = 30_000;
const BEAT_MS = 10_000;

/** A claim on a publication by one piece of work. */
export function createClaim(): Exclude<ClaimChange, "release"> {
  return { token: randomUUID(), forMs: CLAIM_MS };
}

/** Takes a row that was claimed when `claimedAtElapsedMs` had passed; renews its claim until it is released or stopped. */
export function createPublicationLease({
  publications,
  rules,
  clock,
  claim,
  claimed,
  claimedAtElapsedMs,
}: {
  readonly publications: Pick<PublicationsTable, "get" | "change">;
  readonly rules: Pick<VideoRules, "changeWithAudit">;
  readonly clock: Clock;
  readonly claim: Exclude<ClaimChange, "release">;
  readonly claimed: PublicationRecord;
  readonly claimedAtElapsedMs: number;
}): PublicationLease {
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
    tell(undefined);
    return new LeaseLostError(message);
  }

  function tell(seen: PublicationRecord | undefined): void {
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
  async function lookAgain(written?: ClaimChange): Promise<boolean> {
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
      tell(record);
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
    changes: Parameters<PublicationLease["change"]>[1],
    mayStill: () => boolean,
    entryOf: Parameters<PublicationLease["change"]>[2] = () => undefined,
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
        if (changed !== undefined || (await lookAgain(written))) {
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

  const change: PublicationLease["change"] = (from, changes, entryOf) =>
    write(changes, () => record.state === from, entryOf);

  const note: PublicationLease["note"] = async (changes) => void (await write(changes, () => true));

  function beat(): void {
    cancelBeat = clock.after(BEAT_MS, () => {
      // Whoever works on it hears of a failure by the change that comes next, or that it is lost.
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
    get foreignChanges() {
      return foreignChanges;
    },
    note,
    change,
    refresh: async () => void (await inTurn(lookAgain)),
    async release(nextAtMs) {
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
    onForeignChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };
}
