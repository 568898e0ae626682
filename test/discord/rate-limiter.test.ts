import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createLimiterTime,
  createRateLimiter,
  NotSentError,
  type RateLimiter,
  type Urgency,
} from "../../src/discord/rate-limiter.ts";
import { createStillClock, type StillClock } from "../support/still-clock.ts";

/** Lets the continuations of resolved promises run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

interface Trip {
  readonly thereMs: number;
  readonly backMs: number;
}

/** Sends a request for each trip, over a network that takes these times there and back. */
function sendAll(limiter: RateLimiter, clock: StillClock, trips: readonly Trip[]) {
  const arrivedMs: number[] = [];
  const wait = (delayMs: number) => new Promise<void>((resolve) => clock.after(delayMs, resolve));
  const sending = trips.map(({ thereMs, backMs }) =>
    limiter.run("bulk", async () => {
      await wait(thereMs);
      arrivedMs.push(clock.now());
      await wait(backMs);
    }),
  );
  return { arrivedMs, sending: Promise.all(sending) };
}

/** Advances the clock until `isDone`; each timer is late by `lateMs`. */
async function advanceUntil(clock: StillClock, isDone: () => boolean, lateMs = 0): Promise<void> {
  for (let turns = 0; turns < 10_000 && !isDone(); turns += 1) {
    await settle();
    clock.advance((clock.waits()[0] ?? 1) + lateMs);
  }
}

/** The highest number of requests that arrive within a second. */
function busiestSecond(arrivedMs: readonly number[]): number {
  const sorted = arrivedMs.toSorted((a, b) => a - b);
  return Math.max(...sorted.map((endMs) => sorted.filter((ms) => ms > endMs - 1000 && ms <= endMs).length));
}

describe("the rate limiter", () => {
  it("sends nearly 50 requests a second, evenly, over a slow network", async () => {
    const clock = createStillClock();
    const trips = Array.from({ length: 300 }, () => ({ thereMs: 80, backMs: 70 }));
    const { arrivedMs } = sendAll(createRateLimiter(clock), clock, trips);
    await advanceUntil(clock, () => arrivedMs.length === trips.length);
    // The limiter sends the first ones more slowly, until it knows how long requests take.
    const [from = 0, to = 0] = [arrivedMs[100], arrivedMs.at(-1)];
    expect(((arrivedMs.length - 101) * 1000) / (to - from)).toBeGreaterThanOrEqual(47.5);
    expect(busiestSecond(arrivedMs)).toBeLessThanOrEqual(50);
    const gaps = arrivedMs.slice(1).map((ms, index) => ms - (arrivedMs[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(5);
  });

  it("keeps its rate if timers are slightly late", async () => {
    const clock = createStillClock();
    const trips = Array.from({ length: 200 }, () => ({ thereMs: 0, backMs: 0 }));
    const { arrivedMs } = sendAll(createRateLimiter(clock), clock, trips);
    await advanceUntil(clock, () => arrivedMs.length === trips.length, 1.5);
    const lastedMs = (arrivedMs.at(-1) ?? 0) - (arrivedMs[0] ?? 0);
    expect(199_000 / lastedMs).toBeGreaterThanOrEqual(47.5);
    expect(busiestSecond(arrivedMs)).toBeLessThanOrEqual(50);
  });

  it("never lets more than 50 requests arrive in a second, whatever the network delays", async () => {
    const trip = fc.record({
      thereMs: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 1_500 })),
      backMs: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 1_500 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(trip, { minLength: 60, maxLength: 120 }), async (trips) => {
        const clock = createStillClock();
        const { arrivedMs } = sendAll(createRateLimiter(clock), clock, trips);
        await advanceUntil(clock, () => arrivedMs.length === trips.length);
        expect(arrivedMs).toHaveLength(trips.length);
        expect(busiestSecond(arrivedMs)).toBeLessThanOrEqual(50);
      }),
      { numRuns: 30 },
    );
  });

  it("never lets more than 50 requests arrive in a second if the network becomes faster", async () => {
    const clock = createStillClock();
    const trips = [
      ...Array.from({ length: 60 }, () => ({ thereMs: 1, backMs: 1 })),
      ...Array.from({ length: 200 }, () => ({ thereMs: 150, backMs: 1 })),
      ...Array.from({ length: 100 }, () => ({ thereMs: 1, backMs: 1 })),
    ];
    const { arrivedMs } = sendAll(createRateLimiter(clock), clock, trips);
    await advanceUntil(clock, () => arrivedMs.length === trips.length);
    expect(busiestSecond(arrivedMs)).toBeLessThanOrEqual(50);
  });

  it("sends prompt and bulk requests in turn", async () => {
    const clock = createStillClock();
    const limiter = createRateLimiter(clock);
    const out: string[] = [];
    const send = (urgency: Urgency, count: number) =>
      Array.from({ length: count }, (_, index) =>
        limiter.run(urgency, async () => void out.push(`${urgency} ${index}`)),
      );
    const sending = Promise.all([...send("bulk", 30), ...send("prompt", 3)]);
    await advanceUntil(clock, () => out.length === 33);
    await sending;
    expect(out.slice(0, 7)).toEqual([
      "bulk 0",
      "prompt 0",
      "bulk 1",
      "prompt 1",
      "bulk 2",
      "prompt 2",
      "bulk 3",
    ]);
  });

  it("uses no turn for a request that is no longer wanted", async () => {
    const clock = createStillClock();
    const limiter = createRateLimiter(clock);
    limiter.setShare(() => 1);
    const startMs = clock.now();
    const late = new NotSentError("too late");
    const send = async (): Promise<number> => clock.now();
    const unwanted = Array.from({ length: 10 }, () => limiter.run("bulk", send, () => late));
    const ends = Promise.allSettled(unwanted);
    const wanted = { sentMs: Infinity };
    void limiter.run("bulk", send).then((sentMs) => (wanted.sentMs = sentMs));
    await advanceUntil(clock, () => wanted.sentMs < Infinity);
    expect(wanted.sentMs - startMs).toBeLessThan(1_100);
    expect((await ends).map(({ status }) => status)).toEqual(unwanted.map(() => "rejected"));
  });

  it("continues after a failure", async () => {
    const clock = createStillClock();
    const limiter = createRateLimiter(clock);
    await expect(limiter.run("bulk", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    clock.advance(100);
    expect(await limiter.run("bulk", async () => "sent")).toBe("sent");
  });
});

describe("a pause that Discord asks for", () => {
  it("delays requests until it ends", async () => {
    const clock = createStillClock();
    const limiter = createRateLimiter(clock);
    limiter.pauseFor(5_000);
    let isSent = false;
    const sending = limiter.run("prompt", async () => {
      isSent = true;
    });
    clock.advance(4_999);
    await settle();
    expect(isSent).toBe(false);
    clock.advance(1);
    await sending;
  });

  it("rejects waiting and new requests with the time to wait, if it is long", async () => {
    const clock = createStillClock();
    const limiter = createRateLimiter(clock);
    await limiter.run("bulk", async () => undefined);
    const waiting = limiter.run("bulk", async () => "sent");
    limiter.pauseFor(90_000);
    await expect(waiting).rejects.toMatchObject({ name: "NotSentError", retryAfterMs: 90_000 });
    clock.advance(20_000);
    await expect(limiter.run("prompt", async () => "sent")).rejects.toMatchObject({ retryAfterMs: 70_000 });
    clock.advance(70_000);
    expect(await limiter.run("prompt", async () => "sent")).toBe("sent");
  });

  it("never ends after the limiter is stopped", async () => {
    const clock = createStillClock();
    const limiter = createRateLimiter(clock);
    await limiter.run("bulk", async () => undefined);
    const waiting = limiter.run("bulk", async () => "sent");
    limiter.stop();
    await expect(waiting).rejects.toThrow(NotSentError);
    await expect(limiter.run("prompt", async () => "sent")).rejects.toThrow(NotSentError);
    expect(clock.waits()).toEqual([]);
  });
});

describe("the rate limiter's time", () => {
  it("advances with the machine while the clock stands still, and with the clock", () => {
    const [clock, machine] = [createStillClock(), createStillClock(0)];
    const time = createLimiterTime(clock, machine);
    machine.advance(100);
    expect(time.now()).toBe(100);
    clock.advance(60_000);
    expect(time.now()).toBe(60_100);
  });

  it("counts time once if both advance together, and never goes back", () => {
    const [clock, machine] = [createStillClock(), createStillClock(0)];
    const time = createLimiterTime(clock, machine);
    machine.advance(1_000);
    clock.advance(1_003);
    expect(time.now()).toBe(1_000);
    clock.advance(-500);
    expect(time.now()).toBe(1_000);
  });

  it("ignores changes of the clock, because no time has passed at Discord", () => {
    const [clock, machine] = [createStillClock(), createStillClock(0)];
    const time = createLimiterTime(clock, machine);
    clock.jump(86_400_000);
    expect(time.now()).toBe(0);
    clock.jump(-90_000_000);
    clock.advance(100);
    expect(time.now()).toBe(100);
  });

  it.each(["clock", "machine"] as const)(
    "fires a timer once, when the %s has advanced far enough",
    (which) => {
      const clocks = { clock: createStillClock(), machine: createStillClock(0) };
      let rung = 0;
      createLimiterTime(clocks.clock, clocks.machine).after(50, () => (rung += 1));
      clocks[which].advance(50);
      clocks.clock.advance(50);
      clocks.machine.advance(50);
      expect(rung).toBe(1);
    },
  );

  it("does not fire a cancelled timer", () => {
    const [clock, machine] = [createStillClock(), createStillClock(0)];
    createLimiterTime(clock, machine).after(50, () => expect.unreachable())();
    expect([...clock.waits(), ...machine.waits()]).toEqual([]);
  });
});
