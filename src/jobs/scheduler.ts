// What the bot does by itself, again and again. The one door to node-cron, which only says when: what is due then, a
// job works out from what is stored and the clock that it is given. So a tick too many or too few does no harm.
import { schedule, type ScheduledTask } from "node-cron";
import { sleep, type Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import type { Coordinator } from "../services/leases/lease-coordinator.ts";

/** Something that is done again and again. */
export interface Job {
  /** Unique among jobs; for the log. */
  readonly name: string;
  /** Cron with seconds, in the process's zone, which is UTC. */
  readonly pattern: string;
  /** Does what is due. A failure is logged, and the next tick comes all the same. */
  run(nowMs: number): Promise<void>;
}

/** Jobs that run. */
export interface Jobs {
  /** What the next tick would do, now; after what is under way. Never throws. */
  tick(): Promise<void>;
  /** No tick comes after this; a run under way gets up to `graceMs` (default 0) to end. Never throws. */
  stop(graceMs?: number): Promise<void>;
}

/** What jobs are started with. */
export interface JobsOptions {
  readonly jobs: readonly Job[];
  /** Where several processes have the same jobs. */
  readonly coordinator?: Coordinator | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Default nobody counts. */
  readonly meter?: Meter;
}

/** node-cron says nothing that is not logged here: failures are caught before it, and missed ticks do no harm. */
const SILENT = { info() {}, warn() {}, error() {}, debug() {} };

/** Starts the jobs: from now on each runs when its pattern says so, and never twice at a time. */
export function startJobs({ jobs, coordinator, clock, log, meter }: JobsOptions): Jobs {
  let isStopped = false;
  const runs = jobs.map((job) => ({ job, ...createRuns(() => runOnce(job)) }));
  const tasks = runs.map(({ job, join }) => startTask(job, join));

  async function runOnce(job: Job): Promise<void> {
    if (isStopped) {
      return;
    }
    const startedAtMs = clock.now();
    let outcome: "done" | "failed" = "done";
    try {
      await job.run(startedAtMs);
    } catch (error) {
      outcome = "failed";
      log.error({ error, job: job.name }, "a job failed; its next tick comes all the same");
    }
    meter?.ran(job.name, outcome, clock.now() - startedAtMs);
  }

  /** What cannot be found out for long is told once. */
  let isPuzzled = false;

  async function mayRun(): Promise<boolean> {
    try {
      const may = coordinator === undefined || (await coordinator.mayRun());
      if (isPuzzled) {
        isPuzzled = false;
        log.info({}, "it is known again which process runs the jobs");
      }
      return may;
    } catch (error) {
      if (!isPuzzled) {
        isPuzzled = true;
        log.warn(
          { error },
          "it could not be found out which process runs the jobs; none runs until it is known",
        );
      }
      return false;
    }
  }

  function startTask({ name, pattern }: Job, join: () => Promise<void>): ScheduledTask {
    const task = schedule(pattern, join, {
      name,
      noOverlap: true,
      logger: SILENT,
      // It asks with a key for each tick and a time to live; the lease is one for all ticks and has its own.
      ...(coordinator !== undefined && { distributed: true, runCoordinator: { shouldRun: mayRun } }),
    });
    // A run that lasts longer than the lease must keep it: node-cron asks only before a run.
    task.on("execution:overlap", async () => void (await mayRun()));
    return task;
  }

  return {
    async tick() {
      if (await mayRun()) {
        await Promise.all(runs.map(({ again }) => again()));
      }
    },
    async stop(graceMs = 0) {
      isStopped = true;
      for (const task of tasks) {
        await task.destroy();
      }
      if (graceMs > 0) {
        const patience = new AbortController();
        const given = sleep(clock, graceMs, patience.signal).catch(() => undefined);
        await Promise.race([Promise.all(runs.map(({ ended }) => ended())), given]);
        patience.abort();
      }
      try {
        await coordinator?.release();
      } catch (error) {
        log.warn({ error }, "the jobs could not be handed over; another process follows by itself");
      }
    },
  };
}

/** Runs of one job, of which there is never more than one at a time. */
interface Runs {
  /** Runs, or joins the run under way. */
  readonly join: () => Promise<void>;
  /** Runs from now on: a run under way may have passed over what is due since. */
  readonly again: () => Promise<void>;
  /** Settles when no run is under way. */
  readonly ended: () => Promise<void>;
}

/** `run` must not throw. */
function createRuns(run: () => Promise<void>): Runs {
  let underWay: Promise<void> | undefined;

  async function begin(): Promise<void> {
    await run();
    underWay = undefined;
  }

  const join = (): Promise<void> => (underWay ??= begin());

  async function again(): Promise<void> {
    if (underWay === undefined) {
      await join();
    } else {
      await underWay;
      // Another that waited may have been first.
      await again();
    }
  }

  return { join, again, ended: async () => underWay };
}
