// The slots that this process works on. A claim is short and is renewed while the work goes on, so that the slot of a
// process that died is taken over while it may still be sent.
import type { Clock } from "../../core/clock.ts";
import type { BoardClaim, BoardOutcome, BoardRecord, BoardsTable } from "../boards-table.ts";
import { createBeginInTurn } from "../../delivery/under-way.ts";
import type { BoardSettings } from "../boards.ts";
import { countSlots, lastSlot, nextSlot } from "../../time/slots.ts";

/** Claims, and what becomes of them. All of it throws as the database does. */
export interface SlotClaims {
  /** How many are held. */
  count(): number;
  isHeld(boardId: string): boolean;
  /** Whether nobody else can have taken it over: to be asked right before something is sent. */
  isSafe(slot: HeldSlot): boolean;
  /** Claims what is due, a part at a time; gives the slots that nobody else was quicker to claim. */
  take(due: readonly DueBoard[]): Promise<readonly HeldSlot[]>;
  /** Makes all that are held last longer. One that somebody else has is held on to, but is no longer safe. */
  renew(): Promise<void>;
  /** Ends a claim with its outcome; `false` where it was no longer ours. */
  finish(slot: HeldSlot, outcome: BoardOutcome): Promise<boolean>;
  /** Lets it be claimed again when `waitMs` have passed. This process remembers whether nothing was sent. */
  giveBack(slot: HeldSlot, waitMs: number, isUnsent: boolean): Promise<void>;
  /** Works on it no more; it runs out by itself. */
  drop(slot: HeldSlot): void;
  /** Forgets what it remembers of boards that no longer run. */
  keepOnly(boardIds: ReadonlySet<string>): void;
}

/** Three beats of the runner: a claim that is renewed at each of them outlives two that do not come. */
const CLAIM_MS = 30_000;
/** The embedded database answers nobody else meanwhile, and nor does the process: some 10 ms. */
const AT_ONCE = 50;

/** Makes the claims of one process. */
export function createSlotClaims({
  boards,
  clock,
}: {
  readonly boards: Pick<BoardsTable, "claim" | "finish">;
  readonly clock: Clock;
}): SlotClaims {
  const held = new Map<string, HeldSlot>();
  /** What was given back. That nothing was sent holds for as long as the row still says the same. */
  const tried = new Map<string, Pick<HeldSlot, "slotMs" | "untilMs" | "isUnsent" | "tries">>();

  const inTurn = createBeginInTurn();

  /** Moves the end of claims; gives the new ends of those that were still ours. */
  function extend(slots: readonly HeldSlot[], forMs: number): Promise<ReadonlyMap<string, number>> {
    return boards.claim(slots.map((slot) => ({ ...claimOf(slot, forMs), seen: seenAs(slot) })));
  }

  async function takePart(due: readonly DueBoard[]): Promise<readonly HeldSlot[]> {
    const nowMs = clock.now();
    const safeUntilElapsedMs = clock.elapsed() + CLAIM_MS;
    const slots = due.map((board) => {
      const { id, claimedSlotMs, claimedUntilMs } = board.record;
      const before = tried.get(id);
      const isSame = before !== undefined && before.slotMs === claimedSlotMs;
      const isUnsent = isSame && before.isUnsent && before.untilMs === claimedUntilMs;
      return {
        ...chooseSlot(board, nowMs),
        safeUntilElapsedMs,
        isUnsent: claimedSlotMs === undefined || isUnsent,
        tries: isSame ? before.tries : 0,
      };
    });
    const claimed = await boards.claim(
      slots.map((slot) => ({
        ...claimOf(slot, CLAIM_MS),
        seen: slot.record,
        missed: slot.missed - slot.record.missed,
      })),
    );
    const taken = slots.flatMap((slot): readonly HeldSlot[] => {
      const untilMs = claimed.get(slot.record.id);
      return untilMs === undefined ? [] : [{ ...slot, untilMs }];
    });
    for (const slot of taken) {
      tried.delete(slot.record.id);
      held.set(slot.record.id, slot);
    }
    return taken;
  }

  return {
    count: () => held.size,
    isHeld: (boardId) => held.has(boardId),
    isSafe: (slot) => clock.elapsed() < slot.safeUntilElapsedMs,
    async take(due) {
      const taken: HeldSlot[] = [];
      for (const part of partsOf(due)) {
        await inTurn();
        try {
          taken.push(...(await takePart(part)));
        } catch (error) {
          if (taken.length === 0) {
            throw error;
          }
          // What is claimed must be worked on. The next round meets the same trouble.
          break;
        }
      }
      return taken;
    },
    async renew() {
      for (const part of partsOf([...held.values()])) {
        await inTurn();
        const safeUntilElapsedMs = clock.elapsed() + CLAIM_MS;
        const renewed = await extend(part, CLAIM_MS);
        for (const slot of part) {
          const untilMs = renewed.get(slot.record.id);
          slot.untilMs = untilMs ?? 0;
          slot.safeUntilElapsedMs = untilMs === undefined ? -Infinity : safeUntilElapsedMs;
        }
      }
    },
    async finish(slot, outcome) {
      const isOurs = await boards.finish(slot.record.id, slot.slotMs, outcome);
      held.delete(slot.record.id);
      return isOurs;
    },
    async giveBack(slot, waitMs, isUnsent) {
      const { id } = slot.record;
      const untilMs = (await extend([slot], waitMs)).get(id);
      held.delete(id);
      tried.set(id, {
        slotMs: slot.slotMs,
        untilMs: untilMs ?? 0,
        isUnsent: isUnsent && untilMs !== undefined,
        tries: slot.tries + 1,
      });
    },
    drop(slot) {
      held.delete(slot.record.id);
    },
    keepOnly(boardIds) {
      for (const id of tried.keys()) {
        if (!boardIds.has(id)) {
          tried.delete(id);
        }
      }
    },
  };
}

function partsOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / AT_ONCE);
  return Array.from({ length: count }, (_, index) => all.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
}

// A slot of a board that this process works on, and which slot of a board that is.

/** A board that may be claimed. */
export interface DueBoard {
  readonly record: BoardRecord;
  readonly settings: BoardSettings;
}

/** A slot of a board that is claimed. */
export interface HeldSlot extends DueBoard {
  readonly slotMs: number;
  /** The board's next slot after this one. */
  readonly nextSlotMs: number | undefined;
  /** The board's count of missed slots, with those that this claim passed over. */
  readonly missed: number;
  readonly lastMissedMs: number | undefined;
  /** Nobody can have sent anything for this slot before: it is new, or whoever had it knows that nothing went out. */
  readonly isUnsent: boolean;
  /** How often this process has tried it before. */
  readonly tries: number;
  /** Until when nobody else may work on it, by the database's clock; moves on when it is renewed. */
  untilMs: number;
  /** The same by the time that has passed here, and a little sooner: after it, nothing may be sent. */
  safeUntilElapsedMs: number;
}

/**
 * The slot that counts now. A claim that has run out is settled first. Otherwise it is the last slot that has come;
 * those before it that nobody has worked on are missed.
 */
function chooseSlot(
  { record, settings }: DueBoard,
  nowMs: number,
): Pick<HeldSlot, "record" | "settings" | "slotMs" | "nextSlotMs" | "missed" | "lastMissedMs"> {
  const { missed, lastMissedMs, claimedSlotMs, nextSlotMs = nowMs } = record;
  if (claimedSlotMs !== undefined) {
    return { record, settings, slotMs: claimedSlotMs, nextSlotMs: record.nextSlotMs, missed, lastMissedMs };
  }
  const { schedule } = settings;
  // The rules of a time zone may have changed since the next slot was worked out: it counts as it was promised.
  const slotMs = Math.max(nextSlotMs, lastSlot(schedule, nowMs) ?? nextSlotMs);
  const passed = slotMs === nextSlotMs ? 0 : countSlots(schedule, nextSlotMs - 1, slotMs - 1);
  return {
    record,
    settings,
    slotMs,
    nextSlotMs: nextSlot(schedule, nowMs),
    missed: missed + passed,
    lastMissedMs: passed === 0 ? lastMissedMs : lastSlot(schedule, slotMs - 1),
  };
}

/** What the row of a claimed slot says, so that a change by anybody else is noticed. */
function seenAs({ nextSlotMs, slotMs, untilMs }: HeldSlot): BoardClaim["seen"] {
  return { nextSlotMs, claimedSlotMs: slotMs, claimedUntilMs: untilMs };
}

/** What keeps a slot claimed for so long, as far as it does not depend on what the row says before. */
function claimOf(
  { record, slotMs, nextSlotMs, lastMissedMs }: Omit<HeldSlot, "untilMs">,
  forMs: number,
): Omit<BoardClaim, "seen"> {
  return { id: record.id, slotMs, forMs, nextSlotMs, missed: 0, lastMissedMs };
}
