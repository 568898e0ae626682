// Shares the shards with the other processes in a fleet: the process that has a shard's lease runs the shard. A shard
// moves to another process together with its gateway session, so that no event is lost, and none is handled twice.
import { type Clock, sleep, waitAtMost } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { createRuns } from "../core/runs.ts";
import type { FactsTable } from "../storage/facts-table.ts";
import type { GatewaySession } from "../storage/gateway-sessions.ts";
import {
  type Fleet,
  SHARD_LEASE_MS,
  type ShardKey,
  type ShardLeasesTable,
  shardKey,
  shardOf,
} from "../storage/leases-table.ts";
import { type OldSession, createShardNumbering } from "./shard-numbering.ts";
import type { ShardRunner } from "./shard-runner.ts";

const REBALANCE_EVERY_MS = 2_000;
/** The interval while this process waits for a shard that another one is about to release, and after a failure. */
const REBALANCE_SOON_MS = 250;
/**
 * For this long after a renewal, a process is certain of its leases. Later, e.g. after it was suspended, it first
 * checks that it still has them. Another process can claim a shard four seconds later at the earliest. Discord waits
 * three seconds for an answer, so by then it no longer waits for anything that this process handled before.
 */
const CERTAIN_MS = SHARD_LEASE_MS - 4_000;
/** How long an event waits for the database if the process is not certain of its lease. */
const CONFIRM_TIMEOUT_MS = 500;
/**
 * How long a process that was alone waits for an unreachable database before it reconnects a shard. If it was suspended,
 * it learns in that time whether another process has its shards. Discord keeps a session for some minutes.
 */
const ALONE_WAIT_MS = 10_000;
/**
 * If a shard that was connected without the database is lost within this time, it waits for the database. If only this
 * process has lost the database, another may have started, and the two would take the session from each other.
 */
const TAKEN_WITHIN_MS = 60_000;
/** How long a stop waits for a renewal that is under way. */
const LEAVE_TIMEOUT_MS = 2_000;
/** How long the start waits for shards that others still run. */
const SHARE_WAIT_MS = 10_000;

interface FleetRunner extends Pick<
  ShardRunner,
  "start" | "stop" | "session" | "isServing" | "renumber" | "forgetGuilds"
> {
  readonly resumeOld: (session: GatewaySession) => OldSession;
}

/** How many shards this process should run. All processes calculate it from the same rows in the same way. */
export function shareOf(
  holder: string,
  { processes, leaving, holders }: Pick<Fleet, "processes" | "leaving" | "holders">,
  shardCount: number,
): number {
  const counts = new Map([holder, ...processes].map((process) => [process, 0]));
  let shared = shardCount;
  for (const process of holders.values()) {
    const count = counts.get(process);
    if (count !== undefined) {
      counts.set(process, count + 1);
    } else if (!leaving.has(process)) {
      // That process sets `SHARDS` itself, and its shards are not shared.
      shared -= 1;
    }
  }
  // Processes with the most shards keep the remainder, so that as few shards as possible move.
  const ranked = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const place = ranked.findIndex(([process]) => process === holder);
  return Math.floor(shared / counts.size) + (place < shared % counts.size ? 1 : 0);
}

export function createShardFleet(deps: {
  readonly runner: FleetRunner;
  readonly leases: Omit<ShardLeasesTable, "takeIdentify" | "endIdentify">;
  readonly facts: Pick<FactsTable, "storeIfAbsent" | "read" | "change">;
  readonly sealSession: (session: GatewaySession) => string;
  /** Empty if the stored text can no longer be read. */
  readonly openSession: (stored: string) => readonly GatewaySession[];
  readonly holder: string;
  readonly clock: Pick<Clock, "after" | "elapsed">;
  readonly log: Log;
}) {
  const { runner, leases, facts, sealSession, openSession, holder, clock, log } = deps;
  const held = new Set<number>();
  let hasJoined = false;
  let count = 0;
  /** The number of the last event of each session in the database, by session id. */
  let saved: ReadonlyMap<string, number> = new Map();
  let certainUntilMs = -Infinity;
  let hasOthers = false;
  let hasShare = false;
  let isRenewalFailing = false;
  /** When this process last connected a shard without the database, by shard, since the database last answered. */
  const connectedAloneAtMs = new Map<number, number>();
  let isLeaving = false;
  let cancelRebalance: (() => void) | undefined;
  const serving = Promise.withResolvers<void>();
  let waitsForShare = true;

  const isLeaseCertain = (): boolean => clock.elapsed() < certainUntilMs;

  function checkServing(): void {
    const isServing = [...held].every((shard) => runner.isServing(shard));
    if ((hasShare || !waitsForShare) && isServing) {
      serving.resolve();
    }
  }

  const numbering = createShardNumbering({
    leases,
    facts,
    holder,
    resume: runner.resumeOld,
    openSession,
    onEnd: runner.forgetGuilds,
    log,
  });

  async function rebalanceOnce(): Promise<void> {
    const sinceMs = clock.elapsed();
    const sessions = readSessions();
    const renewed = await leases.renew(
      holder,
      new Map([...sessions].map(([key, session]) => [key, sealed(session)])),
    );
    saved = new Map(
      [...sessions].flatMap(([key, session]) =>
        session && renewed.has(key) ? [[session.sessionId, session.sequence] as const] : [],
      ),
    );
    certainUntilMs = sinceMs + CERTAIN_MS;
    connectedAloneAtMs.clear();
    numbering.retain(renewed);
    const lost = [...held].filter((shard) => !renewed.has(shardKey(shard, count)));
    await Promise.all(lost.map((shard) => stopLost(shard)));
    const wanted = await numbering.read();
    if (wanted !== count && !isLeaving) {
      await renumber(wanted);
    }
    const fleet = await leases.read(count);
    hasOthers = fleet.processes.size > 1;
    const share = shareOf(holder, fleet, count);
    if (held.size < share) {
      await claim(fleet.free.slice(0, share - held.size));
    } else {
      await Promise.all(chooseSurplus(held.size - share).map(release));
    }
    hasShare = held.size === share;
    checkServing();
    if (!isLeaving) {
      await numbering.advance(fleet);
    }
  }

  async function renumber(wanted: number): Promise<void> {
    const shards = [...held];
    // Events of a shard are handled until it has stopped.
    const sessions = await runner.renumber(wanted);
    held.clear();
    numbering.keep(shards, count, sessions);
    count = wanted;
  }

  function readSessions(): ReadonlyMap<ShardKey, GatewaySession | undefined> {
    const own = [...held].map((shard) => [shardKey(shard, count), runner.session(shard)] as const);
    return new Map([...own, ...numbering.sessions()]);
  }

  const sealed = (session: GatewaySession | undefined): string | null =>
    session === undefined ? null : sealSession(session);

  async function stopLost(shard: number): Promise<void> {
    held.delete(shard);
    log.warn({ shard }, "shard lease lost");
    await runner.stop(shard);
  }

  async function claim(wanted: readonly number[]): Promise<void> {
    if (wanted.length === 0 || isLeaving) {
      return;
    }
    const claimed = await leases.claim(
      holder,
      wanted.map((shard) => shardKey(shard, count)),
    );
    const shards = [...claimed.keys()].map(shardOf);
    if (shards.length === 0) {
      return;
    }
    const left = [...claimed.values()].flatMap((session) => (session === null ? [] : openSession(session)));
    const usable = left.filter(({ shardCount }) => shardCount === count);
    const sessions = new Map(usable.map((session) => [session.shardId, session]));
    log.info({ shards, sessions: sessions.size }, "shards leased");
    for (const shard of shards) {
      held.add(shard);
      runner.start(shard, sessions.get(shard));
    }
  }

  /** First those that do not serve yet, then the highest numbers: the process of shard 0 registers the commands. */
  function chooseSurplus(most: number): readonly number[] {
    return [...held]
      .toSorted(
        (one, other) => Number(runner.isServing(one)) - Number(runner.isServing(other)) || other - one,
      )
      .slice(0, Math.max(0, most));
  }

  async function release(shard: number): Promise<void> {
    const session = await runner.stop(shard);
    try {
      await leases.release(holder, shardKey(shard, count), sealed(session));
      held.delete(shard);
      log.info({ shard }, "shard released");
    } catch (error) {
      if (isLeaving) {
        throw error;
      }
      log.warn({ error, shard }, "shard not released");
      // If only the answer was lost, another process may already have the shard.
      certainUntilMs = -Infinity;
      runner.start(shard, session);
    }
  }

  const rebalances = createRuns(rebalanceOnce);

  /** Renews the leases, and claims or releases shards. Throws as the database does. */
  async function rebalance(): Promise<void> {
    if (!isLeaving) {
      await rebalances.join();
    }
  }

  async function keepRebalancing(): Promise<void> {
    let waitMs = REBALANCE_SOON_MS;
    try {
      await rebalance();
      waitMs = hasShare ? REBALANCE_EVERY_MS : REBALANCE_SOON_MS;
      if (isRenewalFailing) {
        isRenewalFailing = false;
        log.info({}, "shard leases renewed again");
      }
    } catch (error) {
      if (!isRenewalFailing) {
        isRenewalFailing = true;
        log.warn({ error }, "shard leases not renewed");
      }
    }
    if (!isLeaving) {
      cancelRebalance = clock.after(waitMs, () => void keepRebalancing());
    }
  }

  /** Whether this process still has the shard. If the database does not answer, assumes so. */
  async function confirm(shard: number): Promise<boolean> {
    // A renewal under way may have been sent before this process was suspended.
    const looked = rebalance()
      .then(() => (isLeaseCertain() ? undefined : rebalance()))
      .catch(() => undefined);
    await waitAtMost(clock, CONFIRM_TIMEOUT_MS, looked, undefined);
    return held.has(shard);
  }

  return {
    /** Returns how many shards the fleet has; the first process decides. Throws as the database does. */
    agree: (wanted: number): Promise<number> => numbering.agree(wanted),
    /** Makes the fleet grow to this many shards; it never shrinks. Throws as the database does. */
    propose: (wanted: number): Promise<void> => numbering.propose(wanted),

    /** Claims this process's share of the shards and adjusts it from then on. Resolves when its shards serve. */
    async join(shardCount: number): Promise<void> {
      await leases.forgetEnded();
      hasJoined = true;
      count = shardCount;
      const stopWaiting = clock.after(SHARE_WAIT_MS, () => {
        waitsForShare = false;
        checkServing();
      });
      await keepRebalancing();
      await serving.promise;
      stopWaiting();
    },

    /** Call it when a shard has begun to serve. */
    noteChange: checkServing,

    /** Whether this process should handle an event of a shard; `id` is the interaction's or the message's. */
    handles: (shard: number, id: string): boolean | Promise<boolean> =>
      held.has(shard) && numbering.counts(count, id) && (isLeaseCertain() || confirm(shard)),
    /** Whether this process should handle an event of an old shard, while the fleet grows. */
    handlesOld: (id: string): boolean => numbering.countsAsOld(id),

    /**
     * Whether this process has the shard; resolves when that is certain. While the database is unreachable, it waits:
     * another process may run the shard. Only one that was alone connects without it (ALONE_WAIT_MS, TAKEN_WITHIN_MS).
     */
    async mayConnect(shard: number): Promise<boolean> {
      const lostAtMs = clock.elapsed();
      const mayBeTaken = lostAtMs < (connectedAloneAtMs.get(shard) ?? -Infinity) + TAKEN_WITHIN_MS;
      const mayStay = (): boolean => held.has(shard) && !isLeaving;
      const mayGoAlone = (): boolean =>
        !hasOthers && !mayBeTaken && clock.elapsed() >= lostAtMs + ALONE_WAIT_MS;
      while (mayStay() && !isLeaseCertain() && !mayGoAlone()) {
        await confirm(shard);
        if (!isLeaseCertain()) {
          await sleep(clock, REBALANCE_SOON_MS);
        }
      }
      if (!isLeaseCertain()) {
        connectedAloneAtMs.set(shard, clock.elapsed());
      }
      return mayStay();
    },

    savedSequence: (sessionId: string): number | null => saved.get(sessionId) ?? null,

    /** Whether the old shards still serve beside the new ones. */
    isGrowing: (): boolean => numbering.isGrowing(),

    shards: (): readonly number[] => [...held].toSorted((one, other) => one - other),

    isJoined: (): boolean => hasJoined && !isLeaving,
    hasOthers: (): boolean => hasOthers,

    /** Releases all shards to the other processes. Never throws. */
    async leave(): Promise<void> {
      isLeaving = true;
      cancelRebalance?.();
      serving.resolve();
      await waitAtMost(clock, LEAVE_TIMEOUT_MS, rebalances.ended(), undefined);
      if (!hasJoined) {
        return;
      }
      try {
        await leases.leave(holder);
        if (hasOthers) {
          // By then, the others check for free shards four times a second.
          await sleep(clock, REBALANCE_EVERY_MS + REBALANCE_SOON_MS);
        }
      } catch (error) {
        log.warn({ error }, "shard leases not released; they will run out");
      }
      const left = await Promise.allSettled([numbering.leave(sealed), ...[...held].map(release)]);
      const failures = left.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
      if (failures.length > 0) {
        log.warn({ error: failures[0], shards: failures.length }, "gateway sessions not kept");
      }
    },
  };
}
