import { expect, it } from "vitest";
import { formatDuration, formatRoughly } from "../../src/time/words.ts";

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

it.each([
  [1, "1 minute"],
  [89, "89 minutes"],
  [90, "2 hours"],
  [47 * 60, "47 hours"],
  [48 * 60, "2 days"],
])("formatRoughly writes %d minutes in one unit: %s", (minutes, words) => {
  expect(formatRoughly(minutes)).toBe(words);
});
