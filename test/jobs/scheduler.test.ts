import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { noMeter } from "../../src/core/meter.ts";
import { startJobs, type Job, type JobsOptions } from "../../src/jobs/scheduler.ts";
import { createLeaseCoordinator, type Coordinator } from "../../src/jobs/lease-coordinator.ts";
import { openTestDatabase, createTestDatabase } from "../open.ts";
import { findDatabases } from "../support/databases.ts";
import { createStillClock } from "../support/still-clock.ts";
import { collectLog } from "../support/collect-log.ts";

const EACH_SECOND = "* * * * * *";
/** Never due during a test, unless that runs at midnight on New Year's Day. */
const HARDLY_EVER = "0 0 0 1 1 *";
const TICK_MS = 10_000;
const JOB_HOLDER = fileURLToPath(new URL("../support/job-holder.ts", import.meta.url));

function start(job: Partial<Job>, options: Partial<JobsOptions> = {}) {
  const { log, lines } = collectLog();
  const clock = createStillClock();
  const whole = {
    name: "test",
    pattern: HARDLY_EVER,
    stuckAfterMs: 60_000,
    run: async () => undefined,
    ...job,
  };
  const jobs = startJobs({ jobs: [whole], clock, log, ...options });
  onTestFinished(() => jobs.stop());
  return { jobs, clock, lines };
}

/** A job's work that continues until `end` is called. */
function createWork() {
  const ends: (() => void)[] = [];
  const counts = { begun: 0, atOnce: 0, most: 0 };
  return {
    counts,
    run: async (): Promise<void> => {
      counts.begun += 1;
      counts.atOnce += 1;
      counts.most = Math.max(counts.most, counts.atOnce);
      await new Promise<void>((resolve) => ends.push(resolve));
      counts.atOnce -= 1;
    },
    /** Ends the oldest run in progress. */
    end: () => ends.shift()?.(),
  };
}

/** A coordinator that gives this answer and counts how often it was asked. */
function answering(answer: () => boolean): Coordinator & { readonly counts: { asked: number } } {
  const counts = { asked: 0 };
  return {
    counts,
    async mayRun() {
      counts.asked += 1;
      return answer();
    },
    release: async () => undefined,
  };
}

describe("a job", () => {
  it("runs when its pattern says, and gets the time of the given clock", async () => {
    const runs: number[] = [];
    const { clock } = start({ pattern: EACH_SECOND, run: async (nowMs) => void runs.push(nowMs) });
    await expect.poll(() => runs.length).toBeGreaterThan(1);
    expect(new Set(runs)).toEqual(new Set([clock.now()]));
  });

  it("runs at once on a manual tick", async () => {
    let runs = 0;
    const { jobs } = start({ run: async () => void (runs += 1) });
    await jobs.tick();
    await jobs.tick();
    expect(runs).toBe(2);
  });

  it("that fails is logged, counted and continues to run", async () => {
    let runs = 0;
    const counted: unknown[] = [];
    const { jobs, lines } = start(
      {
        pattern: EACH_SECOND,
        run() {
          runs += 1;
          throw new Error("the signal is at danger");
        },
      },
      { meter: { ...noMeter, count: (name, labels) => void counted.push([name, labels]) } },
    );
    await jobs.tick();
    expect(counted[0]).toEqual(["job_runs_total", { name: "test", outcome: "failed" }]);
    await expect.poll(() => runs).toBeGreaterThan(2);
    expect(lines.join("\n")).toMatch(/"level":"error".*the signal is at danger/);
  });

  it("never overlaps itself: scheduled ticks skip a run in progress, and a manual tick waits for it", async () => {
    const { run, end, counts } = createWork();
    const coordinator = answering(() => true);
    const { jobs } = start({ pattern: EACH_SECOND, run }, { coordinator });
    await expect.poll(() => counts.begun).toBe(1);
    const byHand = jobs.tick();
    // The scheduler continues to ask, so that the lease is renewed during a long run.
    await expect.poll(() => coordinator.counts.asked).toBeGreaterThan(4);
    expect(counts.begun).toBe(1);
    end();
    await expect.poll(() => counts.begun).toBe(2);
    const stopped = jobs.stop();
    end();
    await Promise.all([byHand, stopped]);
    expect(counts).toEqual({ begun: 2, atOnce: 0, most: 1 });
  });

  it("runs only once more after several concurrent manual ticks", async () => {
    const { run, end, counts } = createWork();
    const { jobs } = start({ run });
    const ticks = Promise.all([jobs.tick(), jobs.tick(), jobs.tick()]);
    for (const begun of [1, 2]) {
      await expect.poll(() => counts.begun).toBe(begun);
      end();
    }
    await ticks;
    expect(counts).toEqual({ begun: 2, atOnce: 0, most: 1 });
  });
});

describe("stopping", () => {
  it("waits for a run in progress and starts no new one", async () => {
    const { run, end, counts } = createWork();
    const { jobs } = start({ run });
    const ticking = jobs.tick();
    await expect.poll(() => counts.begun).toBe(1);
    let isStopped = false;
    const stopping = jobs.stop(5_000).then(() => (isStopped = true));
    const late = jobs.tick();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    end();
    await Promise.all([ticking, stopping, late]);
    await jobs.tick();
    expect(counts).toEqual({ begun: 1, atOnce: 0, most: 1 });
  });

  it("releases the lease only after a renewal in progress has ended", async () => {
    const acts: string[] = [];
    const renewal = Promise.withResolvers<void>();
    const coordinator: Coordinator = {
      async mayRun() {
        await renewal.promise;
        acts.push("renewed");
        return true;
      },
      release: async () => void acts.push("released"),
    };
    const { jobs } = start({}, { coordinator });
    const tick = jobs.tick();
    const stopped = jobs.stop(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    renewal.resolve();
    await Promise.all([tick, stopped]);
    expect(acts.slice(0, 2)).toEqual(["renewed", "released"]);
  });

  it("does not wait longer than its time limit", async () => {
    const { run, counts } = createWork();
    const { jobs, clock } = start({ run });
    void jobs.tick();
    await expect.poll(() => counts.begun).toBe(1);
    const stopping = jobs.stop(5_000);
    await expect.poll(() => clock.waits()).toEqual([5_000]);
    clock.advance(5_000);
    await stopping;
    await jobs.stop();
    expect(clock.waits()).toEqual([]);
  });

  it("does not exceed its time limit during a renewal of the lease either", async () => {
    const { run, counts } = createWork();
    let asked = 0;
    const coordinator: Coordinator = {
      mayRun: () => (asked++ === 0 ? Promise.resolve(true) : new Promise(() => undefined)),
      release: async () => undefined,
    };
    const { jobs, clock } = start({ run }, { coordinator });
    void jobs.tick();
    await expect.poll(() => counts.begun).toBe(1);
    void jobs.tick();
    let isStopped = false;
    const stopping = jobs.stop(5_000).then(() => (isStopped = true));
    await expect.poll(() => clock.waits()).toContain(5_000);
    clock.advance(5_000);
    await expect.poll(() => isStopped).toBe(true);
    await stopping;
  });
});

describe("several processes", () => {
  it("run a job only in the one that may, on scheduled and manual ticks", async () => {
    const runs = { may: 0, mayNot: 0 };
    const idle = answering(() => false);
    start(
      { pattern: EACH_SECOND, run: async () => void (runs.may += 1) },
      { coordinator: answering(() => true) },
    );
    const { jobs } = start(
      { pattern: EACH_SECOND, run: async () => void (runs.mayNot += 1) },
      { coordinator: idle },
    );
    await jobs.tick();
    await expect.poll(() => idle.counts.asked).toBeGreaterThan(2);
    await expect.poll(() => runs.may).toBeGreaterThan(1);
    expect(runs.mayNot).toBe(0);
  });

  it("skip ticks while the coordinator fails, and log that once", async () => {
    let runs = 0;
    let isAway = true;
    const coordinator = answering(() => {
      if (isAway) {
        throw new Error("the database is away");
      }
      return true;
    });
    const { jobs, lines } = start({ run: async () => void (runs += 1) }, { coordinator });
    await jobs.tick();
    await jobs.tick();
    expect(runs).toBe(0);
    expect(lines).toEqual([expect.stringMatching(/"level":"warn".*the database is away/)]);
    isAway = false;
    await jobs.tick();
    await jobs.tick();
    expect(runs).toBe(2);
    expect(lines.slice(1)).toEqual([expect.stringMatching(/"level":"info".*readable again/)]);
  });

  it("all run a job that every process should run, on scheduled and manual ticks", async () => {
    const coordinator = answering(() => false);
    const runs: string[] = [];
    const run = (name: string) => async () => void runs.push(name);
    const { jobs } = start(
      { name: "own", everyProcess: true, pattern: EACH_SECOND, run: run("own") },
      { coordinator },
    );
    start({ name: "shared", pattern: EACH_SECOND, run: run("shared") }, { coordinator });
    await expect.poll(() => coordinator.counts.asked).toBeGreaterThan(1);
    await expect.poll(() => runs.length).toBeGreaterThan(1);
    const scheduled = runs.length;
    await jobs.tick();
    expect(runs.length).toBeGreaterThan(scheduled);
    expect(new Set(runs)).toEqual(new Set(["own"]));
  });
});

for (const kind of await findDatabases()) {
  describe.skipIf(kind.missing !== undefined)(`the jobs of two processes on ${kind.name}`, () => {
    /** Starts two schedulers, as two processes would, on one clock. `runs` has the name of the scheduler for each run. */
    async function startTwo() {
      const url = await createTestDatabase(kind);
      const clock = createStillClock();
      const first = await openTestDatabase(url, clock);
      const second = kind.name === "sqlite" ? first : await openTestDatabase(url, clock);
      const log = createLog({ level: "silent", secrets: [] });
      const runs: string[] = [];
      const startOne = (name: string, leases: typeof first.leases) =>
        start(
          { run: async () => void runs.push(name) },
          { clock, coordinator: createLeaseCoordinator({ leases, isOutdated: async () => false, log }) },
        ).jobs;
      return { clock, runs, a: startOne("a", first.leases), b: startOne("b", second.leases) };
    }

    it("are run by one of them as long as it ticks", async () => {
      const { clock, runs, a, b } = await startTwo();
      for (let tick = 0; tick < 5; tick += 1) {
        await Promise.all([a.tick(), b.tick()]);
        clock.advance(TICK_MS);
      }
      expect(runs).toHaveLength(5);
      expect(new Set(runs).size).toBe(1);
    });

    it("are taken over within two ticks after a process has stopped ticking", async () => {
      const { clock, runs, a, b } = await startTwo();
      await a.tick();
      clock.advance(TICK_MS);
      await b.tick();
      expect(runs).toEqual(["a"]);
      clock.advance(TICK_MS);
      await b.tick();
      await a.tick();
      expect(runs).toEqual(["a", "b"]);
    });

    it("are taken over at once after a process has been stopped", async () => {
      const { runs, a, b } = await startTwo();
      await a.tick();
      await a.stop();
      await b.tick();
      expect(runs).toEqual(["a", "b"]);
    });
  });
}

/** Midnight, which is a multiple of ten seconds. */
const START_MS = Date.UTC(2026, 10, 18);
const EVERY_TEN_SECONDS = "*/10 * * * * *";
const DAY_MS = 86_400_000;

describe("a clock that is set", () => {
  afterEach(() => void vi.useRealTimers());

  /** Starts a job on the machine's clock and lets 15 seconds pass. Returns the times of its runs, on that clock. */
  async function startAt(pattern: string): Promise<readonly number[]> {
    vi.useFakeTimers({ now: START_MS });
    const runs: number[] = [];
    start({ pattern, run: async () => void runs.push(Date.now()) });
    await vi.advanceTimersByTimeAsync(15_000);
    return runs;
  }

  const jumps = [
    ["ahead by a day", DAY_MS],
    ["ahead by ten days", 10 * DAY_MS],
    ["ahead by half a minute", 30_000],
    ["back by an hour", -3_600_000],
    ["back by four seconds", -4_000],
    ["back by ten seconds", -10_000],
  ] as const;

  it.each(jumps)("%s causes one run within ten seconds, and then the scheduled ones", async (_, jumpMs) => {
    const runs = await startAt(EVERY_TEN_SECONDS);
    expect(runs).toEqual([START_MS + 10_000]);
    vi.setSystemTime(Date.now() + jumpMs);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(runs).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs.length).toBeGreaterThanOrEqual(7);
    expect(runs.length).toBeLessThanOrEqual(8);
    expect(runs.slice(2).every((atMs) => atMs % 10_000 === 0)).toBe(true);
  });

  it.each([
    [500, [19_500]],
    [4_000, [16_000, 20_000]],
  ])(
    "back by %i ms causes no second run at the same time, but one at the next time (%j)",
    async (backMs, next) => {
      const runs = await startAt(EVERY_TEN_SECONDS);
      vi.setSystemTime(Date.now() - backMs);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(runs.slice(1)).toEqual(next.map((ms) => START_MS + ms));
    },
  );

  it("ahead by ten days costs hardly any processor time", async () => {
    await startAt(EVERY_TEN_SECONDS);
    vi.setSystemTime(Date.now() + 10 * DAY_MS);
    const before = process.cpuUsage();
    await vi.advanceTimersByTimeAsync(10_000);
    const { user, system } = process.cpuUsage(before);
    // Microseconds. Stepping through every missed time took 5.6 s.
    expect(user + system).toBeLessThan(1_000_000);
  });

  it("ahead past a daily job's time causes a run within a minute; if set back, the job runs at its next time", async () => {
    const runs = await startAt("0 0 12 * * *");
    vi.setSystemTime(START_MS + DAY_MS);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toHaveLength(1);
    vi.setSystemTime(START_MS + 11.5 * 3_600_000);
    await vi.advanceTimersByTimeAsync(29 * 60_000);
    expect(runs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(runs.slice(1)).toEqual([START_MS + 12 * 3_600_000]);
  });
});

describe("a job that is stuck", () => {
  afterEach(() => void vi.useRealTimers());

  const STUCK_AFTER_MS = 5 * 60_000;

  /** Starts two jobs that run every ten seconds. `run` is the first one's work. */
  function startStuck(run: Job["run"]) {
    vi.useFakeTimers({ now: START_MS });
    const stuck: string[] = [];
    const coordinator = answering(() => true);
    let others = 0;
    const other: Job = {
      name: "other",
      pattern: EVERY_TEN_SECONDS,
      stuckAfterMs: STUCK_AFTER_MS,
      run: async () => void (others += 1),
    };
    const job: Job = { name: "boards", pattern: EVERY_TEN_SECONDS, stuckAfterMs: STUCK_AFTER_MS, run };
    const started = start(job, {
      jobs: [job, other],
      coordinator,
      onStuck: (name) => void stuck.push(name),
    });
    return { ...started, stuck, coordinator, others: () => others };
  }

  it("is reported once with one log line; after that, nothing runs and the lease is not renewed", async () => {
    const { stuck, coordinator, others, lines, jobs } = startStuck(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(STUCK_AFTER_MS - 60_000);
    expect(stuck).toEqual([]);
    expect(others()).toBeGreaterThan(20);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(stuck).toEqual(["boards"]);
    expect(lines).toEqual([expect.stringMatching(/"level":"error".*"job":"boards".*"msg":"job stuck"/)]);
    const before = { asked: coordinator.counts.asked, ran: others() };
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    await jobs.tick();
    expect({ asked: coordinator.counts.asked, ran: others() }).toEqual(before);
    expect(stuck).toEqual(["boards"]);
  });

  it("is not one that reports progress, however long it takes", async () => {
    const ends = Promise.withResolvers<void>();
    const { stuck, coordinator, jobs } = startStuck(async (_nowMs, progress) => {
      const work = setInterval(progress, STUCK_AFTER_MS / 2);
      await ends.promise;
      clearInterval(work);
    });
    await vi.advanceTimersByTimeAsync(3 * 3_600_000);
    expect(stuck).toEqual([]);
    // The process has continued to renew its lease.
    expect(coordinator.counts.asked).toBeGreaterThan(1_000);
    ends.resolve();
    await jobs.stop();
  });

  it("is not one on a machine that slept, because only time in which the process ran counts", async () => {
    const { stuck } = startStuck(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(60_000);
    // After sleep, due timers fire once, however much time has passed.
    vi.setSystemTime(START_MS + 3 * DAY_MS);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stuck).toEqual([]);
  });

  it("may also be the coordinator's check, if it is never answered", async () => {
    vi.useFakeTimers({ now: START_MS });
    const stuck: string[] = [];
    const coordinator = {
      mayRun: () => new Promise<boolean>(() => undefined),
      release: async () => undefined,
    };
    start({ pattern: EVERY_TEN_SECONDS }, { coordinator, onStuck: (name) => void stuck.push(name) });
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(stuck).toEqual(["lease"]);
  });

  it("does not delay stopping", async () => {
    const { jobs, clock } = startStuck(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(2 * STUCK_AFTER_MS);
    await jobs.stop(8_000);
    expect(clock.waits()).toEqual([]);
  });
});

const postgres = (await findDatabases()).find(({ name }) => name === "postgres");

it.skipIf(postgres?.missing !== undefined)(
  "a process with a stuck job exits, and another takes over its jobs",
  async () => {
    const url = postgres === undefined ? "" : await createTestDatabase(postgres);
    const startOne = async (...args: readonly string[]) => {
      const child = fork(JOB_HOLDER, [url, ...args], { execArgv: [] });
      onTestFinished(() => void child.kill("SIGKILL"));
      const heard: unknown[] = [];
      child.on("message", (message) => heard.push(message));
      await expect.poll(() => heard).toContain("ready");
      return { child, heard };
    };
    const stuck = await startOne("hangs");
    await expect.poll(() => stuck.heard).toEqual(["ready", "ran"]);
    const ended = once(stuck.child, "exit");
    const next = await startOne();
    expect(next.heard).toEqual(["ready"]);
    expect(await ended).toEqual([1, null]);
    await expect.poll(() => next.heard.length, { timeout: 5_000 }).toBeGreaterThan(2);
  },
);

describe("a machine on British time", () => {
  const zone = process.env["TZ"] ?? "UTC";
  afterEach(() => {
    vi.useRealTimers();
    process.env["TZ"] = zone;
  });

  it.each([
    ["that is repeated when clocks go back", Date.UTC(2026, 9, 24, 23, 30)],
    ["that is skipped when clocks go forward", Date.UTC(2026, 2, 29, 0, 30)],
  ])("continues to run jobs through the hour %s", async (_, startMs) => {
    process.env["TZ"] = "Europe/London";
    vi.useFakeTimers({ now: startMs });
    let runs = 0;
    start({ pattern: "*/10 * * * * *", run: async () => void (runs += 1) });
    await vi.advanceTimersByTimeAsync(3 * 60 * 60_000);
    expect(runs).toBe(3 * 360);
  });
});
