// A publication that this process has claimed. Its row is changed one change at a time and only as it was last seen; where
// somebody else was quicker (a person who cancels or edits), it is read again, and what no longer fits is not done.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import pLimit from "p-limit";
import { ServiceError } from "../../core/errors.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { type Claim, createClaims, retryStorage } from "../../delivery/runner.ts";
import { changeWithAudit } from "./change-publication.ts";
import type { PublicationChanges, PublicationRecord, PublicationState } from "../publications-table.ts";

/** Another process has it now, or it is gone: nothing more may be done. */
export class ClaimLostError extends Error {
  override readonly name = "ClaimLostError";
}

/** Its key is the publication's id. */
export interface PublicationClaim extends Claim {
  /** As it was read, and once it is claimed, as it was then. */
  record: PublicationRecord;
}

type ClaimDependencies = Pick<PublishRunnerDependencies, "publications" | "rules" | "clock" | "log">;

export function createPublicationClaims({ publications, clock, log }: ClaimDependencies) {
  const token = randomUUID();
  return createClaims<PublicationClaim>({
    clock,
    log,
    async write(claims, forMs) {
      const ids = claims.map(({ key }) => key);
      const isExtension = claims.every(({ record }) => record.claimToken === token);
      const claimed = await publications.claim(ids, { token, forMs, isExtension });
      const rows = new Map(claimed.map((row) => [row.id, row]));
      for (const claim of claims) {
        claim.record = rows.get(claim.key) ?? claim.record;
      }
      return new Set(claims.filter(({ key }) => rows.has(key)));
    },
  });
}

/** `isSafe`: whether no other process can have taken it over. */
export function createClaimedPublication(
  { publications, rules, clock }: ClaimDependencies,
  first: PublicationRecord,
  isSafe: () => boolean,
) {
  let record = first;
  let foreignChanges = 0;
  let isLost = false;
  const limit = pLimit(1);
  let onChange: ((record: PublicationRecord | undefined) => void) | undefined;

  function lose(message: string): ClaimLostError {
    isLost = true;
    onChange?.(undefined);
    return new ClaimLostError(message);
  }

  async function retryWhileSafe<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await retryStorage(clock, isSafe, ask);
    } catch (error) {
      if (error instanceof ServiceError && !isSafe()) {
        throw lose("the claim has run out while the database was away");
      }
      throw error;
    }
  }

  async function reread(): Promise<void> {
    const current = await retryWhileSafe(() => publications.get(record.id));
    if (current === undefined || current.claimToken !== first.claimToken) {
      throw lose(current === undefined ? "it has gone" : "this process no longer has the claim");
    }
    if (current.revision !== record.revision) {
      record = current;
      foreignChanges += 1;
      onChange?.(record);
    }
  }

  /** One at a time, in the order in which they are asked for. */
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    return limit(() => {
      if (isLost) {
        throw new ClaimLostError("it is no longer claimed");
      }
      return act();
    });
  }

  /** What comes to its end by that is written to the audit log. */
  function write(changes: Change, mayStill: () => boolean, endsClaim = false): Promise<boolean> {
    return inTurn(async () => {
      while (mayStill()) {
        const wanted = typeof changes === "function" ? changes(record) : changes;
        const changed = await retryWhileSafe(() =>
          changeWithAudit({ publications, rules }, record, wanted, { endsClaim }),
        );
        if (changed !== undefined) {
          record = changed;
          return true;
        }
        await reread();
        // It was written, and only the answer was lost. After a release nothing is claimed: that is found above.
        if (!endsClaim && isDeepStrictEqual({ ...record, ...wanted }, record)) {
          return true;
        }
      }
      return false;
    });
  }

  return {
    get record() {
      return record;
    },
    /** Counts the times that somebody else changed it meanwhile. */
    get foreignChanges() {
      return foreignChanges;
    },
    /** Changes it whatever has become of it: for what stays true, e.g. where its message stands. */
    changeAlways: async (changes: PublicationChanges) => void (await write(changes, () => true)),
    /** Changes it unless it has left this state; says whether it has not left. A function is given the row as it then is. */
    change: (from: PublicationState, changes: Change): Promise<boolean> =>
      write(changes, () => record.state === from),
    isSafe,
    /** Checks whether somebody has changed it. */
    refresh: () => inTurn(reread),
    /** Releases it until that time; `false` where somebody changed it meanwhile: the claim goes on. */
    release(nextAtMs: number | undefined): Promise<boolean> {
      const seen = foreignChanges;
      return write({ nextAtMs }, () => foreignChanges === seen, true);
    },
    /** Aborts once the claim is lost, or somebody else's change makes this so; only the last one that was asked for does. */
    abortSignalWhen(isSo: (record: PublicationRecord) => boolean): AbortSignal {
      const controller = new AbortController();
      onChange = (changed) => {
        if (changed === undefined || isSo(changed)) {
          controller.abort();
        }
      };
      return controller.signal;
    },
  };
}

export type ClaimedPublication = ReturnType<typeof createClaimedPublication>;

/** What is to change; a function is given the row as it then is. */
export type Change = PublicationChanges | ((record: PublicationRecord) => PublicationChanges);

/** Brings what is claimed a step further: it has changed when this settles. `signal` asks to come to an end soon. */
export type Step = (claimed: ClaimedPublication, signal: AbortSignal) => Promise<void>;
