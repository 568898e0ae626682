import { describe, expect, it } from "vitest";
import { pushBounded } from "../../../sandbox/http/push-bounded.ts";

describe("a bounded list", () => {
  it("keeps the newest entries, in order, and never more than twice its size", () => {
    const list: number[] = [];
    for (let entry = 0; entry < 1_000; entry += 1) {
      pushBounded(list, entry, 10);
      expect(list.length).toBeLessThanOrEqual(20);
      expect(list.slice(-10)).toEqual(
        [...Array(Math.min(entry + 1, 10)).keys()].map((n) => Math.max(entry - 9, 0) + n),
      );
    }
  });
});
