// The slots that this process works on: which slot of a board counts, what its row says while it is claimed, and what this
// process remembers of slots that it could not finish.
import type { Clock } from "../../core/clock.ts";
import type { BoardClaim, BoardsTable } from "../boards-table.ts";
import type { Claim, WriteClaims } from "../../delivery/runner.ts";
import type { Later } from "../../delivery/deliver.ts";
import type { Subscription } from "../boards.ts";
import { noteAway } from "../slot-history.ts";
import { countSlots, lastSlot, nextSlot } from "../../time/slots.ts";

/** A slot of a board. Its key is the board's id. */
export interface ClaimedSlot extends Claim {
  readonly board: Subscription;
  readonly slotMs: number;
  /** The board's next slot after this one. */
  readonly nextSlotMs: number | undefined;
  /** How many slots before it nobody worked on. */
  readonly passed: number;
  readonly lastMissedMs: number | undefined;
  /** What the row says of earlier slots. */
  readonly history: string | undefined;
  /** What held it up when this process tried it before. */
  readonly delayedBy: "discord" | "late" | undefined;
  /** Nothing can have been sent for this slot before: it is new, or this process knows that nothing went out. */
  readonly isUnsent: boolean;
  /** How often this process has tried it before. */
  readonly tries: number;
  /** What the row says, so that a change by anybody else is noticed. */
  seen: BoardClaim["seen"];
}

/** All of it throws as the database does. */
export function createSlotClaims(boards: Pick<BoardsTable, "claim">, clock: Clock) {
  /** The claims that were released. That nothing was sent is true as long as the row is unchanged. */
  const tried = new Map<
    string,
    Pick<ClaimedSlot, "slotMs" | "isUnsent" | "tries" | "delayedBy"> & {
      readonly untilMs: number | undefined;
    }
  >();

  const write: WriteClaims<ClaimedSlot> = async (slots, forMs) => {
    const untilMs = await boards.claim(slots.map((slot) => claimOf(slot, forMs)));
    return new Set(
      slots.filter((slot) => {
        const { key, slotMs, nextSlotMs } = slot;
        const claimedUntilMs = untilMs.get(key);
        if (claimedUntilMs !== undefined) {
          slot.seen = { nextSlotMs, claimedSlotMs: slotMs, claimedUntilMs };
          tried.delete(key);
        }
        return claimedUntilMs !== undefined;
      }),
    );
  };

  return {
    write,

    /** The slot of a due board that counts now, to be claimed. */
    slotOf(board: Subscription): ClaimedSlot {
      const { id, claimedSlotMs, claimedUntilMs } = board;
      const before = tried.get(id);
      const isSame = before !== undefined && before.slotMs === claimedSlotMs;
      const isUnsent = isSame && before.isUnsent && before.untilMs === claimedUntilMs;
      return {
        board,
        ...chooseSlot(board, clock.now()),
        key: id,
        isUnsent: claimedSlotMs === undefined || isUnsent,
        tries: isSame ? before.tries : 0,
        delayedBy: isSame ? before.delayedBy : undefined,
        seen: board,
        safeUntilElapsedMs: -Infinity,
      };
    },

    /** Lets it be claimed again when `waitMs` have passed. This process remembers whether nothing was sent. */
    async release(
      slot: ClaimedSlot,
      { waitMs, isUnsent, delayedBy }: Later & { readonly delayedBy?: "late" },
    ): Promise<void> {
      const { key, slotMs, tries } = slot;
      const isOurs = (await write([slot], waitMs)).has(slot);
      const untilMs = isOurs ? slot.seen.claimedUntilMs : undefined;
      tried.set(key, {
        slotMs,
        untilMs,
        isUnsent: isUnsent && isOurs,
        tries: tries + 1,
        delayedBy: delayedBy ?? "discord",
      });
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

/**
 * The slot that counts now. A claim that has run out comes first. Otherwise it is the last slot that has come; those
 * before it that nobody has worked on are missed.
 */
function chooseSlot(
  board: Subscription,
  nowMs: number,
): Pick<ClaimedSlot, "slotMs" | "nextSlotMs" | "passed" | "lastMissedMs" | "history"> {
  const { lastMissedMs, claimedSlotMs, history } = board;
  const { schedule } = board.settings;
  if (claimedSlotMs !== undefined) {
    return { slotMs: claimedSlotMs, nextSlotMs: board.nextSlotMs, passed: 0, lastMissedMs, history };
  }
  const { nextSlotMs: promisedMs = nowMs } = board;
  // The rules of a time zone may have changed since the next slot was worked out: it counts as it was promised.
  const slotMs = Math.max(promisedMs, lastSlot(schedule, nowMs) ?? promisedMs);
  const nextSlotMs = nextSlot(schedule, nowMs);
  if (slotMs === promisedMs) {
    return { slotMs, nextSlotMs, passed: 0, lastMissedMs, history };
  }
  const passed = countSlots(schedule, promisedMs - 1, slotMs - 1);
  const lastMs = Math.max(promisedMs, lastSlot(schedule, slotMs - 1) ?? promisedMs);
  const away = { fromMs: promisedMs, toMs: slotMs, lastMs, count: passed };
  return { slotMs, nextSlotMs, passed, lastMissedMs: lastMs, history: noteAway(history, schedule, away) };
}

function claimOf(slot: ClaimedSlot, forMs: number): BoardClaim {
  const { key, slotMs, nextSlotMs, lastMissedMs, seen } = slot;
  // What nobody worked on is counted once: when the slot is claimed for the first time.
  const missed = seen.claimedSlotMs === undefined ? slot.passed : 0;
  const history = missed === 0 ? undefined : slot.history;
  return { id: key, seen, slotMs, forMs, nextSlotMs, missed, lastMissedMs, history };
}
