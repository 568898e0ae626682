// Claims, and the loop of those who deliver: what is due is claimed and worked on side by side, and the claims are renewed
// meanwhile. A claim is short, so that the work of a process that died is soon taken over. Now and then, the loop does some
// maintenance first.
import { type Clock, sleep } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { createRuns } from "../core/runs.ts";
import { chunk, createStartQueue, createRunningTasks } from "../core/running-tasks.ts";

/** A piece of work that this process has claimed. */
export interface Claim {
  /** Names what it is for: one piece of work at a time for each. */
  readonly key: string;
  /** Until when no other process can have taken it over, by the time that has passed here. */
  safeUntilElapsedMs: number;
}

/** Claims rows as they were read, or extends claims, in one transaction; returns those that nobody else has changed. */
export type WriteClaims<C extends Claim> = (claims: readonly C[], forMs: number) => Promise<ReadonlySet<C>>;

/** A piece of work takes no longer, even where every request of it waits for Discord and is repeated. */
const LONGEST_WORK_MS = 30 * 60_000;
/** Three beats: a claim that is renewed at each of them outlives two that do not come. */
const CLAIM_MS = 30_000;
/** How often, during work, claims are renewed, and what has become due meanwhile is begun. */
const RENEW_EVERY_MS = 10_000;
/** Worked on at once: four seconds' worth of Discord's limit, so that what is claimed is soon sent. */
export const MOST_AT_ONCE = 200;
/** The embedded database answers nobody else meanwhile, and nor does the process: some 10 ms. */
const CLAIMED_AT_ONCE = 50;

export type Claims<C extends Claim> = ReturnType<typeof createClaims<C>>;

/** The claims of one process. All of it throws as the database does, where nothing else is said. */
export function createClaims<C extends Claim>({
  write,
  clock,
  log,
}: {
  readonly write: WriteClaims<C>;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const inWork = new Set<string>();
  const renewed = new Set<C>();
  let renewal: Promise<void> = Promise.resolve();
  const underWay = createRunningTasks(clock);
  const inTurn = createStartQueue();
  const isSafe = ({ safeUntilElapsedMs }: C): boolean => clock.elapsed() < safeUntilElapsedMs;

  async function claim(part: readonly C[]): Promise<readonly C[]> {
    await inTurn();
    const safeUntilElapsedMs = clock.elapsed() + CLAIM_MS;
    const claimed = await write(part, CLAIM_MS);
    for (const each of part) {
      each.safeUntilElapsedMs = claimed.has(each) ? safeUntilElapsedMs : -Infinity;
    }
    return part.filter((each) => claimed.has(each));
  }

  /** One that another process has taken over is kept, but is no longer safe. */
  async function renewAll(): Promise<void> {
    for (const part of chunk([...renewed], CLAIMED_AT_ONCE)) {
      await claim(part);
    }
  }

  let isRenewing = false;

  /** Renews what is claimed, as long as there is any. */
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
    room: () => Math.max(0, MOST_AT_ONCE - inWork.size),

    /** Whether no other process can have taken it over: to be asked right before something is sent. */
    isSafe,

    /** Claims what is due, a part at a time; gives what no other process was quicker to claim. All of it must be begun. */
    async take(due: readonly C[]): Promise<readonly C[]> {
      const taken: C[] = [];
      for (const part of chunk(due, CLAIMED_AT_ONCE)) {
        try {
          taken.push(...(await claim(part)));
        } catch (error) {
          if (taken.length === 0) {
            throw error;
          }
          // What is claimed must be worked on. The next round meets the same trouble.
          break;
        }
      }
      for (const each of taken) {
        inWork.add(each.key);
        renewed.add(each);
      }
      return taken;
    },

    /** Works on a claim, or beside all claims. Never throws: a claim runs out by itself where the work fails. */
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

    /** Records how the work ended, which ends the claim. Tries again while the database is away. */
    async record(work: C, act: () => Promise<unknown>): Promise<void> {
      renewed.delete(work);
      await renewal;
      await retryStorage(clock, () => isSafe(work), act);
    },
  };
}

/**
 * Makes the run of a job: it does what is due and settles when all of it is done. Calls that overlap are not for one
 * process: the second one joins the first. `progress` is called as the work goes on, and no more where a piece of it never
 * ends. `step` begins what is due and returns whether some did not fit.
 */
export function createRun<C extends Claim>({
  claims,
  maintain,
  step,
}: {
  readonly claims: Claims<C>;
  /** As `createMaintenance` makes it. */
  readonly maintain: () => Promise<void>;
  readonly step: (isFirst: boolean) => Promise<boolean>;
}): (progress?: () => void) => Promise<void> {
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
      await underWay.waitUntilAtMost(isMore ? MOST_AT_ONCE / 2 : 0, RENEW_EVERY_MS);
    }
  }).join;
}

// The maintenance that a tick does now and then beside what is due.

const MAINTAINED_EVERY_MS = 60_000;
/** How long after a failure it is tried again. */
const MAINTENANCE_RETRY_MS = 10_000;
/** The clock was far off, or is; this process has just started; or another one did the work for a while. */
const JUMP_MS = 5 * 60_000;

/**
 * Makes the maintenance that a tick calls first. It never rejects: a failure is logged and tried again soon, and what is
 * due goes on meanwhile. `isAfterJump`: times that were worked out by the clock may be wrong. That is said twice after a
 * jump: some work may still be under way. `of`: whose maintenance it is, for the log.
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

// The database may be away for a moment. What is known about claimed work must not be lost because of that.

const PAUSE_MS = 1_000;

/** Retries once a second while the database is away and the claim is safe. `act` must be safe to repeat. */
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
