import { expect, it } from "vitest";
import { formatDuration } from "../../src/time/words.ts";

const MINUTE = 60_000;

it.each([
  [0, "less than a minute"],
  [MINUTE, "1 min"],
  [60 * MINUTE, "1 h"],
  [61 * MINUTE, "1 h 1 min"],
  [1_440 * MINUTE, "1 day"],
  [1_445 * MINUTE, "1 day"],
  [(2 * 1_440 + 180) * MINUTE, "2 days 3 h"],
])("formatDuration writes %d ms in up to two units: %s", (durationMs, words) => {
  expect(formatDuration(durationMs)).toBe(words);
});
