// A process dies at every second of its calls, and another goes on. test/long has it die before and after each, for both
// ways.
import { expect, it } from "vitest";
import { crashEverywhere } from "../../support/publish-crash.ts";

it.each([
  ["simple", "before"],
  ["chunked", "after"],
] as const)(
  "a death at every second call of a %s upload, %s it happens",
  { timeout: 120_000 },
  async (upload, when) => {
    const { calls, wrong, asked } = await crashEverywhere(upload, when, 2);
    expect(calls).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
    // Only where it died between writing down and sending must anybody be asked.
    expect(asked).toBeLessThanOrEqual(1);
  },
);
