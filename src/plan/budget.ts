// The transport service's plan: how much of it may be spent, and by whom.
import { Temporal } from "temporal-polyfill";
import { CLOCK_TOLERANCE_MS, type Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { SpendingTable } from "./spending-table.ts";

/** Who wants to know: a person who waits, or a board that can wait. */
export type Purpose = "person" | "board";

export interface BudgetTerms {
  readonly calls: number;
  readonly windowMs: number;
}

/** A plan that is never overdrawn, shared by all processes on one database. */
export interface Budget {
  /**
   * Counts a call that is about to be sent. Throws ServiceError `budget-spent` of `transport` where there is no room
   * left for it, with the wait in `retryAfterMs` where it is known; nothing may be sent then.
   */
  take(purpose: Purpose, weight?: number): Promise<void>;
  /**
   * The service says that the plan is used up, although by our count it is not: closes it for the time that the
   * service asks for, or until the next call frees. Never for less than some minutes.
   */
  closeFor(askedMs: number | undefined): Promise<void>;
  state(): Promise<BudgetState>;
}

export interface BudgetState {
  /** Calls that the plan allows in any window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Calls that count at this moment. */
  readonly used: number;
  /** What people may still ask; 0 while it is closed. */
  readonly left: number;
  readonly reserve: number;
  /** When the oldest call stops counting; absent while none counts. */
  readonly nextFreeAt?: Temporal.Instant;
  /** Until when the service has closed it; absent while it is open. */
  readonly closedUntil?: Temporal.Instant;
}

// The budget over the database's count. A call is counted before it is sent; the service counts it when it comes in.

/** An attempt is given up after so long (`sources/transport-api/ask.ts`): until then it may reach the service. */
const LONGEST_WAY_MS = 10_000;
/** Where the database takes longer to confirm a call, nothing is sent. */
const LONGEST_COUNT_MS = 15_000;

/**
 * For so long beyond the window a call goes on counting. The service counts calls when they come in, some at once
 * and some late: even a late one and a prompt one after it must lie a whole window apart there.
 */
export const WINDOW_MARGIN_MS = LONGEST_WAY_MS + LONGEST_COUNT_MS + CLOCK_TOLERANCE_MS;

/** The share of a plan that boards leave to people. */
const RESERVE_SHARE = 0.2;

/** The service does not say when its own window turns: ask again after some minutes, and within an hour. */
const SHORTEST_CLOSING_MS = 5 * 60_000;
const LONGEST_CLOSING_MS = 60 * 60_000;

const SERVICE = "transport";

/** How many of a plan's calls are kept from boards: at least one, unless there is only one. */
export function reserveOf(calls: number): number {
  return Math.min(Math.max(1, Math.ceil(calls * RESERVE_SHARE)), calls - 1);
}

export function createBudget({
  spending,
  terms,
  clock,
}: {
  readonly spending: SpendingTable;
  readonly terms: BudgetTerms;
  readonly clock: Clock;
}): Budget {
  const { calls } = terms;
  const windowMs = terms.windowMs + WINDOW_MARGIN_MS;
  const reserve = reserveOf(calls);
  const limits: Readonly<Record<Purpose, number>> = { person: calls, board: calls - reserve };
  const asked = { service: SERVICE, windowMs };

  return {
    async take(purpose, weight = 1) {
      const startedMs = clock.elapsed();
      const result = await spending.take({ ...asked, limit: limits[purpose], weight });
      if (!result.taken) {
        throw new ServiceError(SERVICE, "budget-spent", `no call left for a ${purpose} by our own count`, {
          retryAfterMs: result.freesInMs,
        });
      }
      if (clock.elapsed() - startedMs > LONGEST_COUNT_MS) {
        throw new ServiceError("storage", "unavailable", "the database took too long to count a call");
      }
    },
    async closeFor(askedMs) {
      const nowMs = clock.now();
      const { nextFreeAtMs = nowMs } = await spending.read(asked);
      const waitMs = askedMs ?? Math.min(nextFreeAtMs - nowMs, LONGEST_CLOSING_MS);
      await spending.close(SERVICE, Math.min(Math.max(waitMs, SHORTEST_CLOSING_MS), windowMs));
    },
    async state() {
      const { used, nextFreeAtMs, closedUntilMs } = await spending.read(asked);
      return {
        limit: calls,
        windowMs: terms.windowMs,
        used,
        left: closedUntilMs === undefined ? Math.max(0, calls - used) : 0,
        reserve,
        ...(nextFreeAtMs !== undefined && { nextFreeAt: instant(nextFreeAtMs) }),
        ...(closedUntilMs !== undefined && { closedUntil: instant(closedUntilMs) }),
      };
    },
  };
}

function instant(atMs: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(atMs);
}
