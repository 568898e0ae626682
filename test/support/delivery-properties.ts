// Guarantees of src/delivery, as properties over random campaigns against its processes.
import * as fc from "fast-check";
import { expect } from "vitest";
import { hashOf, openDeliveryWorld, shownBy, type Process } from "./delivery-world.ts";
import { type Fault, TRANSIENT_FAULTS } from "./fake-messenger.ts";

/** A pause with events, then a tick. */
interface Step {
  readonly waitMs: number;
  /** The processes that tick at the same time. */
  readonly who: readonly (0 | 1)[];
  /** The faults of the tick's first calls, in order; `freezes` stops the process that calls. */
  readonly faults: readonly (Fault | "freezes" | undefined)[];
  readonly isNews: boolean;
  readonly isQuiet: boolean;
  /** Whether a process freezes while it renders a message, until the next step. */
  readonly freezesAtRender: boolean;
  /** The place in which a person deletes the message. */
  readonly deletes: "c1" | "c2" | undefined;
  /** How far the first process's clock is set ahead; `undefined` to leave it. */
  readonly aheadMs: number | undefined;
}

const TICK_MS = 10_000;
/** Discord documents "a few minutes". */
const NONCE_MS = 5 * 60_000;
/** Longer than any campaign. */
const FOR_EVER_MS = 24 * 3_600_000;
/** Enough for the last claim to expire and for the last late request to arrive. */
const CALM_TICKS = 20;
/** A process whose clock is further off runs no jobs: see src/storage. */
const MAX_AHEAD_MS = 5_000;

function lives(...more: readonly (Fault | "freezes")[]): fc.Arbitrary<readonly Step[]> {
  return fc.array(
    fc.record({
      waitMs: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: TICK_MS - 2_000, max: TICK_MS + 2_000 }) },
        { weight: 2, arbitrary: fc.integer({ min: 1_000, max: 100_000 }) },
      ),
      who: fc.constantFrom<Step["who"][]>([0], [1], [0, 1]),
      faults: fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        {
          weight: 3,
          arbitrary: fc.array(fc.constantFrom(...TRANSIENT_FAULTS, ...more), { minLength: 1, maxLength: 5 }),
        },
      ),
      isNews: fc.boolean(),
      freezesAtRender: fc.integer({ min: 0, max: 4 }).map((dice) => dice === 0),
      isQuiet: fc.oneof(
        { weight: 5, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      deletes: fc.constantFrom<Step["deletes"][]>(undefined, undefined, undefined, undefined, "c1", "c2"),
      aheadMs: fc.option(fc.integer({ min: -MAX_AHEAD_MS, max: MAX_AHEAD_MS }), {
        freq: 5,
        nil: undefined,
      }),
    }),
    { minLength: 3, maxLength: 25 },
  );
}

/** Everything that Discord has seen of one place. */
interface PlaceReport {
  /** Messages that were posted although nobody had deleted the previous one. */
  readonly doubled: number;
  /** Messages that were deleted before a row named them. */
  readonly unnamed: number;
  readonly standing: readonly (string | undefined)[];
  readonly wasDeleted: boolean;
  readonly state: string | undefined;
  readonly notices: number;
}

/** Runs the steps, then a calm end. `closesAt`: the step from which the second place is gone. */
async function runSteps(
  steps: readonly Step[],
  repostIfDeleted: boolean,
  nonceMs: number,
  closesAt?: number,
) {
  const world = openDeliveryWorld({ nonceMs, repostIfDeleted });
  const { clock, discord } = world;
  const processes: [Process, Process] = [world.begin(), world.begin()];
  const deletions = new Map<string, number>();
  const unnamed = new Map<string, number>();

  async function take({
    waitMs,
    who,
    faults,
    isNews,
    isQuiet,
    freezesAtRender,
    deletes,
    aheadMs,
  }: Step): Promise<void> {
    world.version += isNews ? 1 : 0;
    world.isQuiet = isQuiet;
    world.freezesAtRender = freezesAtRender;
    processes[0].aheadMs = aheadMs ?? processes[0].aheadMs;
    const left = [...faults];
    const frozen = processes.filter((each) => each.isFrozen);
    clock.advance(waitMs);
    for (const message of discord.messages) {
      if (message.channelId === deletes && !message.isDeleted) {
        message.isDeleted = true;
        deletions.set(deletes, (deletions.get(deletes) ?? 0) + 1);
        if (!world.rows.some(({ messageId }) => messageId === message.messageId)) {
          unnamed.set(deletes, (unnamed.get(deletes) ?? 0) + 1);
        }
      }
    }
    const ticking = who.map((index) => {
      if (processes[index].isOver) {
        processes[index] = world.begin();
      }
      return processes[index];
    });
    discord.fault = () => {
      const fault = left.shift();
      if (fault !== "freezes") {
        return fault;
      }
      ticking[0]?.freeze();
      return undefined;
    };
    await Promise.all(ticking.filter((each) => !each.isFrozen).map((each) => each.tick()));
    await Promise.all(frozen.map((each) => each.thaw()));
  }

  for (const [index, step] of steps.entries()) {
    if (index === closesAt) {
      discord.gone.add("c2");
    }
    await take(step);
  }
  const calm = {
    waitMs: TICK_MS,
    who: [0],
    faults: [],
    isQuiet: false,
    freezesAtRender: false,
    deletes: undefined,
    aheadMs: 0,
  } as const;
  for (let ticks = 0; ticks < CALM_TICKS; ticks += 1) {
    await take({ ...calm, isNews: ticks === 0 });
  }
  return {
    version: world.version,
    places: world.rows.map(({ id, state, sinceMs }) => {
      const messages = discord.messages.filter(({ channelId }) => channelId === id);
      const deleted = deletions.get(id) ?? 0;
      return {
        doubled: Math.max(0, messages.length - deleted - 1),
        unnamed: unnamed.get(id) ?? 0,
        standing: messages.filter(({ isDeleted }) => !isDeleted).map(({ reply }) => shownBy(reply)),
        wasDeleted: deleted > 0,
        state: sinceMs === undefined ? state : "not settled",
        notices: discord.messages.filter(({ channelId }) => channelId === `notice ${id}`).length,
      } satisfies PlaceReport;
    }),
  };
}

/**
 * Each place has one message, which shows the latest version at the end. If somebody deleted it and deleted messages
 * are not posted again, it has none.
 */
export async function keepsOneMessageEach(repostIfDeleted: boolean, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(lives(), async (steps) => {
      const { version, places } = await runSteps(steps, repostIfDeleted, 0);
      for (const { doubled, standing, wasDeleted, state } of places) {
        const isUnwanted = state === "unwanted" && wasDeleted && !repostIfDeleted;
        expect({ doubled, standing, state }).toEqual({
          doubled: 0,
          standing: isUnwanted ? [] : [hashOf(version)],
          state: isUnwanted ? "unwanted" : "active",
        });
      }
    }),
    { numRuns },
  );
}

/**
 * No place gets two messages, although requests arrive late and processes freeze. One exception: somebody deletes a
 * message before the bot has recorded it, and another request for the same message arrives when Discord has just
 * forgotten the nonce.
 */
export async function outlastsLateRequests(repostIfDeleted: boolean, numRuns: number): Promise<void> {
  const faults = ["happens-late", "happens-late", "freezes", "freezes"] as const;
  await fc.assert(
    fc.asyncProperty(lives(...faults), async (steps) => {
      const { places } = await runSteps(steps, repostIfDeleted, NONCE_MS);
      for (const { doubled, unnamed, standing, state } of places) {
        expect(doubled).toBeLessThanOrEqual(unnamed);
        expect(state).not.toBe("not settled");
        expect(standing.length).toBeLessThanOrEqual(1 + unnamed);
      }
    }),
    { numRuns },
  );
}

/** A place that is gone is paused with one notice, and the other one goes on. */
export async function pausesWithOneNotice(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(lives("freezes"), fc.nat(2), async (steps, closesAt) => {
      const { version, places } = await runSteps(steps, true, FOR_EVER_MS, closesAt);
      expect(places).toMatchObject([
        { state: "active", standing: [hashOf(version)], notices: 0 },
        { state: "paused", notices: 1 },
      ]);
    }),
    { numRuns },
  );
}
