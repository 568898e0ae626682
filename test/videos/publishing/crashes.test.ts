// A process dies at every other call, and another one carries on. In test/long it dies before and after each call, for
// both kinds of upload.
import { expect, it } from "vitest";
import { crashEverywhere } from "../../support/publish-crash.ts";

it.each([
  ["simple", "before"],
  ["chunked", "after"],
] as const)(
  "a %s upload is published correctly if its process dies %s any call (every other one is tried)",
  { timeout: 120_000 },
  async (upload, when) => {
    const { calls, wrong, asked } = await crashEverywhere(upload, when, 2);
    expect(calls).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
    // A person must be asked only if the process died between recording the write and sending it.
    expect(asked).toBeLessThanOrEqual(1);
  },
);
