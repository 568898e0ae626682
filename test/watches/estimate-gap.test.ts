import { expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import type { Budget } from "../../src/plan/budget.ts";
import type { SourceName } from "../../src/sources/transport-data.ts";
import { createEstimateGap } from "../../src/watches/watch-warnings.ts";
import type { Watch } from "../../src/watches/watches.ts";
import { createStillClock } from "../support/still-clock.ts";
import { boardSettings } from "../support/subscriptions.ts";
import { todayMs, watch, watchedCommute } from "../support/watches.ts";

const DAY_MS = 24 * 60 * 60_000;
const DRAFT = watch({ id: "draft001" });

interface World {
  readonly draft: Watch;
  readonly watches: readonly Watch[];
  /** How many boards there are, each of another station. */
  readonly boards: number;
  readonly source: SourceName | undefined;
}

/** The gap in minutes of a watch of the 07:30 that is set up at six on the day before, on a plan with this many calls a day. */
async function gapOf(calls: number, changed: Partial<World> = {}): Promise<number | undefined> {
  const alone: World = { draft: DRAFT, watches: [], boards: 0, source: "transport" };
  const { draft, watches, boards, source } = { ...alone, ...changed };
  const clock = createStillClock(todayMs("06:00") - DAY_MS);
  const estimate = createEstimateGap({
    watches: {
      active: async () =>
        watches.map(({ settings, ...each }) => ({
          ...each,
          settings: JSON.stringify(settings),
          nextAtMs: undefined,
        })),
    },
    boards: {
      activeSettings: async () =>
        Array.from({ length: boards }, (_, index) => ({
          id: `board${index}`,
          settings: JSON.stringify(boardSettings({ station: ["HUL", "DON", "NCL"][index] ?? "KGX" })),
        })),
    },
    plans: new Map([["transport" as const, { terms: { calls, windowMs: DAY_MS }, budget: UNUSED }]]),
    answering: () => source,
    clock,
    log: createLog({ level: "silent", secrets: [] }),
  });
  const gapMs = await estimate(draft);
  return gapMs && Math.round(gapMs / 60_000);
}

const UNUSED: Budget = {
  take: async () => undefined,
  reserveForBoards: async () => undefined,
  closeFor: async () => 0,
  state: async () => ({ limit: 1, windowMs: 1, used: 0, left: 1 }),
};

it("says nothing if the plan pays for a check every few minutes", async () => {
  expect(await gapOf(300)).toBeUndefined();
  // 24 calls are left for the 65 minutes.
  expect(await gapOf(30)).toBeUndefined();
});

it("grows with the watches and boards that share the plan, but not with those of the same trains", async () => {
  const others = Array.from({ length: 12 }, (_, index) =>
    watch({ id: `watch${index}`, settings: { what: watchedCommute({ station: "HUL" }) } }),
  );
  const one = await gapOf(15);
  expect(one).toBe(Math.round(65 / 12));
  expect(await gapOf(15, { watches: [watch()] })).toBe(one);
  expect(await gapOf(15, { boards: 3 })).toBeGreaterThan(one ?? Infinity);
  expect(await gapOf(15, { watches: others })).toBeGreaterThan(one ?? Infinity);
});

it("is unlimited if no source answers", async () => {
  expect(await gapOf(300, { source: undefined })).toBe(Infinity);
});

it("does not exist for a line", async () => {
  const line = watch({ settings: { what: { kind: "line", line: "victoria", days: [6] } } });
  expect(await gapOf(1, { draft: line })).toBeUndefined();
});
