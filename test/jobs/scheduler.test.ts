import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { keepProcessInUtc } from "../../src/core/config.ts";
import { createLog } from "../../src/core/log.ts";
import { startJobs, type Job, type JobsOptions } from "../../src/jobs/scheduler.ts";
import { createLeaseCoordinator, type Coordinator } from "../../src/services/leases/lease-coordinator.ts";
import { openFor, createFor } from "../storage/open.ts";
import { findDatabases } from "../support/databases.ts";
import { createStillClock } from "../support/still-clock.ts";

const EACH_SECOND = "* * * * * *";
/** Only by hand, unless the test is run at midnight on New Year. */
const HARDLY_EVER = "0 0 0 1 1 *";
const TICK_MS = 10_000;

function start(job: Partial<Job>, options: Partial<JobsOptions> = {}) {
  const lines: string[] = [];
  const log = createLog({
    level: "info",
    secrets: [],
    destination: { write: (line) => lines.push(line) },
  });
  const clock = createStillClock();
  const whole = { name: "test", pattern: HARDLY_EVER, run: async () => undefined, ...job };
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

  it("by hand from many sides runs one after another", async () => {
    const { run, end, counts } = createWork();
    const { jobs } = start({ run });
    const ticks = Promise.all([jobs.tick(), jobs.tick(), jobs.tick()]);
    for (const begun of [1, 2, 3]) {
      await expect.poll(() => counts.begun).toBe(begun);
      end();
    }
    await ticks;
    expect(counts.most).toBe(1);
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
    expect(lines.slice(1)).toEqual([expect.stringMatching(/"level":"info".*known again/)]);
  });
});

for (const kind of await findDatabases()) {
  describe.skipIf(kind.missing !== undefined)(`two processes with one lease on ${kind.name}`, () => {
    /** Two schedulers as two processes have them, on one clock. What they ran, by name, is in `runs`. */
    async function startTwo() {
      const url = await createFor(kind);
      const first = await openFor(url);
      const second = kind.name === "sqlite" ? first : await openFor(url);
      const clock = createStillClock();
      const log = createLog({ level: "silent", secrets: [] });
      const runs: string[] = [];
      const startOne = (name: string, leases: typeof first.leases) =>
        start(
          { run: async () => void runs.push(name) },
          { clock, coordinator: createLeaseCoordinator({ leases, clock, log }) },
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

describe("a machine on British time", () => {
  const zone = process.env["TZ"] ?? "UTC";
  afterEach(() => {
    vi.useRealTimers();
    process.env["TZ"] = zone;
  });

  it("ticks on through the hour that comes twice when clocks go back", async () => {
    process.env["TZ"] = "Europe/London";
    keepProcessInUtc();
    vi.useFakeTimers({ now: Date.UTC(2026, 9, 25, 0, 30) });
    let runs = 0;
    start({ pattern: "*/10 * * * * *", run: async () => void (runs += 1) });
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(runs).toBe(360);
  });
});
