import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatProblem, parseProblem, parseSession } from "../../../src/videos/publishing/problems.ts";
import { publicationRecord } from "../video-rows.ts";

const WORDS = { of: "video", kind: "rejected", trouble: "format", words: "No." } as const;
const failed = publicationRecord({ state: "failed" });

describe("a stored problem", () => {
  it("is parsed as it was stored", () => {
    expect(parseProblem({ ...failed, problem: formatProblem(WORDS) })).toEqual(WORDS);
  });

  it("is undefined if it cannot be parsed, like a session", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (problem) => {
        expect(parseProblem({ ...failed, problem, fileUrl: undefined })).toBeUndefined();
        expect(parseSession({ ...failed, session: problem })).toBeUndefined();
      }),
    );
  });
});
