// A campaign against one board: late ticks by two processes at once, calls that fail, lost answers and crashes in the
// middle of a call, followed by a calm end. Reports the outcome of each slot.
import * as fc from "fast-check";
import type { BoardSettings } from "../../src/boards/boards.ts";
import type { Schedule } from "../../src/time/schedule.ts";
import { isRunning } from "../../src/time/slots.ts";
import { slotsBetween } from "./slots-between.ts";
import { findMark, openBoardWorld, SETTINGS, START_MS, wordsOf } from "./board-world.ts";
import { type Fault, TRANSIENT_FAULTS } from "./fake-messenger.ts";

/** A pause, then a tick. */
export interface Step {
  readonly waitMs: number;
  /** The processes that tick at the same time. */
  readonly who: readonly (0 | 1)[];
  /** The faults of the tick's first calls, in order; `undefined` for a call that succeeds. */
  readonly faults: readonly (Fault | undefined)[];
}

export interface Campaign {
  readonly schedule: Schedule;
  readonly steps: readonly Step[];
}

export interface SlotOutcome {
  readonly slotMs: number;
  /** Messages ever posted for it. */
  readonly messages: number;
  /** Whether a tick came in time for it with no fault, and no claim from an earlier fault was in the way. */
  readonly couldBeSent: boolean;
}

export interface CampaignReport {
  readonly slotOutcomes: readonly SlotOutcome[];
  /** The board's own count. */
  readonly missed: number;
  readonly isSettled: boolean;
  /** The board's message at the end, or its last post. */
  readonly keptMessageId: string | undefined;
  /** The messages in the channel at the end. */
  readonly standing: readonly { readonly messageId: string; readonly isUpToDate: boolean }[];
  /** Whether a slot was due during the calm end. */
  readonly endsWithSlot: boolean;
}

/** The bot never sends a slot later than this. */
const LATEST_MS = 2 * 60_000;
/** How long the claim of a dead process blocks others. */
const CLAIM_MS = 30_000;
const TICK_MS = 10_000;

const schedules: fc.Arbitrary<Schedule> = fc.record({
  timing: fc.oneof(
    fc.record({ every: fc.integer({ min: 1, max: 9 }) }),
    fc.constant({ at: ["17:21", "17:22", "17:30", "17:41"] }),
  ),
  days: fc.constant(SETTINGS.schedule.days),
  hours: fc.option(fc.constant({ from: "17:23", to: "17:37" }), { nil: undefined, freq: 3 }),
  zone: fc.constant("Europe/London"),
});

/** Campaigns of about half an hour. `more`: faults besides the transient ones. */
export function campaigns(...more: readonly Fault[]): fc.Arbitrary<Campaign> {
  const waits = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: TICK_MS - 2_000, max: TICK_MS + 2_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1_000, max: 150_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 100_000, max: 700_000 }) },
  );
  const faults = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 3,
      arbitrary: fc.array(fc.constantFrom(...TRANSIENT_FAULTS, ...more), { minLength: 1, maxLength: 4 }),
    },
  );
  const who = fc.constantFrom<Step["who"][]>([0], [1], [0, 1]);
  return fc.record({
    schedule: schedules,
    steps: fc.array(fc.record({ waitMs: waits, who, faults }), { minLength: 5, maxLength: 60 }),
  });
}

/** Runs a campaign. `nonceMs`: how long Discord remembers nonces; 0 for never. */
export async function runBoardCampaign(
  mode: BoardSettings["mode"],
  { schedule, steps }: Campaign,
  nonceMs?: number,
): Promise<CampaignReport> {
  const world = await openBoardWorld(nonceMs === undefined ? {} : { nonceMs });
  try {
    const { clock, discord, data } = world;
    await world.add("one", { changed: { mode, schedule } });
    const lives = [world.begin(), world.begin()];
    const calmTicks: number[] = [];
    let troubleAtMs = -Infinity;

    async function take({ waitMs, who, faults }: Step): Promise<void> {
      clock.advance(waitMs);
      const left = [...faults];
      discord.fault = () => {
        const fault = left.shift();
        troubleAtMs = fault === undefined ? troubleAtMs : clock.now();
        return fault;
      };
      await Promise.all(
        who.map((index) => {
          const life = lives[index]?.isOver === false ? lives[index] : world.begin();
          lives[index] = life;
          return life.tick();
        }),
      );
      if (clock.now() - troubleAtMs >= CLAIM_MS) {
        calmTicks.push(clock.now());
      }
    }

    for (const step of steps) {
      data.version += 1;
      await take(step);
    }
    const calmFromMs = clock.now();
    // Lasts until the last claim of a dead process has expired and, usually, another slot is due.
    const calm = { waitMs: TICK_MS, who: [0], faults: [] } as const;
    for (let ticks = 0; ticks < 100; ticks += 1) {
      await take(calm);
    }

    const { missed, claimedSlotMs, messageId } = await world.read("one");
    const sent = world.sent("one");
    const slots = slotsBetween(schedule, START_MS, clock.now());
    return {
      slotOutcomes: slots.map((slotMs, index) => {
        const lastMs = Math.min(slotMs + LATEST_MS, (slots[index + 1] ?? Infinity) - 1);
        return {
          slotMs,
          messages: sent.filter((each) => findMark(each)?.slotMs === slotMs).length,
          couldBeSent: calmTicks.some((atMs) => atMs >= slotMs && atMs <= lastMs),
        };
      }),
      missed,
      isSettled: claimedSlotMs === undefined,
      keptMessageId: messageId,
      standing: sent
        .filter(({ isDeleted }) => !isDeleted)
        .map(({ messageId: id, reply }) => ({
          messageId: id,
          isUpToDate:
            wordsOf(reply) === String(data.version) ||
            (!isRunning(schedule, clock.now()) && wordsOf(reply).startsWith("closed:")),
        })),
      endsWithSlot: slots.some((slotMs) => slotMs > calmFromMs + CLAIM_MS),
    };
  } finally {
    await world.close();
  }
}
