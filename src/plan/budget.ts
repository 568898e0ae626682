// A paid service's plan: how much of it may be spent, and by whom.
import { LRUCache } from "lru-cache";
import { limitEntries } from "../core/cache-options.ts";
import { type Asker, currentAsker } from "../core/asker.ts";
import { CLOCK_TOLERANCE_MS, type Clock } from "../core/clock.ts";
import { ServiceError, type SpentShare } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { createShares } from "./shares.ts";
import type { Purpose, SpendResult, SpendingTable } from "./spending-table.ts";

export interface BudgetTerms {
  readonly calls: number;
  readonly windowMs: number;
}

/** A plan that is never overdrawn, shared by all processes on one database. */
export type Budget = ReturnType<typeof createBudget>;

/** A service's plan as the operator set it, and the budget that counts its calls. */
export interface Plan {
  readonly terms: BudgetTerms;
  readonly budget: Budget;
}

export interface BudgetState {
  /** Calls that the plan allows in any window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Calls that count at this moment. */
  readonly used: number;
  /** What people may still ask; 0 while it is closed. */
  readonly left: number;
  /** How much of that the person who asks may use at once; absent where nobody does. */
  readonly share?: number;
  /** When the oldest call stops counting; absent while none counts. */
  readonly nextFreeAt?: Temporal.Instant;
  /** Until when the service has closed it; absent while it is open. */
  readonly closedUntil?: Temporal.Instant;
}

// The budget over the database's count. A call is counted before it is sent; the service counts it when it comes in.

/** Services with a plan. */
export const PLANNED_SERVICES = ["transport", "rail-data", "tfl", "style"] as const;
export type PlannedService = (typeof PLANNED_SERVICES)[number];

/**
 * An attempt is given up after this time (`ask.ts` of each source, `pictures/client/style-client.ts`). Until then it may still
 * reach the service.
 */
const LONGEST_REQUEST_MS: Readonly<Record<PlannedService, number>> = {
  transport: 10_000,
  "rail-data": 10_000,
  tfl: 10_000,
  style: 65_000,
};
/** Where the database takes longer to confirm a call, nothing is sent. */
const LONGEST_COUNT_MS = 15_000;

/**
 * A call goes on counting for this long beyond the window. The service counts calls when they come in, some at once
 * and some late: even a late one and a prompt one after it must lie a whole window apart there.
 */
export const WINDOW_MARGIN_MS = LONGEST_REQUEST_MS.transport + LONGEST_COUNT_MS + CLOCK_TOLERANCE_MS;

/** Larger plans are counted in steps of the window, so that the database never adds up millions of rows. */
const MOST_SINGLE_CALLS = 5_000;
const STEPS = 2_000;

function stepOf({ calls, windowMs }: BudgetTerms): number {
  return calls <= MOST_SINGLE_CALLS ? 1 : Math.ceil(windowMs / STEPS);
}

/** For how long a call counts. */
export function countedMs(terms: BudgetTerms, service: PlannedService = "transport"): number {
  const extraMs = LONGEST_REQUEST_MS[service] - LONGEST_REQUEST_MS.transport;
  return terms.windowMs + WINDOW_MARGIN_MS + extraMs + stepOf(terms) - 1;
}

/** The share of a plan that boards leave to people. */
const RESERVE_SHARE = 0.2;

/** The service does not say when its own window turns: ask again after some minutes, and within an hour. */
const SHORTEST_CLOSING_MS = 5 * 60_000;
const LONGEST_CLOSING_MS = 60 * 60_000;

/** The share of a plan that people leave to boards and watches, where these want as much. */
const BOARDS_SHARE = 0.5;

/** For this long, a refusal is repeated without asking the database. */
const REFUSAL_MS = 60_000;
const MOST_REFUSALS = 10_000;

interface Refusal {
  readonly reason: SpentShare;
  /** When they may ask again, as far as is known; elapsed time. */
  readonly endsAtMs: number;
  readonly repeatedUntilMs: number;
}

/** How many of a plan's calls are kept from boards: at least one, unless there is only one. */
export function reservedForPeople(calls: number): number {
  return Math.min(Math.max(1, Math.ceil(calls * RESERVE_SHARE)), calls - 1);
}

export function createBudget({
  service = "transport",
  spending,
  terms,
  clock,
  log,
}: {
  /** Whose plan it is, in errors and in the database. Default `transport`. */
  readonly service?: PlannedService;
  readonly spending: SpendingTable;
  readonly terms: BudgetTerms;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { calls } = terms;
  const windowMs = countedMs(terms, service);
  const asked = { service, windowMs };
  const floors = { person: reservedForPeople(calls), board: Math.floor(calls * BOARDS_SHARE) };
  const plan = { ...asked, limit: calls, stepMs: stepOf(terms), floors };
  const shares = createShares({ windowMs, clock });
  const refusals = new LRUCache<string, Refusal>(limitEntries(MOST_REFUSALS));

  function spent(message: string, retryAfterMs: number | undefined, reason?: SpentShare): ServiceError {
    return new ServiceError(service, "budget-spent", message, { retryAfterMs, reason });
  }

  /** Throws where the plan has no room, or where less than `leave` would remain. */
  async function count(purpose: Purpose, weight: number, leave: number): Promise<SpendResult> {
    const startedMs = clock.elapsed();
    const result = await spending.take({ ...plan, purpose, weight, leave });
    if (!result.taken && result.room < weight) {
      throw spent(`no call left for a ${purpose} by our own count`, result.freesInMs);
    }
    if (result.taken && clock.elapsed() - startedMs > LONGEST_COUNT_MS) {
      throw new ServiceError("storage", "unavailable", "the database took too long to count a call");
    }
    return result;
  }

  /** As a person asks who must leave something for others. Tells the operator who it was where they do not. */
  async function takeFor(asker: Asker, weight: number): Promise<void> {
    const key = `${asker.userId} ${asker.guildId}`;
    const known = refusals.get(key);
    if (known !== undefined && clock.elapsed() < known.repeatedUntilMs) {
      throw spent("the share is still used up", known.endsAtMs - clock.elapsed(), known.reason);
    }
    const leave = shares.leave(asker);
    // Before the call is counted: others of the same server may ask meanwhile.
    shares.charge(asker, weight);
    const result = await count("person", weight, leave).catch((error: unknown) => {
      shares.charge(asker, -weight);
      throw error;
    });
    if (result.taken) {
      return;
    }
    shares.charge(asker, -weight);
    const { reason, fadesInMs } = shares.refusal(asker, result.room - weight);
    const waitMs = Math.min(fadesInMs, result.freesInMs ?? windowMs);
    const nowMs = clock.elapsed();
    refusals.set(key, {
      reason,
      endsAtMs: nowMs + waitMs,
      repeatedUntilMs: nowMs + Math.min(waitMs, REFUSAL_MS),
    });
    const { userId: user, guildId: guild } = asker;
    const { person, server } = shares.levels(asker);
    const lately = { byUser: Math.round(person), byServer: Math.round(server) };
    log.warn({ service, user, guild, reason, ...lately, left: result.room }, "share of the plan used up");
    throw spent("the rest is left for others", waitMs, reason);
  }

  return {
    /**
     * Counts a call that is about to be sent; where a person asks (`core/asker.ts`), in their share too. Throws
     * ServiceError `budget-spent` where there is no room left for it, with the wait in `retryAfterMs` where it is known,
     * and a `reason` where only a share is used up; nothing may be sent then.
     */
    async take(purpose: Purpose, weight = 1): Promise<void> {
      const asker = purpose === "person" ? currentAsker() : undefined;
      await (asker === undefined
        ? count(purpose, weight, 0)
        : shares.inTurn(asker, () => takeFor(asker, weight)));
    },
    /** How many calls boards and watches want in a window: people leave them this many, up to half of the plan. */
    reserveForBoards: (wanted: number): Promise<void> =>
      spending.setBoardsDemand(service, Math.min(floors.board, Math.ceil(wanted))),
    /**
     * The service says that the plan is used up, although by our count it is not: closes it for the time that the
     * service asks for, or until the next call frees. Never for less than some minutes.
     */
    async closeFor(askedMs: number | undefined): Promise<void> {
      const nowMs = clock.now();
      const { nextFreeAtMs = nowMs } = await spending.read(asked);
      const waitMs = askedMs ?? Math.min(nextFreeAtMs - nowMs, LONGEST_CLOSING_MS);
      await spending.close(service, Math.min(Math.max(waitMs, SHORTEST_CLOSING_MS), windowMs));
    },
    async state(): Promise<BudgetState> {
      const { used, usedByPeople, boardsWant, nextFreeAtMs, closedUntilMs } = await spending.read(asked);
      const forPeople = calls - boardsWant - usedByPeople;
      const left = closedUntilMs === undefined ? Math.max(0, Math.min(calls - used, forPeople)) : 0;
      const asker = currentAsker();
      return {
        limit: calls,
        windowMs: terms.windowMs,
        used,
        left,
        ...(asker && { share: shares.count(asker, left) }),
        ...(nextFreeAtMs !== undefined && { nextFreeAt: instant(nextFreeAtMs) }),
        ...(closedUntilMs !== undefined && { closedUntil: instant(closedUntilMs) }),
      };
    },
  };
}

function instant(atMs: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(atMs);
}
