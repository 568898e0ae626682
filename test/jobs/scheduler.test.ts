import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { startJobs, type Job, type JobsOptions } from "../../src/jobs/scheduler.ts";
import { createLeaseCoordinator, type Coordinator } from "../../src/jobs/lease-coordinator.ts";
import { openTestDatabase, createTestDatabase } from "../open.ts";
import { findDatabases } from "../support/databases.ts";
import { createStillClock } from "../support/still-clock.ts";

const EACH_SECOND = "* * * * * *";
/** Only by hand, unless the test is run at midnight on New Year. */
const HARDLY_EVER = "0 0 0 1 1 *";
const TICK_MS = 10_000;
const JOB_HOLDER = fileURLToPath(new URL("../support/job-holder.ts", import.meta.url));

function start(job: Partial<Job>, options: Partial<JobsOptions> = {}) {
  const lines: string[] = [];
  const log = createLog({
    level: "info",
    secrets: [],
    destination: { write: (line) => lines.push(line) },
  });
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

/** Work that goes on until it is let go. */
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
    /** Ends the oldest run that goes on. */
    end: () => ends.shift()?.(),
  };
}

/** Says always the same, and counts how often it was asked. */
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
  it("runs by itself when its pattern says so, with the time of the clock it was given", async () => {
    const runs: number[] = [];
    const { clock } = start({ pattern: EACH_SECOND, run: async (nowMs) => void runs.push(nowMs) });
    await expect.poll(() => runs.length).toBeGreaterThan(1);
    expect(new Set(runs)).toEqual(new Set([clock.now()]));
  });

  it("runs by hand at once", async () => {
    let runs = 0;
    const { jobs } = start({ run: async () => void (runs += 1) });
    await jobs.tick();
    await jobs.tick();
    expect(runs).toBe(2);
  });

  it("that fails is logged, and ticks on", async () => {
    let runs = 0;
    const { jobs, lines } = start({
      pattern: EACH_SECOND,
      run() {
        runs += 1;
        throw new Error("the signal is at danger");
      },
    });
    await jobs.tick();
    await expect.poll(() => runs).toBeGreaterThan(2);
    expect(lines.join("\n")).toMatch(/"level":"error".*the signal is at danger/);
  });

  it("never overlaps itself: the clock's tick passes over a run under way, a tick by hand comes after it", async () => {
    const { run, end, counts } = createWork();
    const coordinator = answering(() => true);
    const { jobs } = start({ pattern: EACH_SECOND, run }, { coordinator });
    await expect.poll(() => counts.begun).toBe(1);
    const byHand = jobs.tick();
    // It goes on asking, so that the lease outlives a long run.
    await expect.poll(() => coordinator.counts.asked).toBeGreaterThan(4);
    expect(counts.begun).toBe(1);
    end();
    await expect.poll(() => counts.begun).toBe(2);
    const stopped = jobs.stop();
    end();
    await Promise.all([byHand, stopped]);
    expect(counts).toEqual({ begun: 2, atOnce: 0, most: 1 });
  });

  it("by hand from many sides meanwhile runs once more after that", async () => {
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
  it("waits for a run under way, and starts none", async () => {
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

  it("gives the lease back only when a renewal that is under way has ended", async () => {
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

  it("does not wait for longer than it is told to", async () => {
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

  it("takes no longer either where a renewal of the lease is under way as well", async () => {
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
  it("tick in the one that may, by the clock and by hand", async () => {
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

  it("leave ticks out while nobody can say which one may, and tell so once", async () => {
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

  it("leaves alone what each process does for itself, by its pattern and by hand", async () => {
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
    await jobs.tick();
    expect(new Set(runs)).toEqual(new Set(["own"]));
  });
});

for (const kind of await findDatabases()) {
  describe.skipIf(kind.missing !== undefined)(`two processes with one lease on ${kind.name}`, () => {
    /** Two schedulers as two processes have them, on one clock. What they ran, by name, is in `runs`. */
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

    it("are run by one of them for as long as it ticks", async () => {
      const { clock, runs, a, b } = await startTwo();
      for (let tick = 0; tick < 5; tick += 1) {
        await Promise.all([a.tick(), b.tick()]);
        clock.advance(TICK_MS);
      }
      expect(runs).toHaveLength(5);
      expect(new Set(runs).size).toBe(1);
    });

    it("are taken over within two ticks of a process that ticks no more", async () => {
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

    it("are handed over at once by a process that stops", async () => {
      const { runs, a, b } = await startTwo();
      await a.tick();
      await a.stop();
      await b.tick();
      expect(runs).toEqual(["a", "b"]);
    });
  });
}

/** Midnight, and a job's own time: ten seconds. */
const START_MS = Date.UTC(2026, 10, 18);
const EVERY_TEN_SECONDS = "*/10 * * * * *";
const DAY_MS = 86_400_000;

describe("a clock that somebody sets", () => {
  afterEach(() => void vi.useRealTimers());

  /** Starts a job on the machine's clock, which then waits for 15 seconds; gives when it ran, on that clock. */
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

  it.each(jumps)("%s: one run follows within ten seconds, and then the usual ones", async (_, jumpMs) => {
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

  it("ahead by ten days takes next to no processor time", async () => {
    await startAt(EVERY_TEN_SECONDS);
    vi.setSystemTime(Date.now() + 10 * DAY_MS);
    const before = process.cpuUsage();
    await vi.advanceTimersByTimeAsync(10_000);
    const { user, system } = process.cpuUsage(before);
    // Microseconds. To step through every time that was passed over took 5.6 s.
    expect(user + system).toBeLessThan(1_000_000);
  });

  it("ahead past a rare job's time: it runs within a minute; back: it runs at its next time", async () => {
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

  /** Two jobs every ten seconds, the first of which does what `run` says. */
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

  it("is told once, in one line of the log; from then on nothing runs and the lease is not renewed", async () => {
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

  it("is not one that goes on making progress, however long it takes", async () => {
    const ends = Promise.withResolvers<void>();
    const { stuck, coordinator, jobs } = startStuck(async (_nowMs, progress) => {
      const work = setInterval(progress, STUCK_AFTER_MS / 2);
      await ends.promise;
      clearInterval(work);
    });
    await vi.advanceTimersByTimeAsync(3 * 3_600_000);
    expect(stuck).toEqual([]);
    // It is still this process that does the work.
    expect(coordinator.counts.asked).toBeGreaterThan(1_000);
    ends.resolve();
    await jobs.stop();
  });

  it("is not one of a machine that slept: only time in which the process ran counts", async () => {
    const { stuck } = startStuck(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(60_000);
    // Timers that are due fire once after sleep, whatever has passed.
    vi.setSystemTime(START_MS + 3 * DAY_MS);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stuck).toEqual([]);
  });

  it("is also the question whose turn it is, where nobody answers it", async () => {
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

  it("does not hold up stopping", async () => {
    const { jobs, clock } = startStuck(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(2 * STUCK_AFTER_MS);
    await jobs.stop(8_000);
    expect(clock.waits()).toEqual([]);
  });
});

const postgres = (await findDatabases()).find(({ name }) => name === "postgres");

it.skipIf(postgres?.missing !== undefined)(
  "a process with a stuck job ends, and another does its work",
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
    ["that comes twice when clocks go back", Date.UTC(2026, 9, 24, 23, 30)],
    ["that is left out when clocks go forward", Date.UTC(2026, 2, 29, 0, 30)],
  ])("ticks on through the hour %s", async (_, startMs) => {
    process.env["TZ"] = "Europe/London";
    vi.useFakeTimers({ now: startMs });
    let runs = 0;
    start({ pattern: "*/10 * * * * *", run: async () => void (runs += 1) });
    await vi.advanceTimersByTimeAsync(3 * 60 * 60_000);
    expect(runs).toBe(3 * 360);
  });
});
