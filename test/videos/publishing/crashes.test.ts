// A process dies at any of its calls, and another goes on. To die after a call is nearly to die before the next:
// test/long does both for both ways.
import { expect, it } from "vitest";
import { crashEverywhere } from "../../support/publish-crash.ts";

it.each([
  ["simple", "before"],
  ["chunked", "after"],
] as const)(
  "a death at any call of a %s upload, %s it happens",
  { timeout: 120_000 },
  async (upload, when) => {
    const { calls, wrong, asked } = await crashEverywhere(upload, when);
    expect(calls).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
    // Only where it died between writing down and sending must anybody be asked.
    expect(asked).toBeLessThanOrEqual(1);
  },
);
