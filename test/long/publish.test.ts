// Many more runs of the properties of publications in test/videos/publishing, and more crashes.
import { expect, it } from "vitest";
import { crashEverywhere } from "../support/publish-crash.ts";
import { publishesOnce } from "../support/publish-properties.ts";

const TIME = { timeout: 1_800_000 };

it("publishes once or not at all, and says which, whatever happens", TIME, () =>
  expect(publishesOnce(3_000)).resolves.toBeUndefined(),
);

it.each([
  ["simple", "before"],
  ["simple", "after"],
  ["chunked", "before"],
  ["chunked", "after"],
] as const)("recovers from a crash at any call of a %s upload, %s the call", TIME, async (upload, when) => {
  expect(await crashEverywhere(upload, when)).toMatchObject({ wrong: [] });
});
