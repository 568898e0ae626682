import { expect, test } from "vitest";
import { parseRetryAfter } from "../../src/core/http.ts";

const NOW_MS = Date.UTC(2026, 10, 18, 17, 20);

test.each([
  ["0", 0],
  [" 120 ", 120_000],
  ["Wed, 18 Nov 2026 17:20:30 GMT", 30_000],
  ["Wed, 18 Nov 2026 17:19:30 GMT", 0],
  ["604801", 604_800_000],
  ["9".repeat(25), 604_800_000],
  ["Wed, 18 Nov 9999 17:20:30 GMT", 604_800_000],
  [undefined, undefined],
  ["", undefined],
  ["soon", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["2026-11-18", undefined],
  ["Wed, 99 Nov 2026 17:20:30 GMT", undefined],
])("parseRetryAfter reads %j as %j", (value, expected) => {
  expect(parseRetryAfter(value, NOW_MS)).toBe(expected);
});
