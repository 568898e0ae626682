import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatProblem,
  lasting,
  parseProblem,
  quietProblem,
} from "../../../src/videos/publishing/stored-problem.ts";

describe("a kept problem", () => {
  it("is read as it was written", () => {
    const kept = {
      problem: { of: "video", kind: "rejected", trouble: "format", words: "No.", mayRetry: false },
      sinceMs: 5,
      tries: 2,
      notBeforeMs: 9,
      stopReason: "cancelled",
    } as const;
    expect(parseProblem({ problem: formatProblem(kept) })).toEqual(kept);
    expect(parseProblem({ problem: quietProblem({ problem: formatProblem(kept) }) })).toEqual({
      sinceMs: 5,
      tries: 2,
      stopReason: "cancelled",
    });
    expect(formatProblem({ problem: undefined })).toBeUndefined();
  });

  it("is known to be unreadable where it is, and stays so through every change", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (problem) => {
        fc.pre(problem.trim() !== "{}");
        const unread = { isUnreadable: true };
        expect(parseProblem({ problem })).toEqual(unread);
        expect(parseProblem({ problem: quietProblem({ problem }) })).toEqual(unread);
        expect(parseProblem({ problem: formatProblem({ tries: 1, ...lasting({ problem }) }) })).toEqual({
          tries: 1,
          ...unread,
        });
      }),
    );
  });

  it("is unreadable where it says more than this version knows", () => {
    for (const problem of ['{"isStopping":"erased"}', '{"isHalted":true}', '{"tries":1,"paused":true}']) {
      expect(parseProblem({ problem })).toEqual({ isUnreadable: true });
    }
  });
});
