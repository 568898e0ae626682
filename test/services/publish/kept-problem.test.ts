import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatProblem, parseProblem, quietProblem } from "../../../src/services/publish/kept-problem.ts";

describe("a kept problem", () => {
  it("is read as it was written", () => {
    const kept = {
      problem: { of: "video", kind: "rejected", trouble: "format", words: "No.", mayRetry: false },
      sinceMs: 5,
      tries: 2,
      notBeforeMs: 9,
      isStopping: true,
    } as const;
    expect(parseProblem({ problem: formatProblem(kept) })).toEqual(kept);
    expect(parseProblem({ problem: quietProblem({ problem: formatProblem(kept) }) })).toEqual({
      sinceMs: 5,
      tries: 2,
      isStopping: true,
    });
    expect(formatProblem({ problem: undefined })).toBeUndefined();
  });

  it("counts as none where it cannot be read", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (problem) => {
        expect(typeof parseProblem({ problem })).toBe("object");
      }),
    );
  });
});
