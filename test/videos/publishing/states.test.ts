import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { enter, isOver, mayFollow } from "../../../src/videos/publishing/states.ts";
import { PUBLICATION_STATES, type PublicationState } from "../../../src/videos/publications-table.ts";

const state = fc.constantFrom(...PUBLICATION_STATES);

/** All states that can be reached from this one without passing through `without`. */
function reachable(
  from: PublicationState,
  ...without: readonly PublicationState[]
): ReadonlySet<PublicationState> {
  const found = new Set<PublicationState>([from]);
  for (const one of found) {
    PUBLICATION_STATES.filter((to) => !without.includes(to) && mayFollow(one, to)).forEach((to) =>
      found.add(to),
    );
  }
  return found;
}

describe("the states of a publication", () => {
  it("lead to an end from every state", () => {
    for (const from of PUBLICATION_STATES) {
      expect([...reachable(from, from)].some(isOver)).toBe(true);
    }
  });

  it("never publish what was not sent, or send what is already at the service", () => {
    expect(reachable("draft", "uploading")).not.toContain("processing");
    for (const there of ["processing", "scheduled", "published"] as const) {
      // Only a video that certainly failed or was cancelled there is sent again.
      expect(reachable(there, "failed", "cancelled")).not.toContain("uploading");
    }
    for (const ended of ["expired", "deleted"] as const) {
      expect([...reachable(ended, "draft")]).toEqual([ended]);
    }
    // A refused publication must be approved before it is published.
    expect([...reachable("refused", "awaiting-approval")]).toEqual(["refused"]);
  });

  it("can be entered only as the table of transitions allows", () => {
    fc.assert(
      fc.property(state, state, fc.nat(), (from, to, nowMs) => {
        const { state: entered, stateAtMs, nextAtMs } = enterOr({ state: from }, to, nowMs) ?? {};
        const wanted = mayFollow(from, to) ? [to, nowMs, nowMs] : [undefined, undefined, undefined];
        expect([entered, stateAtMs, nextAtMs]).toEqual(wanted);
      }),
    );
  });
});

/** `undefined` if `enter` throws. */
function enterOr(...args: Parameters<typeof enter>): ReturnType<typeof enter> | undefined {
  try {
    return enter(...args);
  } catch {
    return undefined;
  }
}
