// Decides which of several processes runs the jobs. The lease only saves the others the work: a process that stalls may
// believe that it still has the lease. Work that must not be done twice is claimed in the database before it is done.
import { randomUUID } from "node:crypto";
import type { Log } from "../core/log.ts";
import type { LeasesTable } from "../storage/leases-table.ts";

export type Coordinator = Pick<ReturnType<typeof createLeaseCoordinator>, "mayRun" | "release">;

/**
 * Just under two ticks of ten seconds: if the holder dies, the lease is free at the second tick, even if that one is
 * early.
 */
const LEASE_MS = 18_000;

const LEASE = "jobs";

export function createLeaseCoordinator(deps: {
  readonly leases: Pick<LeasesTable, "take" | "release">;
  /** Whether a newer version has migrated the database. */
  readonly isOutdated: () => Promise<boolean>;
  readonly log: Log;
}) {
  const { leases, isOutdated, log } = deps;
  const holder = randomUUID();
  let isHolder = false;
  let wasOutdated = false;

  /** Releases the lease, so that another process need not wait for it to run out. */
  async function release(): Promise<void> {
    isHolder = false;
    await leases.release([LEASE], holder);
  }

  async function take(): Promise<boolean> {
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
  }

  return {
    isHolder: () => isHolder,
    /** Takes or renews the lease. Returns whether this process may run the jobs. Throws what the storage throws. */
    async mayRun(): Promise<boolean> {
      try {
        return await take();
      } catch (error) {
        // Another process may have the lease by now, and this one runs no jobs until it has renewed its own.
        isHolder = false;
        throw error;
      }
    },
    release,
  };
}
