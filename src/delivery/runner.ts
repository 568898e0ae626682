// Due work is claimed and done concurrently, and its claims are renewed meanwhile. Claims are short, so that
// another process soon takes over the work of a process that died.
import { type Clock, sleep } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { createRuns, createStartQueue, createRunningTasks } from "../core/runs.ts";
import { chunk } from "../core/pages.ts";

export interface Claim {
  /** There is only one piece of work with the same key at a time. */
  readonly key: string;
  /** Until when no other process can have claimed the work, in elapsed time. */
  safeUntilElapsedMs: number;
}

/** Makes or extends claims in one transaction; returns those whose rows no other process has changed. */
export type WriteClaims<C extends Claim> = (claims: readonly C[], forMs: number) => Promise<ReadonlySet<C>>;

/** Every piece of work is shorter than this, even if each of its requests waits for Discord and is repeated. */
const LONGEST_WORK_MS = 30 * 60_000;
/** Three renewals: a claim survives if two of them fail. */
const CLAIM_MS = 30_000;
/** How often, during work, claims are renewed and newly due work is begun. */
const RENEW_EVERY_MS = 10_000;
/** Four seconds' worth of Discord's limit, so that claimed work is soon sent. */
export const MAX_AT_ONCE = 200;
/** How many claims one transaction makes: some 10 ms, in which SQLite blocks the process. */
const CLAIMED_AT_ONCE = 50;

export type Claims<C extends Claim> = ReturnType<typeof createClaims<C>>;

/** The functions throw the database's errors unless their comments say otherwise. */
export function createClaims<C extends Claim>(deps: {
  readonly write: WriteClaims<C>;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { write, clock, log } = deps;
  const inWork = new Set<string>();
  const renewed = new Set<C>();
  let renewal: Promise<void> = Promise.resolve();
  const underWay = createRunningTasks(clock);
  const waitForTurn = createStartQueue();
  const isSafe = ({ safeUntilElapsedMs }: C): boolean => clock.elapsed() < safeUntilElapsedMs;

  async function claim(part: readonly C[]): Promise<readonly C[]> {
    await waitForTurn();
    const safeUntilElapsedMs = clock.elapsed() + CLAIM_MS;
    const claimed = await write(part, CLAIM_MS);
    for (const each of part) {
      each.safeUntilElapsedMs = claimed.has(each) ? safeUntilElapsedMs : -Infinity;
    }
    return part.filter((each) => claimed.has(each));
  }

  /** A claim that another process has taken over stays in the set, but is no longer safe. */
  async function renewAll(): Promise<void> {
    for (const part of chunk([...renewed], CLAIMED_AT_ONCE)) {
      await claim(part);
    }
  }

  let isRenewing = false;

  async function keepRenewing(): Promise<void> {
    if (isRenewing) {
      return;
    }
    isRenewing = true;
    while (renewed.size > 0) {
      await underWay.waitUntilAtMost(0, RENEW_EVERY_MS);
      renewal = renewAll().catch((error: unknown) => {
        log.warn({ error }, "claims not renewed, will retry");
      });
      await renewal;
    }
    isRenewing = false;
  }

  return {
    underWay,
    has: (key: string) => inWork.has(key),
    /** How many more may be claimed. */
    room: () => Math.max(0, MAX_AT_ONCE - inWork.size),

    /** Check this right before sending something. */
    isSafe,

    /** Claims due work, part by part; returns what no other process has claimed first. The caller must begin all of it. */
    async take(due: readonly C[]): Promise<readonly C[]> {
      const taken: C[] = [];
      for (const part of chunk(due, CLAIMED_AT_ONCE)) {
        try {
          taken.push(...(await claim(part)));
        } catch (error) {
          if (taken.length === 0) {
            throw error;
          }
          // The claimed part must be worked on. The next call will throw the error if it persists.
          break;
        }
      }
      taken.forEach((each) => renewed.add(each));
      return taken;
    },

    /** A string is the key of other work. Never throws: if the work fails, its claim expires. */
    begin(work: C | string, act: () => Promise<void>): void {
      const key = typeof work === "string" ? work : work.key;
      inWork.add(key);
      underWay.add(
        act()
          .catch((error: unknown) => log.error({ error, key }, "work failed; it will be claimed again"))
          .finally(() => {
            inWork.delete(key);
            if (typeof work !== "string") {
              renewed.delete(work);
            }
          }),
      );
      void keepRenewing();
    },

    /** Ends the claim. Retries while the database is unavailable. */
    async record(work: C, act: () => Promise<unknown>): Promise<void> {
      renewed.delete(work);
      await renewal;
      await retryStorage(clock, () => isSafe(work), act);
    },
  };
}

/**
 * Settles when all due work is done; a second call joins the first. Calls `progress` during the work, but
 * stops if a piece of work never ends. `step`: begins due work, and returns whether some did not fit.
 */
export function createRun<C extends Claim>(deps: {
  readonly claims: Claims<C>;
  readonly maintain: () => Promise<void>;
  readonly step: (isFirst: boolean) => Promise<boolean>;
}): (progress?: () => void) => Promise<void> {
  const { claims, maintain, step } = deps;
  const { underWay } = claims;
  return createRuns(async (progress) => {
    for (let isFirst = true; ; isFirst = false) {
      if (underWay.longestMs() < LONGEST_WORK_MS) {
        progress();
      }
      await maintain();
      const isMore = await step(isFirst);
      if (underWay.size === 0) {
        return;
      }
      await underWay.waitUntilAtMost(isMore ? MAX_AT_ONCE / 2 : 0, RENEW_EVERY_MS);
    }
  }).join;
}

const MAINTAINED_EVERY_MS = 60_000;
/** How long after a failure the maintenance is retried. */
const MAINTENANCE_RETRY_MS = 10_000;
/** After such a gap, the clock has jumped, this process has just started, or another one did the work for a while. */
const JUMP_MS = 5 * 60_000;

/**
 * A tick calls it first. Never rejects: a failure is logged and soon retried. `isAfterJump`: whether times
 * that were computed from the clock may be wrong; true twice after a jump, because the first time some work
 * may still be under way. `of`: whose maintenance it is, for the log.
 */
export function createMaintenance(
  { clock, log, of }: { clock: Clock; log: Log; of: string },
  maintain: (nowMs: number, isAfterJump: boolean) => Promise<void>,
): () => Promise<void> {
  let doneAtMs = -Infinity;
  let failedAtMs = -Infinity;
  let runsAfterJump = 0;
  return async () => {
    const nowMs = clock.now();
    const gapMs = Math.abs(nowMs - doneAtMs);
    if (gapMs < MAINTAINED_EVERY_MS || Math.abs(nowMs - failedAtMs) < MAINTENANCE_RETRY_MS) {
      return;
    }
    runsAfterJump = gapMs > JUMP_MS ? 2 : runsAfterJump;
    try {
      await maintain(nowMs, runsAfterJump > 0);
    } catch (error) {
      failedAtMs = nowMs;
      log.error({ error, of }, "maintenance failed");
      return;
    }
    runsAfterJump = Math.max(0, runsAfterJump - 1);
    doneAtMs = nowMs;
  };
}

// The database may be unavailable for a moment. The outcome of claimed work must not be lost because of that.

const PAUSE_MS = 1_000;

/** Retries once a second while the database is unavailable and the claim is safe. `act` must be safe to repeat. */
export async function retryStorage<T>(
  clock: Clock,
  isSafe: () => boolean,
  act: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.service !== "storage" || error.kind !== "unavailable") {
        throw error;
      }
      await sleep(clock, PAUSE_MS);
      if (!isSafe()) {
        throw error;
      }
    }
  }
}
