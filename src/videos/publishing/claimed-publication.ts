// Makes one change at a time to a claimed publication, and only at the revision that was last seen. If
// somebody else was faster, the row is read again, and a change that no longer fits is not made.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import pLimit from "p-limit";
import { ServiceError } from "../../core/errors.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { type Claim, createClaims, retryStorage } from "../../delivery/runner.ts";
import { changeWithAudit } from "./change-publication.ts";
import type { PublicationChanges, PublicationRecord, PublicationState } from "../publications-table.ts";

/** Another process has claimed the publication, or it no longer exists: nothing more may be done with it. */
export class ClaimLostError extends Error {
  override readonly name = "ClaimLostError";
}

/** A claim whose key is the publication's id. */
export interface PublicationClaim extends Claim {
  /** The row as it was read; once claimed, as it was right after the claim. */
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

/** `isSafe`: whether it is certain that no other process has claimed it. */
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

  /** Runs one action at a time, in the order of the calls. */
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    return limit(() => {
      if (isLost) {
        throw new ClaimLostError("it is no longer claimed");
      }
      return act();
    });
  }

  /** Writes as long as `mayStill` holds; returns whether it wrote. A final state gets an audit entry. */
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
        // If the row has these values already, the write succeeded and only its answer was lost. After a release the
        // row is not claimed any more, which `reread` reports.
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
    /** How many times somebody else has changed it in the meantime. */
    get foreignChanges() {
      return foreignChanges;
    },
    /** Changes it in any state: for facts that stay true, e.g. the id of its message. */
    changeAlways: async (changes: PublicationChanges) => void (await write(changes, () => true)),
    /** Changes it if it is still in this state; returns whether it was. A function receives the row as it then is. */
    change: (from: PublicationState, changes: Change): Promise<boolean> =>
      write(changes, () => record.state === from),
    isSafe,
    refresh: () => inTurn(reread),
    /** Releases it until that time. Returns `false` if somebody changed it in the meantime; then the claim continues. */
    release(nextAtMs: number | undefined): Promise<boolean> {
      const seen = foreignChanges;
      return write({ nextAtMs }, () => foreignChanges === seen, true);
    },
    /** Aborts once the claim is lost or somebody else's change fulfils `isSo`. Only the latest signal works. */
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

/** A function receives the row as it then is. */
export type Change = PublicationChanges | ((record: PublicationRecord) => PublicationChanges);

/** Brings it a step further; the row has changed when it settles. Should end soon when `signal` aborts. */
export type Step = (claimed: ClaimedPublication, signal: AbortSignal) => Promise<void>;
