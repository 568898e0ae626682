import { expect, it } from "vitest";
import { staleMark, staleSentence } from "../../src/sources/source-words.ts";

it.each([
  ["budget-spent", 12, "I could not ask again: the plan is used up for now. This is from 12 minutes ago."],
  ["unavailable", 1, "I could not ask again: the service cannot be reached. This is from 1 minute ago."],
  ["timeout", 2, "I could not ask again: the service took too long. This is from 2 minutes ago."],
  ["rate-limited", 59, "I could not ask again: the service is busy. This is from 59 minutes ago."],
] as const)("says why an answer is old: %s", (why, ageMinutes, sentence) => {
  expect(staleSentence({ why, ageMinutes })).toBe(sentence);
});

it("has a short form for the foot of a picture", () => {
  expect(staleMark({ why: "timeout", ageMinutes: 12 })).toBe("12 min old");
});
