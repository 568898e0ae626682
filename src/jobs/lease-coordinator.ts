// Which of several processes does what is due. The lease only saves the others the work: a process that stalls may
// believe that it still holds it. What must not be done twice is claimed in the database before it is done.
import { randomUUID } from "node:crypto";
import type { Log } from "../core/log.ts";
import type { LeasesTable } from "../storage/leases-table.ts";

/** Decides which process runs jobs. */
export type Coordinator = Pick<ReturnType<typeof createLeaseCoordinator>, "mayRun" | "release">;

/**
 * A bit less than two ticks of ten seconds: the second one that a dead holder misses finds the lease free, whichever
 * process comes some milliseconds earlier.
 */
const LEASE_MS = 18_000;

const LEASE = "jobs";

export function createLeaseCoordinator({
  leases,
  isOutdated,
  log,
}: {
  readonly leases: LeasesTable;
  /** Whether a newer program has changed the database. */
  readonly isOutdated: () => Promise<boolean>;
  readonly log: Log;
}) {
  const holder = randomUUID();
  let isHolder = false;
  let wasOutdated = false;

  /** Gives the right up, so that another process need not wait for it. */
  async function release(): Promise<void> {
    isHolder = false;
    await leases.release([LEASE], holder);
  }

  return {
    /** Whether this process might when it last asked. */
    isHolder: () => isHolder,
    /** Whether this process may; asking keeps the right to for a while. Throws what the storage throws. */
    async mayRun(): Promise<boolean> {
      if (await isOutdated()) {
        if (!wasOutdated) {
          wasOutdated = true;
          log.warn({}, "a newer version has migrated the database; this process leaves the jobs to it");
          await release();
        }
        return false;
      }
      const mayRun = await leases.take(LEASE, holder, LEASE_MS);
      if (mayRun !== isHolder) {
        isHolder = mayRun;
        log.info({ holder }, mayRun ? "this process runs the jobs now" : "another process runs the jobs now");
      }
      return mayRun;
    },
    release,
  };
}
