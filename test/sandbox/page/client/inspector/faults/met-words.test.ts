import { expect, it } from "vitest";
import { metWords } from "../../../../../../sandbox/page/client/inspector/faults/met-words.ts";

it.each([
  [{ met: 0, times: 1 }, "Waiting for 1 call."],
  [{ met: 1, times: 3 }, "1 of 3 calls affected."],
  [{ met: 0, times: null }, "On until turned off."],
  [{ met: 12, times: null }, "On. 12 calls affected."],
])("a fault %j tells how often it was met", (fault, words) => {
  expect(metWords(fault)).toBe(words);
});
