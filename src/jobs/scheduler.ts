// What the bot does by itself, again and again. It only says when: what is due then, a job works out from what is stored
// and the clock that it is given, so a run too many or too few does no harm.
//
// The only importer of node-cron, which reads the patterns and knows the next time of each. The waiting is done here:
// after the clock was set ahead, node-cron's own timer would step through every time that was passed over, which takes
// seconds of processor time for each day.
import { createTask } from "node-cron";
import { type Clock, waitAtMost } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Meter, noMeter } from "../core/meter.ts";
import { createRuns } from "../core/runs.ts";
import type { Coordinator } from "./lease-coordinator.ts";

/** Something that is done again and again. */
export interface Job {
  /** Unique among jobs; for the log. */
  readonly name: string;
  /** Cron with seconds, in UTC. */
  readonly pattern: string;
  /** Runs in each process, whichever of them runs the jobs: for what only that process can do. Default false. */
  readonly everyProcess?: boolean;
  /**
   * A run that makes no progress for this long is stuck; default 5 minutes. Time in which the process does not run is not
   * counted.
   */
  readonly stuckAfterMs?: number;
  /**
   * Does what is due, and calls `progress` whenever a part of it is done. A failure is logged, and the next run comes all
   * the same.
   */
  run(nowMs: number, progress: () => void): Promise<void>;
}

export type Jobs = ReturnType<typeof startJobs>;

export interface JobsOptions {
  readonly jobs: readonly Job[];
  /** Where several processes have the same jobs. */
  readonly coordinator?: Coordinator | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Default nobody counts. */
  readonly meter?: Meter;
  /**
   * Called once, when a job is stuck, with its name, or `lease` where it cannot be read which process runs the jobs. No job
   * runs from then on, and another process takes over: this one should end.
   */
  readonly onStuck?: (job: string) => void;
}

/** A database that takes longer is away, and the lease runs out by itself. */
const MAX_RENEWAL_MS = 1_000;
/** Every request that a job makes ends by itself much sooner. */
const STUCK_AFTER_MS = 5 * 60_000;

/** Starts the jobs: from now on each runs when its pattern says so, on the machine's clock, and never twice at a time. */
export function startJobs({ jobs, coordinator, clock, log, meter = noMeter, onStuck }: JobsOptions) {
  let isStopped = false;
  let stuckJob: string | undefined;
  let asking: Promise<boolean> | undefined;
  const runs = jobs.map((job) => ({ job, ...createRuns(() => runOnce(job)) }));
  const ticking = runs.map(({ job, join }) =>
    followPattern(job.pattern, async () => {
      // Asked again while a run goes on: a run that lasts longer than the lease must renew it.
      if (job.everyProcess === true || (await mayRun())) {
        await join();
      }
    }),
  );

  function stopTicking(): void {
    isStopped = true;
    for (const stop of ticking) {
      stop();
    }
  }

  function giveUp(name: string): void {
    if (stuckJob !== undefined || isStopped) {
      return;
    }
    stuckJob = name;
    stopTicking();
    log.error({ job: name }, "job stuck");
    onStuck?.(name);
  }

  async function runOnce(job: Job): Promise<void> {
    if (isStopped) {
      return;
    }
    const startedAtMs = clock.elapsed();
    const watch = watchProgress(job.stuckAfterMs ?? STUCK_AFTER_MS, () => giveUp(job.name));
    let outcome: "done" | "failed" = "done";
    try {
      await job.run(clock.now(), watch.progress);
    } catch (error) {
      outcome = "failed";
      log.error({ error, job: job.name }, "job failed; its next tick follows");
    }
    watch.end();
    meter.count("job_runs_total", { name: job.name, outcome });
    meter.time("job_duration_seconds", { name: job.name }, clock.elapsed() - startedAtMs);
  }

  /** A coordinator that cannot answer for long is logged once. */
  let isLeaseUnknown = false;

  async function askCoordinator(): Promise<boolean> {
    const watch = watchProgress(STUCK_AFTER_MS, () => giveUp("lease"));
    try {
      const may = coordinator === undefined || (await coordinator.mayRun());
      if (isLeaseUnknown) {
        isLeaseUnknown = false;
        log.info({}, "jobs lease readable again");
      }
      return may;
    } catch (error) {
      if (!isLeaseUnknown) {
        isLeaseUnknown = true;
        log.warn({ error }, "jobs lease not readable; jobs wait");
      }
      return false;
    } finally {
      watch.end();
    }
  }

  /** Whether this process runs the jobs; asked once for all who want to know at the moment. */
  async function mayRun(): Promise<boolean> {
    if (isStopped) {
      return false;
    }
    asking ??= askCoordinator().finally(() => {
      asking = undefined;
    });
    return (await asking) && !isStopped;
  }

  return {
    /** What the next tick would do, now; after what is under way. Never throws. */
    async tick(): Promise<void> {
      const may = await mayRun();
      const due = runs.filter(({ job }) => may || job.everyProcess === true);
      await Promise.all(due.map(({ again }) => again()));
    },
    /** No tick comes after this; a run under way gets up to `graceMs` to end. Never throws. */
    async stop(graceMs = 0): Promise<void> {
      stopTicking();
      if (graceMs > 0) {
        const awaited = runs.filter(({ job }) => job.name !== stuckJob).map(({ ended }) => ended());
        await Promise.all([
          waitAtMost(clock, graceMs, Promise.all(awaited), []),
          // A lease that is being renewed would be there again after its release.
          asking && waitAtMost(clock, Math.min(graceMs, MAX_RENEWAL_MS), asking, false),
        ]);
      }
      try {
        await coordinator?.release();
      } catch (error) {
        log.warn({ error }, "jobs lease not released; it will run out");
      }
    },
  };
}

/** A timer that waits for longer would notice late that the clock was set. */
const MAX_WAIT_MS = 60_000;
/** Timers end early by less, measured on the clock, which may be a little slower than they are. */
const EARLY_MS = 1_000;

/**
 * Calls `tick` whenever the pattern's time has come. Timers do not follow the clock: where that is set while one waits,
 * the tick comes when the timer ends, at most a minute later, and the next one is worked out from what the clock says
 * then. Returns what ends it.
 */
function followPattern(pattern: string, tick: () => Promise<void>): () => void {
  // Never started: it is only asked when it would run.
  const task = createTask(pattern, () => undefined, { timezone: "UTC" });
  // Not at once: the first of all takes node-cron 10 ms, for which the start would wait.
  let timer = setTimeout(wait, 0);

  /** `tickedForMs`: the time that was just ticked for, though the clock does not say so yet. */
  function wait(tickedForMs?: number): void {
    const [first = Infinity, second = Infinity] = task.getNextRuns(2).map((date) => date.getTime());
    const dueMs = first === tickedForMs ? second : first;
    // On a busy machine it may be due by the time that it is known.
    const waitMs = Math.max(0, dueMs - Date.now());
    timer = setTimeout(
      () => {
        const leftMs = dueMs - Date.now();
        const isDue = waitMs <= MAX_WAIT_MS || leftMs <= 0;
        if (isDue) {
          void tick();
        }
        wait(isDue && leftMs < EARLY_MS ? dueMs : undefined);
      },
      Math.min(waitMs, MAX_WAIT_MS),
    );
  }

  return () => {
    clearTimeout(timer);
    void task.destroy();
  };
}

/** So many checks for progress until a job is stuck. */
const CHECKS = 10;

/**
 * Calls `onStuck` when there was no progress for this long. It counts checks, not time: of a machine that slept, or a process
 * that was stopped, only one comes, however long that lasted.
 */
function watchProgress(stuckAfterMs: number, onStuck: () => void) {
  let checks = 0;
  const timer = setInterval(() => {
    checks += 1;
    if (checks === CHECKS) {
      onStuck();
    }
  }, stuckAfterMs / CHECKS);
  return { progress: () => void (checks = 0), end: () => clearInterval(timer) };
}
