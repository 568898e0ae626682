// Guarantees of watches, as properties over random campaigns. Each function throws if it finds a campaign that breaks
// one.
import * as fc from "fast-check";
import { expect } from "vitest";
import { formatNonce } from "../../src/delivery/deliver.ts";
import type { AddedWatch } from "./watch-world.ts";
import { type Step, type WatchReport, runWatchCampaign, watchCampaigns } from "./watch-campaign.ts";
import { watchedCommute } from "./watches.ts";

const NEVER_MS = 0;
const LAST_WORDS =
  /^### 07:30 York → Leeds, Sat 21 Nov\nIt has left, 10 min late from platform 4\.\n-# This watch is over\.(?:\n-# <@7>)?$/;

/** The nonces of the first message, and of those that replace it with worse news. */
const NONCES = [[], [1], [2]].map((number) => formatNonce("incident", "watch001", "2026-11-21", ...number));

/** Checks that there is a first message, at most one more for each kind of worse news, and that none was sent twice. */
function expectAlarms(steps: readonly Step[], { pings, nonces }: WatchReport): void {
  const isWorse = (is: (row: NonNullable<Step["row"]>) => boolean): number =>
    Number(steps.some(({ row }) => row !== undefined && is(row)));
  const cancelled = isWorse(({ state, mode }) => state === "cancelled" || mode === "bus");
  const elsewhere = isWorse(({ platform }) => platform !== undefined);
  expect(pings).toBe(nonces.length);
  expect(pings).toBeLessThanOrEqual(1 + cancelled + elsewhere);
  expect(nonces).toEqual(NONCES.slice(0, nonces.length));
}

/**
 * A train is reported in one message, its departure included, without relying on nonces. Worse news pings once more.
 */
export async function tellsTrainOnce(place: AddedWatch, lives: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(watchCampaigns(), async (steps) => {
      const report = await runWatchCampaign({ ...place, changed: { ping: true } }, steps, NEVER_MS);
      expect(report).toMatchObject({ state: "ended", isSettled: true });
      expect(report.told).toEqual([expect.stringMatching(LAST_WORDS)]);
      expectAlarms(steps, report);
    }),
    { numRuns: lives },
  );
}

/**
 * The first request arrives when the train is on time again, and the train goes wrong after Discord has forgotten its
 * nonce.
 */
const ARRIVES_AMONG_GOOD_NEWS: readonly Step[] = [
  { waitMs: 8_000, row: { mode: "bus" }, mayAsk: true, who: [0], faults: ["happens-late"] },
  { waitMs: 8_000, row: {}, mayAsk: true, who: [0], faults: [] },
  { waitMs: 46_000, row: {}, mayAsk: true, who: [0], faults: [] },
  { waitMs: 300_000, row: { state: "delayed" }, mayAsk: true, who: [0], faults: ["happens-late"] },
];

/** A train is not reported twice even if requests arrive after the channel was searched for their messages. */
export async function outlastsLateRequests(lives: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(watchCampaigns("happens-late", "happens-late"), async (steps) => {
      const report = await runWatchCampaign({ changed: { ping: true } }, steps);
      expect(report).toMatchObject({ state: "ended" });
      expect(report.told).toHaveLength(1);
      expectAlarms(steps, report);
    }),
    { numRuns: lives, examples: [[ARRIVES_AMONG_GOOD_NEWS]] },
  );
}

/** A disruption and its end are reported in one message with one ping. */
export async function tellsDisruptionOnce(lives: number): Promise<void> {
  const changed = { what: { kind: "network" }, ping: true } as const;
  await fc.assert(
    fc.asyncProperty(watchCampaigns(), async (steps) => {
      const report = await runWatchCampaign({ guildId: "1", channelId: "11", changed }, steps, NEVER_MS);
      expect(report).toMatchObject({ pings: 1, state: "active", isSettled: true });
      expect(report.told).toEqual([expect.stringMatching(/^### Northern\n✅ \*\*Over since 07:40\*\*\n/)]);
    }),
    { numRuns: lives },
  );
}

/** A commute's day is reported in one message, and the watch continues. */
export async function tellsCommuteOnce(lives: number): Promise<void> {
  const changed = { what: watchedCommute({ hours: { from: "07:00", to: "07:35" } }) };
  await fc.assert(
    fc.asyncProperty(watchCampaigns(), async (steps) => {
      const report = await runWatchCampaign({ changed }, steps, NEVER_MS);
      expect(report).toMatchObject({ pings: 0, state: "active", isSettled: true });
      expect(report.told).toEqual([
        expect.stringMatching(/07:30 to Leeds · it has left, 10 min late[^]*all for today/),
      ]);
    }),
    { numRuns: lives },
  );
}
