// Claims slots, and remembers those that this process could not finish.
import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { limitEntries } from "../../core/cache-options.ts";
import type { BoardClaim, BoardsTable } from "../boards-table.ts";
import type { Claim, WriteClaims } from "../../delivery/runner.ts";
import type { RetryLater } from "../../delivery/deliver.ts";
import { MAX_CACHED, type Subscription, createBoardReader } from "../boards.ts";
import { addOfflineSlots } from "../slot-history.ts";
import { countSlots, lastSlot, nextSlot } from "../../time/slots.ts";
import { MINUTE_MS } from "../../time/wall-clock.ts";

/** Its key is the board's id. */
export interface ClaimedSlot extends Claim, BoardClaim {
  readonly board: Subscription;
  /** What delayed the slot when this process tried it before. */
  readonly delayedBy: "discord" | "late" | undefined;
  /** Whether certainly nothing was sent: the slot is new, or this process tried it and knows. */
  readonly isUnsent: boolean;
  /** How often this process has tried the slot before. */
  readonly tries: number;
  /** The row's values as this process last read or wrote them, so that a change by another process is noticed. */
  seen: BoardClaim["seen"];
}

export function createSlotClaims(boards: Pick<BoardsTable, "claim">, clock: Clock) {
  /** Claims that this process released. Their `isUnsent` is valid only while the row is unchanged. */
  const tried = new LRUCache<string, ClaimedSlot>(limitEntries(MAX_CACHED));

  const write: WriteClaims<ClaimedSlot> = async (slots, forMs) => {
    const untilMs = await boards.claim(slots, forMs);
    return new Set(
      slots.filter((slot) => {
        const { key, slotMs, nextSlotMs } = slot;
        const claimedUntilMs = untilMs.get(key);
        if (claimedUntilMs !== undefined) {
          slot.seen = { ...slot.seen, nextSlotMs, claimedSlotMs: slotMs, claimedUntilMs };
          tried.delete(key);
        }
        return claimedUntilMs !== undefined;
      }),
    );
  };

  return {
    write,

    slotOf(board: Subscription): ClaimedSlot {
      const { id, claimedSlotMs, claimedUntilMs } = board;
      const before = tried.get(id);
      const isSame = before !== undefined && before.slotMs === claimedSlotMs;
      const isUnsent = isSame && before.isUnsent && before.seen.claimedUntilMs === claimedUntilMs;
      return {
        board,
        ...chooseSlot(board, clock.now()),
        id,
        key: id,
        isUnsent: claimedSlotMs === undefined || isUnsent,
        tries: isSame ? before.tries : 0,
        delayedBy: isSame ? before.delayedBy : undefined,
        seen: board,
        safeUntilElapsedMs: -Infinity,
      };
    },

    /** This process remembers whether nothing was sent. */
    async release(
      slot: ClaimedSlot,
      { waitMs, isUnsent, delayedBy }: RetryLater & { readonly delayedBy?: "late" },
    ): Promise<void> {
      const isOurs = (await write([slot], waitMs)).has(slot);
      tried.set(slot.key, {
        ...slot,
        isUnsent: isUnsent && isOurs,
        tries: slot.tries + 1,
        delayedBy: delayedBy ?? "discord",
      });
    },
  };
}

const NONE_MISSED = { missed: 0, lastMissedMs: undefined, history: undefined } as const;

/** The slot of an expired claim, or else the last that has come. Earlier ones are missed. */
function chooseSlot(
  board: Subscription,
  nowMs: number,
): Pick<ClaimedSlot, "slotMs" | "nextSlotMs" | "missed" | "lastMissedMs" | "history"> {
  const { claimedSlotMs, history } = board;
  const { schedule } = board.settings;
  if (claimedSlotMs !== undefined) {
    return { slotMs: claimedSlotMs, nextSlotMs: board.nextSlotMs, ...NONE_MISSED };
  }
  const { nextSlotMs: promisedMs = nowMs } = board;
  // The time zone's rules may have changed since the next slot was computed. The slot that members were shown counts.
  const slotMs = Math.max(promisedMs, lastSlot(schedule, nowMs) ?? promisedMs);
  const nextSlotMs = nextSlot(schedule, nowMs);
  if (slotMs === promisedMs) {
    return { slotMs, nextSlotMs, ...NONE_MISSED };
  }
  const missed = countSlots(schedule, promisedMs - 1, slotMs - 1);
  const lastMs = Math.max(promisedMs, lastSlot(schedule, slotMs - 1) ?? promisedMs);
  const away = { fromMs: promisedMs, toMs: slotMs, lastMs, count: missed };
  return {
    slotMs,
    nextSlotMs,
    missed,
    lastMissedMs: lastMs,
    history: addOfflineSlots(history, schedule, away),
  };
}

/**
 * Prepares the boards of a backup. It was made at `sinceMs` and does not know what was sent since, so slots up to `nowMs`
 * are skipped.
 */
export async function prepareRestoredBoards(
  boards: Pick<BoardsTable, "active" | "change">,
  { sinceMs, nowMs, log }: { readonly sinceMs: number; readonly nowMs: number; readonly log: Log },
): Promise<void> {
  for (const { id, claimedSlotMs, settings } of createBoardReader(log)(await boards.active())) {
    await boards.change(id, {
      // As if a process had died during this slot: the runner then searches for a message that was sent since, and keeps it.
      claimedSlotMs: claimedSlotMs ?? sinceMs - (sinceMs % MINUTE_MS),
      claimedUntilMs: sinceMs,
      nextSlotMs: nextSlot(settings.schedule, nowMs),
      shownHash: undefined,
    });
  }
}
