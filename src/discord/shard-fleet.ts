// Shares the shards with the other processes of a fleet: each shard is run by the process that has its lease. Shards go from
// process to process with their gateway sessions, so that nothing is lost between two, and nothing comes to both.
import { type Clock, sleep, waitAtMost } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { FactsTable } from "../storage/facts-table.ts";
import type { GatewaySession } from "../storage/gateway-sessions.ts";
import { type Fleet, SHARD_LEASE_MS, type ShardLeasesTable } from "../storage/shard-leases-table.ts";
import type { ShardRunner } from "./shard-runner.ts";

const LOOK_EVERY_MS = 2_000;
/** While another process is about to free a shard for this one, and after a failure. */
const LOOK_SOON_MS = 250;
/**
 * A process that was suspended handles nothing after this, unless it still has the lease. What it handled before is older than
 * the three seconds that Discord waits for an answer when another process has the shard.
 */
const SURE_MS = SHARD_LEASE_MS - 4_000;
/** What comes to a process that is not sure waits so long for the database. */
const PATIENCE_MS = 500;
/** At a stop, what is under way gets so long. */
const LEAVE_PATIENCE_MS = 2_000;
/** So long the start waits for shards that others run. */
const SETTLE_MS = 10_000;

type FleetRunner = Pick<ShardRunner, "start" | "stop" | "session" | "isServing">;

/** How many of the shards are this process's part. Each process works it out alike from the same rows. */
export function shareOf(holder: string, { processes, holders }: Fleet, shardCount: number): number {
  const counts = new Map([holder, ...processes].map((process) => [process, 0]));
  let shared = shardCount;
  for (const [shard, process] of holders) {
    const count = counts.get(process);
    if (count !== undefined) {
      counts.set(process, count + 1);
    } else if (shard < shardCount) {
      // Its operator has chosen its shards.
      shared -= 1;
    }
  }
  // Those with most keep one more: the fewest shards move.
  const ranked = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const place = ranked.findIndex(([process]) => process === holder);
  return Math.floor(shared / counts.size) + (place < shared % counts.size ? 1 : 0);
}

export function createShardFleet({
  leases,
  facts,
  sealSession,
  openSession,
  takeKept,
  holder,
  clock,
  log,
}: {
  readonly leases: Omit<ShardLeasesTable, "takeIdentify">;
  readonly facts: Pick<FactsTable, "note" | "put">;
  readonly sealSession: (session: GatewaySession) => string;
  /** Those that can be used. */
  readonly openSession: (stored: string) => readonly GatewaySession[];
  /** The sessions that a process kept which leased no shards. Never throws. */
  readonly takeKept: (shards: readonly number[]) => Promise<readonly GatewaySession[]>;
  readonly holder: string;
  readonly clock: Pick<Clock, "after" | "elapsed">;
  readonly log: Log;
}) {
  const held = new Set<number>();
  let joined: { readonly runner: FleetRunner; readonly shardCount: number } | undefined;
  let sureUntilMs = -Infinity;
  let hasOthers = false;
  let isContent = false;
  let isUnknown = false;
  let isLeaving = false;
  let looking: Promise<void> | undefined;
  let cancelLook: (() => void) | undefined;
  const settled = Promise.withResolvers<void>();
  let isPatient = true;

  const isSure = (): boolean => clock.elapsed() < sureUntilMs;

  const mayStay = (shard: number): boolean => held.has(shard) && !isLeaving;

  function settleOnceServing(): void {
    const isServing = [...held].every((shard) => joined?.runner.isServing(shard));
    if ((isContent || !isPatient) && isServing) {
      settled.resolve();
    }
  }

  async function lookOnce({ runner, shardCount }: NonNullable<typeof joined>): Promise<void> {
    const sinceMs = clock.elapsed();
    const renewed = await leases.renew(holder, readSessions(runner));
    sureUntilMs = sinceMs + SURE_MS;
    await Promise.all([...held].filter((shard) => !renewed.has(shard)).map((shard) => lose(runner, shard)));
    const fleet = await leases.read();
    hasOthers = fleet.processes.size > 1;
    const share = shareOf(holder, fleet, shardCount);
    if (held.size < share) {
      const free = Array.from({ length: shardCount }, (_, shard) => shard).filter(
        (shard) => !fleet.holders.has(shard),
      );
      await claim(runner, free.slice(0, share - held.size));
    } else {
      await Promise.all(chooseSpare(runner, held.size - share).map((shard) => release(runner, shard)));
    }
    isContent = held.size === share;
    settleOnceServing();
  }

  function readSessions(runner: FleetRunner): ReadonlyMap<number, string | null> {
    return new Map([...held].map((shard) => [shard, sealed(runner.session(shard))]));
  }

  const sealed = (session: GatewaySession | undefined): string | null =>
    session === undefined ? null : sealSession(session);

  async function lose(runner: FleetRunner, shard: number): Promise<void> {
    held.delete(shard);
    log.warn({ shard }, "shard lease lost");
    await runner.stop(shard);
  }

  async function claim(runner: FleetRunner, wanted: readonly number[]): Promise<void> {
    const claimed =
      wanted.length === 0 || isLeaving
        ? new Map<number, string | null>()
        : await leases.claim(holder, wanted);
    const shards = [...claimed.keys()];
    if (shards.length === 0) {
      return;
    }
    const left = [...claimed.values()].flatMap((session) => (session === null ? [] : openSession(session)));
    const kept = left.length < shards.length ? await takeKept(shards) : [];
    const sessions = new Map([...kept, ...left].map((session) => [session.shardId, session]));
    log.info({ shards, sessions: sessions.size }, "shards leased");
    for (const shard of shards) {
      held.add(shard);
      runner.start(shard, sessions.get(shard));
    }
  }

  /** Those that serve nobody yet, then the last: shard 0, whose process registers the commands, moves least. */
  function chooseSpare(runner: FleetRunner, count: number): readonly number[] {
    return [...held]
      .toSorted(
        (one, other) => Number(runner.isServing(one)) - Number(runner.isServing(other)) || other - one,
      )
      .slice(0, Math.max(0, count));
  }

  async function release(runner: FleetRunner, shard: number): Promise<void> {
    const session = await runner.stop(shard);
    try {
      await leases.release(holder, shard, sealed(session));
      held.delete(shard);
      log.info({ shard }, "shard released");
    } catch (error) {
      if (isLeaving) {
        throw error;
      }
      log.warn({ error, shard }, "shard not released");
      runner.start(shard, session);
    }
  }

  /** One at a time. Throws as the database does. */
  function look(): Promise<void> {
    if (joined === undefined || isLeaving) {
      return Promise.resolve();
    }
    looking ??= lookOnce(joined).finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function goOnLooking(): Promise<void> {
    let waitMs = LOOK_SOON_MS;
    try {
      await look();
      waitMs = isContent ? LOOK_EVERY_MS : LOOK_SOON_MS;
      if (isUnknown) {
        isUnknown = false;
        log.info({}, "shard leases renewed again");
      }
    } catch (error) {
      if (!isUnknown) {
        isUnknown = true;
        log.warn({ error }, "shard leases not renewed");
      }
    }
    if (!isLeaving) {
      cancelLook = clock.after(waitMs, () => void goOnLooking());
    }
  }

  /** Whether this process may: where the database does not answer, nobody else can have taken the shard by it. */
  async function confirm(shard: number): Promise<boolean> {
    // What is under way may have been said before this process was suspended.
    const looked = look()
      .then(() => (isSure() ? undefined : look()))
      .catch(() => undefined);
    await waitAtMost(clock, PATIENCE_MS, looked, undefined);
    return held.has(shard);
  }

  return {
    /** How many shards there are: as many as this process wants if it is the first. Throws as the database does. */
    async agree(wanted: number): Promise<number> {
      const agreed = Number(await facts.note("shards", String(wanted)));
      if ((await leases.read()).processes.size === 0) {
        await facts.put("shards", String(wanted));
        return wanted;
      }
      if (agreed !== wanted) {
        log.warn({ shards: agreed, wanted }, "shard count differs from the fleet's");
      }
      return agreed;
    },

    /** Takes this process's share, now and from now on. Resolves when its shards serve. */
    async join(runner: FleetRunner, shardCount: number): Promise<void> {
      await leases.forgetEnded();
      joined = { runner, shardCount };
      const stopWaiting = clock.after(SETTLE_MS, () => {
        isPatient = false;
        settleOnceServing();
      });
      await goOnLooking();
      await settled.promise;
      stopWaiting();
    },

    /** Call it when a shard has begun to serve. */
    noteChange: settleOnceServing,

    /** Whether what comes for a shard is this process's to handle. */
    handles: (shard: number): boolean | Promise<boolean> => held.has(shard) && (isSure() || confirm(shard)),

    /** Resolves when that is known for certain. */
    async mayConnect(shard: number): Promise<boolean> {
      while (mayStay(shard) && !isSure()) {
        await confirm(shard);
        if (!isSure()) {
          await sleep(clock, LOOK_SOON_MS);
        }
      }
      return mayStay(shard);
    },

    /** Those of this process. */
    shards: (): readonly number[] => [...held].toSorted((one, other) => one - other),

    isJoined: (): boolean => joined !== undefined && !isLeaving,
    /** Whether others could take this process's shards. */
    hasOthers: (): boolean => hasOthers,

    /** Leaves its shards to the others. Never throws. */
    async leave(): Promise<void> {
      isLeaving = true;
      cancelLook?.();
      settled.resolve();
      await waitAtMost(
        clock,
        LEAVE_PATIENCE_MS,
        looking?.catch(() => undefined) ?? Promise.resolve(),
        undefined,
      );
      if (joined === undefined) {
        return;
      }
      const { runner } = joined;
      try {
        // First, so that the others take more than they had.
        await leases.leave(holder);
      } catch (error) {
        log.warn({ error }, "shard leases not released; they will run out");
      }
      const left = await Promise.allSettled([...held].map((shard) => release(runner, shard)));
      const failures = left.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
      if (failures.length > 0) {
        log.warn({ error: failures[0], shards: failures.length }, "gateway sessions not kept");
      }
    },
  };
}
