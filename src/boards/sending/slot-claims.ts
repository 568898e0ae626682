// The slots that this process works on. A claim is short and is renewed while the work goes on, so that the slot of a
// process that died is taken over while it may still be sent.
import type { Clock } from "../../core/clock.ts";
import type { BoardClaim, BoardOutcome, BoardRecord, BoardsTable } from "../boards-table.ts";
import { chunk, createBeginInTurn } from "../../delivery/under-way.ts";
import type { BoardSettings } from "../boards.ts";
import { countSlots, lastSlot, nextSlot } from "../../time/slots.ts";

/** Three beats of the runner: a claim that is renewed at each of them outlives two that do not come. */
const CLAIM_MS = 30_000;
/** The embedded database answers nobody else meanwhile, and nor does the process: some 10 ms. */
const AT_ONCE = 50;

export type SlotClaims = ReturnType<typeof createSlotClaims>;

/** The claims of one process, and what becomes of them. All of it throws as the database does. */
export function createSlotClaims(boards: Pick<BoardsTable, "claim" | "finish">, clock: Clock) {
  const inWork = new Map<string, ClaimedSlot>();
  /** What was released. That nothing was sent holds for as long as the row still says the same. */
  const tried = new Map<string, Pick<ClaimedSlot, "slotMs" | "untilMs" | "isUnsent" | "tries">>();

  const inTurn = createBeginInTurn();

  /** Moves the end of claims; gives the new ends of those that were still ours. */
  function extend(slots: readonly ClaimedSlot[], forMs: number): Promise<ReadonlyMap<string, number>> {
    return boards.claim(slots.map((slot) => ({ ...claimOf(slot, forMs), seen: seenAs(slot) })));
  }

  async function takePart(due: readonly DueBoard[]): Promise<readonly ClaimedSlot[]> {
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
    const taken = slots.flatMap((slot): readonly ClaimedSlot[] => {
      const untilMs = claimed.get(slot.record.id);
      return untilMs === undefined ? [] : [{ ...slot, untilMs }];
    });
    for (const slot of taken) {
      tried.delete(slot.record.id);
      inWork.set(slot.record.id, slot);
    }
    return taken;
  }

  return {
    count: () => inWork.size,
    has: (boardId: string) => inWork.has(boardId),

    /** Whether no other process can have taken it over: to be asked right before something is sent. */
    isSafe: (slot: ClaimedSlot) => clock.elapsed() < slot.safeUntilElapsedMs,

    /** Claims what is due, a part at a time; gives the slots that no other process was quicker to claim. */
    async take(due: readonly DueBoard[]): Promise<readonly ClaimedSlot[]> {
      const taken: ClaimedSlot[] = [];
      for (const part of chunk(due, AT_ONCE)) {
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

    /** Extends all claims. One that another process has taken over is kept, but is no longer safe. */
    async renew(): Promise<void> {
      for (const part of chunk([...inWork.values()], AT_ONCE)) {
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

    /** Ends a claim with its outcome, unless another process has taken it over. */
    async finish(slot: ClaimedSlot, outcome: BoardOutcome): Promise<void> {
      await boards.finish(slot.record.id, slot.slotMs, outcome);
      inWork.delete(slot.record.id);
    },

    /** Lets it be claimed again when `waitMs` have passed. This process remembers whether nothing was sent. */
    async release(slot: ClaimedSlot, waitMs: number, isUnsent: boolean): Promise<void> {
      const { id } = slot.record;
      const untilMs = (await extend([slot], waitMs)).get(id);
      inWork.delete(id);
      tried.set(id, {
        slotMs: slot.slotMs,
        untilMs: untilMs ?? 0,
        isUnsent: isUnsent && untilMs !== undefined,
        tries: slot.tries + 1,
      });
    },

    /** Stops the work on it; the claim runs out by itself. */
    drop(slot: ClaimedSlot): void {
      inWork.delete(slot.record.id);
    },

    /** Forgets what it remembers of boards that no longer run. */
    keepOnly(boardIds: ReadonlySet<string>): void {
      for (const id of tried.keys()) {
        if (!boardIds.has(id)) {
          tried.delete(id);
        }
      }
    },
  };
}

export interface DueBoard {
  readonly record: BoardRecord;
  readonly settings: BoardSettings;
}

/** A slot of a board that is claimed. */
export interface ClaimedSlot extends DueBoard {
  readonly slotMs: number;
  /** The board's next slot after this one. */
  readonly nextSlotMs: number | undefined;
  /** The board's count of missed slots, with those that this claim passed over. */
  readonly missed: number;
  readonly lastMissedMs: number | undefined;
  /** Nothing can have been sent for this slot before: it is new, or this process knows that nothing went out. */
  readonly isUnsent: boolean;
  /** How often this process has tried it before. */
  readonly tries: number;
  /** Until when nobody else may work on it, by the database's clock; moves on when it is renewed. */
  untilMs: number;
  /** The same by the time that has passed here, and a little sooner: after it, nothing may be sent. */
  safeUntilElapsedMs: number;
}

/**
 * The slot that counts now. A claim that has run out comes first. Otherwise it is the last slot that has come;
 * those before it that nobody has worked on are missed.
 */
function chooseSlot(
  { record, settings }: DueBoard,
  nowMs: number,
): Pick<ClaimedSlot, "record" | "settings" | "slotMs" | "nextSlotMs" | "missed" | "lastMissedMs"> {
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
function seenAs({ nextSlotMs, slotMs, untilMs }: ClaimedSlot): BoardClaim["seen"] {
  return { nextSlotMs, claimedSlotMs: slotMs, claimedUntilMs: untilMs };
}

/** What keeps a slot claimed for so long, as far as it does not depend on what the row says before. */
function claimOf(
  { record, slotMs, nextSlotMs, lastMissedMs }: Omit<ClaimedSlot, "untilMs">,
  forMs: number,
): Omit<BoardClaim, "seen"> {
  return { id: record.id, slotMs, forMs, nextSlotMs, missed: 0, lastMissedMs };
}
