// Runs jobs on their cron schedules. It only decides when: a job works out what is due from the stored data and the
// time that it is given, so a missing or an extra run does no harm.
//
// This is the only file that imports node-cron, which reads the patterns and calculates their next times. The waiting
// is done here: after the clock was set ahead, node-cron's own timer would step through every missed time, which takes
// seconds of processor time for each day.
import { createTask } from "node-cron";
import { waitAtMost } from "../core/clock.ts";
import { type Meter, noMeter } from "../core/meter.ts";
import type { Platform } from "../core/ports.ts";
import { createRuns } from "../core/runs.ts";
import type { Coordinator } from "./lease-coordinator.ts";

export interface Job {
  /** The job's unique name, for the log. */
  readonly name: string;
  /** A cron pattern with seconds, in UTC. */
  readonly pattern: string;
  /** Whether every process runs it, also one that does not run the other jobs (default: false). */
  readonly everyProcess?: boolean;
  /** Stuck after this long without progress, not counting time in which the process is suspended; default 5 minutes. */
  readonly stuckAfterMs?: number;
  /** Calls `progress` whenever a part is done. A failure is logged, and the next run follows as usual. */
  run(nowMs: number, progress: () => void): Promise<void>;
}

export type Jobs = ReturnType<typeof startJobs>;

export interface JobsOptions extends Pick<Platform, "clock" | "log"> {
  readonly jobs: readonly Job[];
  /** Present if several processes have the same jobs. */
  readonly coordinator?: Coordinator | undefined;
  /** Default: nothing is counted. */
  readonly meter?: Meter;
  /**
   * Called once, when a job is stuck, with its name, or with `lease` if it cannot be found out which process runs the
   * jobs. No job runs from then on. This process should exit; another one takes over.
   */
  readonly onStuck?: (job: string) => void;
}

/** If the database takes longer, it is away, and the lease runs out anyway. */
const MAX_RENEWAL_MS = 1_000;
/** Every request of a job times out much sooner. */
const STUCK_AFTER_MS = 5 * 60_000;

/** Starts the jobs. From now on, each runs at the times of its pattern, by the machine's clock, and never twice at a time. */
export function startJobs({ jobs, coordinator, clock, log, meter = noMeter, onStuck }: JobsOptions) {
  let isStopped = false;
  let stuckJob: string | undefined;
  let asking: Promise<boolean> | undefined;
  const runs = jobs.map((job) => ({ job, ...createRuns(() => runOnce(job)) }));
  const stops = runs.map(({ job, join }) =>
    followPattern(job.pattern, async () => {
      // Asked even during a run, because a run that lasts longer than the lease must renew it.
      if (job.everyProcess === true || (await mayRun())) {
        await join();
      }
    }),
  );

  function stopTicking(): void {
    isStopped = true;
    for (const stop of stops) {
      stop();
    }
  }

  function reportStuck(name: string): void {
    if (isStopped) {
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
    const watch = watchProgress(job.stuckAfterMs ?? STUCK_AFTER_MS, () => reportStuck(job.name));
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

  /** Whether the coordinator failed the last time; a lasting failure is logged once. */
  let isLeaseUnknown = false;

  async function askCoordinator(): Promise<boolean> {
    const watch = watchProgress(STUCK_AFTER_MS, () => reportStuck("lease"));
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

  /** Whether this process runs the jobs. Simultaneous calls share one request. */
  async function mayRun(): Promise<boolean> {
    if (isStopped) {
      return false;
    }
    asking ??= askCoordinator().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    /** Runs now what the next tick would run, after any run under way. Never throws. */
    async tick(): Promise<void> {
      const may = await mayRun();
      const due = runs.filter(({ job }) => may || job.everyProcess === true);
      await Promise.all(due.map(({ again }) => again()));
    },
    /** Ends the ticks. Runs under way get up to `graceMs` to finish. Never throws. */
    async stop(graceMs = 0): Promise<void> {
      stopTicking();
      if (graceMs > 0) {
        const awaited = runs.filter(({ job }) => job.name !== stuckJob).map(({ ended }) => ended());
        await Promise.all([
          waitAtMost(clock, graceMs, Promise.all(awaited), []),
          // A renewal under way would take the lease again after its release.
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

/** With longer timers, the scheduler would notice too late that the clock was set. */
const MAX_WAIT_MS = 60_000;
/** Timers end early by less than this, measured on the clock, which may be a little slower than they are. */
const EARLY_MS = 1_000;

/**
 * Calls `tick` at the times of a pattern. Timers do not follow the clock: if it is set while one waits, the tick comes
 * when the timer ends, at most a minute later, and the next time is calculated from the new clock. Returns a function
 * that stops it.
 */
function followPattern(pattern: string, tick: () => Promise<void>): () => void {
  // Never started; it only calculates the next times.
  const task = createTask(pattern, () => undefined, { timezone: "UTC" });
  // Deferred, because node-cron's first calculation takes 10 ms and would delay the start.
  let timer = setTimeout(wait, 0);

  /** `tickedForMs`: the time of the last tick, if the clock has not reached it yet. */
  function wait(tickedForMs?: number): void {
    const [first = Infinity, second = Infinity] = task.getNextRuns(2).map((date) => date.getTime());
    const dueMs = first === tickedForMs ? second : first;
    // On a busy machine, the time may have passed already.
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

/** The number of checks without progress after which a job is stuck. */
const CHECKS = 10;

/** Counts checks instead of time: after the machine slept or the process was stopped, only one check follows. */
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
