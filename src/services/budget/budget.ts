// The transport service's plan: how much of it may be spent, and by whom.
import type { Temporal } from "temporal-polyfill";

/** Who wants to know: a person who waits, or a board that can wait. */
export type Purpose = "person" | "board";

/** What a plan allows. */
export interface BudgetTerms {
  /** Calls in any window. */
  readonly calls: number;
  /** Length of the window. */
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

/** How a plan stands. */
export interface BudgetState {
  /** Calls that the plan allows in any window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Calls that count at this moment. */
  readonly used: number;
  /** What people may still ask; 0 while it is closed. */
  readonly left: number;
  /** How many of `limit` are kept from boards. */
  readonly reserve: number;
  /** When the oldest call stops counting; absent while none counts. */
  readonly nextFreeAt?: Temporal.Instant;
  /** Until when the service has closed it; absent while it is open. */
  readonly closedUntil?: Temporal.Instant;
}
