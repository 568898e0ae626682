import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSandboxClock } from "../../../sandbox/clock/clock.ts";
import { createIdSource, shardOf, timeOfId } from "../../../sandbox/discord/snowflake.ts";

describe("ids", () => {
  it("grow even if the clock is set back, and have 17 to 19 digits", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 20 }), async (turns) => {
        const clock = createSandboxClock({ atMs: Date.UTC(2026, 10, 18), mode: "still" });
        const ids = createIdSource(clock, 1);
        const made = [ids.next()];
        for (const turn of turns) {
          await clock.set(clock.now() + turn);
          made.push(ids.next(), ids.next());
        }
        expect(made.map(BigInt)).toEqual(made.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1)));
        expect(new Set(made).size).toBe(made.length);
        expect(made.every((id) => /^\d{17,19}$/.test(id))).toBe(true);
      }),
    );
  });

  it("of the same millisecond differ, in the past and now", () => {
    const clock = createSandboxClock({ atMs: Date.UTC(2026, 10, 18), mode: "still" });
    const ids = createIdSource(clock, 1);
    const now = clock.now();
    const made = [ids.at(Date.UTC(2021)), ids.at(Date.UTC(2021)), ids.at(now), ids.next(), ids.next()];
    made.push(ids.at(now), ids.next());
    expect(new Set(made).size).toBe(made.length);
    expect(made.slice(2).map(timeOfId)).toEqual(made.slice(2).map(() => now));
  });

  it("contain their time, which determines their shard", () => {
    const clock = createSandboxClock({ atMs: Date.UTC(2026, 10, 18), mode: "still" });
    const id = createIdSource(clock, 1).next();
    expect(timeOfId(id)).toBe(clock.now());
    expect(shardOf(id, 7)).toBe(Number((BigInt(id) >> 22n) % 7n));
  });
});
