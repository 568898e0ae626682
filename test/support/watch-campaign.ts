// A campaign against one watch: a morning on which its train goes wrong in many ways, with late ticks by two processes
// at once, calls that fail, lost answers and crashes in the middle of a call, followed by a calm end.
import * as fc from "fast-check";
import type { NetworkEntry } from "../../src/sources/transport-data.ts";
import { type Fault, TRANSIENT_FAULTS } from "./fake-messenger.ts";
import { openWatchWorld, wordsOf, type AddedWatch, type WatchLife } from "./watch-world.ts";
import { todayMs, trainRow } from "./watches.ts";

/** A pause, the board's new data, and a tick. */
export interface Step {
  readonly waitMs: number;
  readonly row: Parameters<typeof trainRow>[0] | undefined;
  readonly mayAsk: boolean;
  /** The processes that tick at the same time. */
  readonly who: readonly (0 | 1)[];
  /** The faults of the tick's first calls, in order. */
  readonly faults: readonly (Fault | undefined)[];
}

/** The result of a campaign. */
export interface WatchReport {
  /** The messages at the end. */
  readonly told: readonly string[];
  /** Messages with a notification sound. */
  readonly pings: number;
  /** The nonces of all messages ever sent. */
  readonly nonces: readonly string[];
  readonly state: string | undefined;
  readonly isSettled: boolean;
}

const TICK_MS = 10_000;

/** Campaigns of at most an hour, which end before the train leaves. `more`: further faults. */
export function watchCampaigns(...more: readonly Fault[]): fc.Arbitrary<readonly Step[]> {
  const rows = fc.constantFrom<Step["row"][]>(
    {},
    { late: 4 },
    { late: 7 },
    { late: 15, platform: "9" },
    { state: "delayed" },
    { state: "cancelled" },
    { mode: "bus" },
    undefined,
  );
  const faults = fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    {
      weight: 4,
      arbitrary: fc.array(fc.constantFrom(...TRANSIENT_FAULTS, ...more), { minLength: 1, maxLength: 4 }),
    },
  );
  return fc.array(
    fc.record({
      waitMs: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: TICK_MS - 2_000, max: TICK_MS + 2_000 }) },
        { weight: 2, arbitrary: fc.integer({ min: 1_000, max: 200_000 }) },
      ),
      row: rows,
      mayAsk: fc.oneof(
        { weight: 4, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
      who: fc.constantFrom<Step["who"][]>([0], [1], [0, 1]),
      faults,
    }),
    { minLength: 3, maxLength: 15 },
  );
}

/** The operator's status report for this row. */
function reportOf(row: Step["row"]): NetworkEntry {
  const isDisrupted = row !== undefined && Object.keys(row).length > 0;
  const state = isDisrupted ? `Delays: ${Object.keys(row).join()}` : "Good service";
  return {
    mode: "train",
    name: "Northern",
    state,
    description: undefined,
    isDisrupted,
    from: undefined,
    until: undefined,
  };
}

/**
 * Runs a campaign; afterwards the train is ten minutes late for a while, then gone. `nonceMs`: how long Discord
 * remembers nonces.
 */
export async function runWatchCampaign(
  added: AddedWatch,
  steps: readonly Step[],
  nonceMs?: number,
): Promise<WatchReport> {
  const world = await openWatchWorld({ nonceMs });
  try {
    const { clock, discord, data, railway, database } = world;
    await world.add("watch001", added);
    world.turnTo("06:30");
    const lives: WatchLife[] = [world.begin(), world.begin()];

    async function take({ waitMs, row, mayAsk, who, faults }: Step): Promise<void> {
      clock.advance(waitMs);
      data.rows = row === undefined ? [] : [trainRow(row)];
      data.mayAsk = mayAsk;
      railway.isAway = !mayAsk;
      railway.entries = [reportOf(row)];
      const left = [...faults];
      discord.fault = () => left.shift();
      await Promise.all(
        who.map((index) => {
          const life = lives[index]?.isOver === false ? lives[index] : world.begin();
          lives[index] = life;
          return life.tick();
        }),
      );
    }

    for (const step of steps) {
      await take(step);
    }
    const calm = { waitMs: TICK_MS, mayAsk: true, who: [0], faults: [] } as const;
    for (let ticks = 0; ticks < 15; ticks += 1) {
      await take({ ...calm, row: { late: 10 } });
    }
    clock.advance(Math.max(0, todayMs("07:40") - clock.now()));
    for (let ticks = 0; ticks < 15; ticks += 1) {
      await take({ ...calm, row: undefined });
    }
    const rows = await database.incidents.ofWatch("watch001");
    return {
      told: discord.messages.filter(({ isDeleted }) => !isDeleted).map(({ reply }) => wordsOf(reply)),
      nonces: discord.messages.map(({ nonce }) => nonce),
      pings: discord.messages.filter(({ silent }) => !silent).length,
      state: (await database.watches.get("watch001"))?.state,
      isSettled: rows.every(({ claimedUntilMs, postingSinceMs }) => !(claimedUntilMs ?? postingSinceMs)),
    };
  } finally {
    await world.close();
  }
}
