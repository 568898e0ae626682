import { expect, it } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import type { Clock } from "../../src/core/clock.ts";
import { retryOnClock } from "../../src/core/retry.ts";

const clock = createSandboxClock({ atMs: 0, mode: "still" });

/** An operation that fails this many times and then returns the number of the attempt. */
function createSending(failures: number, error: unknown = new Error("busy")) {
  let tries = 0;
  return {
    get tries() {
      return tries;
    },
    send: async () => {
      tries += 1;
      if (tries <= failures) {
        throw error;
      }
      return tries;
    },
  };
}

const isTransient = () => true;

it("retryOnClock does not repeat a success", async () => {
  const sending = createSending(0);
  expect(await retryOnClock({ clock, waitsMs: [0, 100], isTransient }, sending.send)).toBe(1);
});

it("retryOnClock waits before each retry as long as it is told", async () => {
  const waitedMs: number[] = [];
  const impatient: Clock = {
    now: () => 0,
    elapsed: () => 0,
    after(delayMs, callback) {
      waitedMs.push(delayMs);
      queueMicrotask(callback);
      return () => undefined;
    },
  };
  const told = { clock: impatient, waitsMs: [0, 150, 300], isTransient };
  expect(await retryOnClock(told, createSending(3).send)).toBe(4);
  expect(waitedMs).toEqual([150, 300]);
});

it("retryOnClock throws the last error when no retries are left", async () => {
  const error = new Error("still busy");
  const sending = createSending(9, error);
  await expect(retryOnClock({ clock, waitsMs: [0, 0], isTransient }, sending.send)).rejects.toBe(error);
  expect(sending.tries).toBe(3);
});

it("retryOnClock does not retry a permanent failure", async () => {
  const error = new Error("refused");
  const sending = createSending(9, error);
  await expect(retryOnClock({ clock, waitsMs: [0, 0], isTransient: () => false }, sending.send)).rejects.toBe(
    error,
  );
  expect(sending.tries).toBe(1);
});

it("retryOnClock stops waiting when its signal aborts", async () => {
  const leaving = new AbortController();
  const reason = new Error("the bot is leaving");
  const { signal } = leaving;
  const sent = retryOnClock({ clock, waitsMs: [100], isTransient, signal }, createSending(9).send);
  leaving.abort(reason);
  await expect(sent).rejects.toBe(reason);
});
