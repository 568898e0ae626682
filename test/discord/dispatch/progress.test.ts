import { describe, expect, it } from "vitest";
import { createProgressReports } from "../../../src/discord/dispatch/progress.ts";
import { type StillClock, createStillClock } from "../../support/still-clock.ts";

function watch() {
  const clock = createStillClock();
  const shown: string[] = [];
  const reports = createProgressReports(clock, {
    afterMs: SLOW_MS,
    begin: async () => undefined,
    show: async (text) => {
      shown.push(text);
    },
  });
  return { clock, shown, reports, open: () => becomeSlow(clock) };
}

const SLOW_MS = 1_500;

/** Lets the pending edit finish. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function becomeSlow(clock: StillClock): Promise<void> {
  clock.advance(SLOW_MS);
  await settle();
}

describe("progress", () => {
  it("shows nothing before the interaction is deferred, then the latest state", async () => {
    const { shown, reports, open } = watch();
    reports.report("one");
    reports.report("two");
    expect(shown).toEqual([]);
    await open();
    expect(shown).toEqual(["two"]);
  });

  it("shows at most one state every two seconds, always the latest", async () => {
    const { clock, shown, reports, open } = watch();
    await open();
    reports.report("one");
    reports.report("two");
    reports.report("three");
    await settle();
    clock.advance(1_999);
    expect(shown).toEqual(["one"]);
    clock.advance(1);
    expect(shown).toEqual(["one", "three"]);
    await settle();
    clock.advance(10_000);
    expect(shown).toEqual(["one", "three"]);
  });

  it("shows nothing after it is closed, and leaves no timer behind", async () => {
    const { clock, shown, reports, open } = watch();
    await open();
    reports.report("one");
    reports.report("two");
    await reports.close();
    clock.advance(10_000);
    reports.report("three");
    expect(shown).toEqual(["one"]);
    expect(clock.waits()).toEqual([]);
  });

  it("waits for an edit in progress before it is closed", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const clock = createStillClock();
    const begin = async () => undefined;
    const reports = createProgressReports(clock, { afterMs: SLOW_MS, begin, show: () => promise });
    await becomeSlow(clock);
    reports.report("one");
    let isClosed = false;
    const closing = reports.close().then(() => (isClosed = true));
    await settle();
    expect(isClosed).toBe(false);
    resolve();
    await closing;
    expect(isClosed).toBe(true);
  });
});
