import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFleetRate } from "../../src/discord/fleet-rate.ts";
import { createRateLimiter } from "../../src/discord/rate-limiter.ts";
import type { RequestRate } from "../../src/storage/facts-table.ts";
import { createLog } from "../../src/core/log.ts";
import { createStillClock, type StillClock } from "../support/still-clock.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));
const log = createLog({ level: "silent", secrets: [] });

/** The database's row. Each statement takes `statementMs`, and fails while `isAway` is true. */
function createRow(clock: StillClock, statementMs = 1) {
  let said = "";
  const row = {
    isAway: false,
    /** How far the database's clock is ahead of the processes' clock. */
    aheadMs: 0,
    statements: 0,
    rate: {
      async read() {
        await answer();
        return { text: said, nowMs: databaseMs() };
      },
      async replace(from: string, to: string) {
        await answer();
        const isSame = said === from;
        said = isSame ? to : said;
        return isSame;
      },
    } satisfies RequestRate,
  };
  const databaseMs = (): number => clock.now() + row.aheadMs;
  async function answer(): Promise<void> {
    row.statements += 1;
    await new Promise<void>((resolve) => clock.after(statementMs, resolve));
    if (row.isAway) {
      throw new Error("away");
    }
  }
  return row;
}

/** A process's machine. While it is suspended, time passes, but the process does nothing. */
function createMachine(clock: StillClock) {
  let isAwake = Promise.withResolvers<void>();
  let held: (() => void)[] | undefined;
  let isCutOff = false;
  isAwake.resolve();
  async function reach(): Promise<void> {
    await isAwake.promise;
    if (isCutOff) {
      throw new Error("cut off");
    }
  }
  return {
    time: {
      now: () => clock.now(),
      after: (delayMs: number, callback: () => void) => {
        let isCancelled = false;
        const run = (): void => (isCancelled ? undefined : callback());
        const cancel = clock.after(delayMs, () => (held === undefined ? run() : void held.push(run)));
        return () => {
          isCancelled = true;
          cancel();
        };
      },
    },
    connect: (rate: RequestRate): RequestRate => ({
      async read() {
        const said = await rate.read();
        await reach();
        return said;
      },
      async replace(from, to) {
        const isReplaced = await rate.replace(from, to);
        await reach();
        return isReplaced;
      },
    }),
    isAwake: () => isAwake.promise,
    /** From now on, the process cannot reach the database. */
    cutOff: () => void (isCutOff = true),
    suspend(durationMs: number): void {
      held = [];
      isAwake = Promise.withResolvers();
      clock.after(durationMs, () => {
        const missed = held ?? [];
        held = undefined;
        missed.forEach((run) => run());
        isAwake.resolve();
      });
    },
  };
}

/** Processes that share a limit, and Discord, which records when their requests arrive. */
function createFleet(clock: StillClock, row: ReturnType<typeof createRow> | undefined) {
  const arrivedMs: number[] = [];
  return {
    arrivedMs,
    start() {
      const machine = createMachine(clock);
      const limiter = createRateLimiter(machine.time);
      const rate = row && machine.connect(row.rate);
      const fleet = createFleetRate({ limiter, rate, time: machine.time, log });
      return {
        fleet,
        suspend: (durationMs: number): void => machine.suspend(durationMs),
        cutOff: machine.cutOff,
        /** Sends this many requests, each of which takes up to `tripMs`; returns the times at which they arrived. */
        send(count: number, tripMs = 20): number[] {
          const ownMs: number[] = [];
          for (let index = 0; index < count; index += 1) {
            fleet.noteRequest();
            void limiter
              .run("bulk", async () => {
                await new Promise<void>((resolve) => clock.after(1 + ((index * 619) % tripMs), resolve));
                arrivedMs.push(clock.now());
                ownMs.push(clock.now());
                await machine.isAwake();
              })
              .catch(() => undefined);
          }
          return ownMs;
        },
      };
    },
    busiestSecond(): number {
      const sorted = arrivedMs.toSorted((a, b) => a - b);
      let from = 0;
      return Math.max(
        0,
        ...sorted.map((endMs, index) => {
          while ((sorted[from] ?? endMs) <= endMs - 1_000) {
            from += 1;
          }
          return index - from + 1;
        }),
      );
    },
  };
}

async function pass(clock: StillClock, durationMs: number): Promise<void> {
  const endMs = clock.now() + durationMs;
  await settle();
  while (clock.now() < endMs) {
    clock.advance(Math.min(Math.max(1, clock.waits()[0] ?? 1), endMs - clock.now()));
    await settle();
  }
}

describe("processes that share a database", () => {
  it("never send more than 50 requests a second together, even if some start late or are cut off from the database", async () => {
    const burst = fc.record({
      atMs: fc.integer({ min: 0, max: 15_000 }),
      process: fc.integer({ min: 0, max: 3 }),
      count: fc.integer({ min: 1, max: 150 }),
      tripMs: fc.integer({ min: 1, max: 900 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(burst, { minLength: 4, maxLength: 12 }),
        fc.array(
          fc.record({ atMs: fc.integer({ min: 0, max: 15_000 }), process: fc.integer({ min: 0, max: 3 }) }),
          {
            maxLength: 2,
          },
        ),
        fc.integer({ min: 1, max: 300 }),
        async (all, cutOff, statementMs) => {
          const clock = createStillClock();
          const fleet = createFleet(clock, createRow(clock, statementMs));
          const processes = [0, 1, 2, 3].map(() => fleet.start());
          for (const { atMs, process, count, tripMs } of all) {
            clock.after(atMs, () => void processes[process]?.send(count, tripMs));
          }
          for (const { atMs, process } of cutOff) {
            clock.after(atMs, () => processes[process]?.cutOff());
          }
          await pass(clock, 120_000);
          const sent = all.reduce((sum, { count }) => sum + count, 0);
          expect(fleet.arrivedMs.length).toBeGreaterThanOrEqual(cutOff.length === 0 ? sent : 0);
          expect(fleet.busiestSecond()).toBeLessThanOrEqual(50);
        },
      ),
      { numRuns: 20 },
    );
  });

  it("leave nearly the whole limit to the only one that sends, and let another start at once", async () => {
    const clock = createStillClock();
    const row = createRow(clock, 5);
    const fleet = createFleet(clock, row);
    const [leader, other] = [fleet.start(), fleet.start(), fleet.start(), fleet.start()];
    await pass(clock, 1_000);
    const sentMs = leader.send(2_000);
    await pass(clock, 20_000);
    const lateMs = sentMs.filter((ms) => ms >= clock.now() - 10_000);
    expect(lateMs.length).toBeGreaterThanOrEqual(440);
    const answered = other.send(1);
    await pass(clock, 200);
    expect(answered).toHaveLength(1);
    // The sender makes two statements a second, and the others hardly any.
    const before = row.statements;
    await pass(clock, 10_000);
    expect(row.statements - before).toBeLessThanOrEqual(20 + 2 * 10 + 3 * 4);
    expect(fleet.busiestSecond()).toBeLessThanOrEqual(50);
  });

  it("use the whole limit if there is only one", async () => {
    const clock = createStillClock();
    const fleet = createFleet(clock, createRow(clock));
    const sentMs = fleet.start().send(900);
    await pass(clock, 15_000);
    const lateMs = sentMs.filter((ms) => ms >= clock.now() - 10_000);
    expect(lateMs.length).toBeGreaterThanOrEqual(475);
  });

  it("share the limit evenly if all of them need it", async () => {
    const clock = createStillClock();
    const fleet = createFleet(clock, createRow(clock));
    const sent = [fleet.start(), fleet.start(), fleet.start()].map((each) => each.send(900));
    await pass(clock, 40_000);
    const counts = sent.map((each) => each.filter((ms) => ms >= clock.now() - 20_000).length);
    for (const count of counts) {
      expect(count).toBeGreaterThanOrEqual(270);
    }
    expect(fleet.busiestSecond()).toBeLessThanOrEqual(50);
  });

  it.each([10_000, 10_333, 10_666])(
    "keep within the limit if one is suspended after %i ms and continues when others have its share",
    async (suspendedMs) => {
      const clock = createStillClock();
      const fleet = createFleet(clock, createRow(clock, 30));
      const [one, other] = [fleet.start(), fleet.start()];
      one.send(2_000);
      await pass(clock, suspendedMs);
      one.suspend(40_000);
      other.send(3_000);
      await pass(clock, 45_000);
      expect(fleet.busiestSecond()).toBeLessThanOrEqual(50);
    },
  );

  it("leave nine tenths of the limit to the one that sends after many others have died", async () => {
    const clock = createStillClock();
    const row = createRow(clock);
    const fleet = createFleet(clock, row);
    for (let died = 0; died < 30; died += 1) {
      const other = fleet.start();
      await pass(clock, 500);
      other.suspend(3_600_000);
    }
    const sentMs = fleet.start().send(1_500);
    await pass(clock, 20_000);
    const before = row.statements;
    await pass(clock, 10_000);
    expect(sentMs.filter((ms) => ms >= clock.now() - 10_000).length).toBeGreaterThanOrEqual(430);
    expect(row.statements - before).toBeLessThanOrEqual(2 * 10 + 2);
  });

  it.each([
    { count: 2, sends: [true, true, false] },
    { count: 7, sends: [false, false, false] },
  ])("keep within the limit while $count others are cut off from the database", async ({ count, sends }) => {
    const clock = createStillClock();
    const fleet = createFleet(clock, createRow(clock));
    const sender = fleet.start();
    const others = Array.from({ length: count }, () => fleet.start());
    [sender, ...others].forEach((each) => each.send(20));
    await pass(clock, 8_000);
    others.forEach((each) => each.cutOff());
    const sent: boolean[] = [];
    for (const cutOffMs of [35_000, 600_000, 3_000_000]) {
      await pass(clock, cutOffMs);
      const sentMs = sender.send(250);
      const lateMs = others.map((each) => each.send(5));
      await pass(clock, 6_000);
      expect(sentMs.length).toBeGreaterThanOrEqual(230);
      sent.push(lateMs.some((all) => all.length > 0));
    }
    expect(sent).toEqual(sends);
    expect(fleet.busiestSecond()).toBeLessThanOrEqual(50);
  });

  it.each([3_600_000, -3_600_000])(
    "keep within the limit and share it evenly again after the database's clock is set by %i ms",
    async (aheadMs) => {
      const clock = createStillClock();
      const row = createRow(clock, 5);
      const fleet = createFleet(clock, row);
      const sent = [fleet.start(), fleet.start(), fleet.start()].map((each) => each.send(900));
      await pass(clock, 15_000);
      row.aheadMs = aheadMs;
      await pass(clock, 20_000);
      expect(fleet.busiestSecond()).toBeLessThanOrEqual(50);
      for (const each of sent) {
        expect(each.filter((ms) => ms >= clock.now() - 10_000).length).toBeGreaterThanOrEqual(130);
      }
    },
  );

  it("slow down together long before Discord blocks them, and only as long as Discord counts the refusals", async () => {
    const clock = createStillClock();
    const fleet = createFleet(clock, createRow(clock));
    const [one, two] = [fleet.start(), fleet.start()];
    for (let refused = 0; refused < 2_500; refused += 1) {
      one.fleet.noteRefusal();
      two.fleet.noteRefusal();
    }
    await pass(clock, 20_000);
    const slowMs = [...one.send(100), ...two.send(100)];
    await pass(clock, 10_000);
    expect(fleet.arrivedMs.length).toBeLessThanOrEqual(55);
    expect(slowMs).toEqual([]);
    await pass(clock, 11 * 60_000);
    const from = fleet.arrivedMs.length;
    one.send(450);
    await pass(clock, 12_000);
    expect(fleet.arrivedMs.length - from).toBeGreaterThanOrEqual(440);
  });
});

describe("a process whose database does not answer", () => {
  it("sends one request a second, and as many as before when the database is back", async () => {
    const clock = createStillClock();
    const row = createRow(clock);
    const fleet = createFleet(clock, row);
    const process = fleet.start();
    const sentMs = process.send(2_000);
    await pass(clock, 5_000);
    row.isAway = true;
    await pass(clock, 10_000);
    const before = sentMs.length;
    await pass(clock, 10_000);
    expect(sentMs.length - before).toBeGreaterThanOrEqual(9);
    expect(sentMs.length - before).toBeLessThanOrEqual(11);
    row.isAway = false;
    await pass(clock, 2_000);
    const back = sentMs.length;
    await pass(clock, 5_000);
    expect(sentMs.length - back).toBeGreaterThanOrEqual(220);
  });
});

describe("a process alone", () => {
  it("slows down if Discord refuses its requests", async () => {
    const clock = createStillClock();
    const fleet = createFleet(clock, undefined);
    const process = fleet.start();
    for (let refused = 0; refused < 5_000; refused += 1) {
      process.fleet.noteRefusal();
    }
    process.send(60);
    await pass(clock, 10_000);
    expect(fleet.arrivedMs.length).toBeLessThanOrEqual(51);
    clock.advance(11 * 60_000);
    process.send(440);
    await pass(clock, 12_000);
    expect(fleet.arrivedMs).toHaveLength(500);
  });
});
