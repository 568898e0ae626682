import { expect, it } from "vitest";
import { SERVICE_NAMES } from "../../src/core/errors.ts";
import { PLANNED_SERVICES } from "../../src/plan/budget.ts";
import { staleMark, staleSentence } from "../../src/sources/source-words.ts";

it.each([
  ["budget-spent", 12, "Live data is used up for now. This is 12 minutes old."],
  ["unavailable", 1, "The train data service can't be reached. This is 1 minute old."],
  ["timeout", 2, "The train data service took too long. This is 2 minutes old."],
  ["rate-limited", 59, "The train data service is busy. This is 59 minutes old."],
] as const)("the sentence about a stale answer says why it is old: %s", (why, ageMinutes, sentence) => {
  expect(staleSentence({ why, ageMinutes })).toBe(sentence);
});

it("the sentence about a stale answer names the source that did not answer", () => {
  const stale = { why: "timeout", ageMinutes: 2, service: "rail-data" } as const;
  expect(staleSentence(stale)).toBe("National Rail took too long. This is 2 minutes old.");
});

it("a stale answer has a short mark for the foot of a picture", () => {
  expect(staleMark({ why: "timeout", ageMinutes: 12 })).toBe("12 min old");
});

it("every service with a plan has a name for members", () => {
  expect(Object.keys(SERVICE_NAMES)).toEqual(expect.arrayContaining([...PLANNED_SERVICES]));
});
