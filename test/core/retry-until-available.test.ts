import { describe, expect, it } from "vitest";
import { ConfigError, ServiceError } from "../../src/core/errors.ts";
import { collectLog } from "../support/collect-log.ts";
import { waitUntilAvailable } from "../../src/core/retry.ts";
import { createStillClock } from "../support/still-clock.ts";

const away = (details = {}) => new ServiceError("storage", "unavailable", "ECONNREFUSED", details);

/** Starts waiting for an operation that fails with each of these errors in turn and then succeeds. */
function open(failures: readonly unknown[], random = () => 1) {
  const clock = createStillClock();
  const { log, lines } = collectLog();
  const announced: string[] = [];
  let attempts = 0;
  const outcome = waitUntilAvailable(
    {
      name: "database",
      sentence: "The database cannot be reached.",
      clock,
      log,
      announce: (line) => announced.push(line),
      random,
    },
    async () => {
      attempts += 1;
      if (attempts <= failures.length) {
        throw failures[attempts - 1];
      }
      return "open";
    },
  );
  return {
    clock,
    lines,
    announced,
    outcome,
    attempts: () => attempts,
    /** Returns the length of the next wait, in milliseconds, when it has begun. */
    async wait() {
      await expect.poll(() => clock.waits()).toHaveLength(1);
      return clock.waits()[0] ?? 0;
    },
  };
}

describe("a start without its database", () => {
  it("retries after 1 s, doubling to 60 s, and logs each attempt", async () => {
    const scene = open(Array.from({ length: 9 }, () => away()));
    const waits: number[] = [];
    for (let turn = 0; turn < 9; turn += 1) {
      waits.push(await scene.wait());
      scene.clock.advance(waits[turn] ?? 0);
    }
    expect(await scene.outcome).toBe("open");
    expect(waits.map((ms) => ms / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(scene.lines).toHaveLength(10);
    expect(scene.lines[1]).toMatch(/"attempt":2,"waitMs":2000,"msg":"database unreachable, will retry"/);
    expect(scene.lines[9]).toContain('"msg":"database reached"');
    expect(scene.announced).toEqual(["The database cannot be reached."]);
  });

  it("shortens the wait by up to half at random, so that processes do not all retry at once", async () => {
    const scene = open([away()], () => 0);
    expect(await scene.wait()).toBe(500);
    scene.clock.advance(500);
    await scene.outcome;
  });

  it("waits as long as the server asks", async () => {
    const scene = open([away({ retryAfterMs: 90_000 })], () => 0);
    expect(await scene.wait()).toBe(90_000);
    scene.clock.advance(90_000);
    await scene.outcome;
  });

  it.each([
    new ConfigError(["DATABASE_URL is wrong."]),
    new ServiceError("storage", "unauthorised", "28P01"),
    new TypeError("oh dear"),
  ])("does not retry a permanent failure: $name", async (error) => {
    const scene = open([error]);
    await expect(scene.outcome).rejects.toBe(error);
    expect(scene.attempts()).toBe(1);
    expect(scene.lines).toEqual([]);
  });
});
