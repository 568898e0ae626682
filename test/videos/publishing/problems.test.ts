import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatProblem,
  isUnreadable,
  parseProblem,
  replaceProblem,
} from "../../../src/videos/publishing/problems.ts";

const WORDS = { of: "video", kind: "rejected", trouble: "format", words: "No." } as const;
const failed = { state: "failed", stopReason: undefined } as const;

describe("a stored problem", () => {
  it("is read as it was written; whether it may be sent again is in the row", () => {
    const problem = formatProblem({ ...WORDS, mayRetry: false });
    expect(parseProblem({ ...failed, problem, fileUrl: "https://cdn.example/1" })).toEqual({
      ...WORDS,
      mayRetry: true,
    });
    expect(parseProblem({ ...failed, problem, fileUrl: undefined })).toEqual({ ...WORDS, mayRetry: false });
    expect(replaceProblem({ problem }, undefined)).toBeUndefined();
    expect(isUnreadable({ problem: undefined })).toBe(false);
  });

  it("is known to be unreadable where it is, and stays so through every change", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (problem) => {
        expect(isUnreadable({ problem })).toBe(true);
        expect(parseProblem({ ...failed, problem, fileUrl: undefined })).toBeUndefined();
        expect(replaceProblem({ problem }, { ...WORDS, mayRetry: true })).toBe(problem);
      }),
    );
  });

  it("is unreadable where it says more than words, as other versions did", () => {
    for (const problem of ['{"isStopping":true}', '{"of":"video","kind":"timeout","isHalted":true}', "{}"]) {
      expect(isUnreadable({ problem })).toBe(true);
    }
  });
});
