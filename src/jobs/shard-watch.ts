// Detects that another process runs one of this process's shards, e.g. one that was started with the same `SHARDS`.
// Both then get every interaction, and both ask the services for it. Each process has a lease on each of its shards. It
// also keeps processes with `SHARDS=auto` from running that shard (`discord/shard-fleet.ts`).
import { randomUUID } from "node:crypto";
import type { Platform } from "../core/ports.ts";
import { type LeasesTable, shardKey, shardName } from "../storage/leases-table.ts";

/** Three checks, ten seconds apart. */
const LEASE_MS = 30_000;

export type ShardWatch = ReturnType<typeof createShardWatch>;

export function createShardWatch(
  deps: Pick<Platform, "clock" | "log"> & {
    readonly leases: LeasesTable;
    readonly shards: readonly number[];
    readonly shardCount: number;
  },
) {
  const { leases, shards, shardCount, clock, log } = deps;
  const holder = randomUUID();
  const leaseOf = (shard: number): string => shardName(shardKey(shard, shardCount));
  /** Since when, in elapsed milliseconds, another process has had a shard's lease. */
  const refusedSince = new Map<number, number>();
  const duplicates = new Set<number>();

  /** A process that died leaves a lease that nobody renews, so only one that outlasts LEASE_MS is a duplicate's. */
  function noteRefusal(shard: number): void {
    const elapsedMs = clock.elapsed();
    const sinceMs = refusedSince.get(shard) ?? elapsedMs;
    refusedSince.set(shard, sinceMs);
    if (elapsedMs - sinceMs > LEASE_MS && !duplicates.has(shard)) {
      duplicates.add(shard);
      log.error({ shard }, "another process runs this shard too");
    }
  }

  return {
    /** Renews the leases, and logs which shards other processes run too. Throws as the database does. */
    async check(): Promise<void> {
      const taken = await leases.takeAll(shards.map(leaseOf), holder, LEASE_MS);
      for (const shard of shards) {
        if (taken.has(leaseOf(shard))) {
          refusedSince.delete(shard);
          if (duplicates.delete(shard)) {
            log.info({ shard }, "duplicate shard ended");
          }
        } else {
          noteRefusal(shard);
        }
      }
    },

    countDuplicates: (): number => duplicates.size,

    close: (): Promise<void> => leases.release(shards.map(leaseOf), holder),
  };
}
