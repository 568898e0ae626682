// A process dies at every other call, and another one carries on. In test/long it dies before and after each call, for
// both kinds of upload.
import { expect, it } from "vitest";
import { crashEverywhere } from "../../support/publish-crash.ts";

it.each([
  ["simple", "before"],
  ["chunked", "after"],
] as const)(
  "a %s upload whose process dies %s every other call",
  { timeout: 120_000 },
  async (upload, when) => {
    const { calls, wrong, asked } = await crashEverywhere(upload, when, 2);
    expect(calls).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
    // Only where it died between writing down and sending must anybody be asked.
    expect(asked).toBeLessThanOrEqual(1);
  },
);
