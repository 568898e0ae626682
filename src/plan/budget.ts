// A paid service's plan: how many calls it allows, for whom, and who uses them.
import { LRUCache } from "lru-cache";
import { limitEntries } from "../core/cache-options.ts";
import { type Asker, currentAsker } from "../core/asker.ts";
import { CLOCK_TOLERANCE_MS, type Clock } from "../core/clock.ts";
import { ServiceError, type SpentShare } from "../core/errors.ts";
import type { Platform } from "../core/ports.ts";
import { createShares } from "./shares.ts";
import type { Purpose, SpendResult, SpendingTable } from "./spending-table.ts";
import { instantAt, DAY_MS } from "../time/wall-clock.ts";

export interface BudgetTerms {
  readonly calls: number;
  readonly windowMs: number;
}

/** Never exceeded. All processes with the same database share it. */
export type Budget = ReturnType<typeof createBudget>;

export interface Plan {
  readonly terms: BudgetTerms;
  readonly budget: Budget;
}

export interface BudgetState {
  readonly limit: number;
  readonly windowMs: number;
  readonly used: number;
  /** How many calls people may still cause; 0 while the plan is closed. */
  readonly left: number;
  /** How many of those the asker may cause immediately; absent if there is no asker. */
  readonly share?: number;
  /** When the oldest call stops counting; absent if none counts. */
  readonly nextFreeAt?: Temporal.Instant;
  /** The service said that the plan is used up; absent if it is open. */
  readonly closedUntil?: Temporal.Instant;
}

// The budget relies on the database's count. The bot counts a call before it sends it; the service counts it on arrival.

export const PLANNED_SERVICES = ["transport", "rail-data", "tfl", "style"] as const;
export type PlannedService = (typeof PLANNED_SERVICES)[number];

/** The timeouts of `sources/ask.ts` and `style-client.ts`: until then, a request may still arrive. */
const LONGEST_REQUEST_MS: Readonly<Record<PlannedService, number>> = {
  transport: 10_000,
  "rail-data": 10_000,
  tfl: 10_000,
  style: 65_000,
};
/** If the database takes longer to count a call, the call is not sent. */
const LONGEST_COUNT_MS = 15_000;

/**
 * A call counts this much longer than the window. The service counts on arrival, and some calls are delayed:
 * a delayed call and a prompt one after it must be a window apart by the service's count too.
 */
export const WINDOW_MARGIN_MS = LONGEST_REQUEST_MS.transport + LONGEST_COUNT_MS + CLOCK_TOLERANCE_MS;

/** Larger plans are counted in steps of time, so that the database never adds up millions of rows. */
const MAX_SINGLE_CALLS = 5_000;
const STEPS = 2_000;

function stepOf({ calls, windowMs }: BudgetTerms): number {
  return calls <= MAX_SINGLE_CALLS ? 1 : Math.ceil(windowMs / STEPS);
}

export function countedMs(terms: BudgetTerms, service: PlannedService = "transport"): number {
  const extraMs = LONGEST_REQUEST_MS[service] - LONGEST_REQUEST_MS.transport;
  return terms.windowMs + WINDOW_MARGIN_MS + extraMs + stepOf(terms) - 1;
}

/** The share of a plan that boards leave to people. */
const RESERVE_SHARE = 0.2;

/** The service does not say when its own window ends, so the bot asks again after some minutes, at most an hour. */
const SHORTEST_CLOSING_MS = 5 * 60_000;
const LONGEST_CLOSING_MS = 60 * 60_000;

/** The share of a plan that people leave to boards and watches if those need that much. */
const BOARDS_SHARE = 0.5;

/** How long a refusal is repeated without asking the database. */
const REFUSAL_MS = 60_000;
const MAX_REFUSALS = 10_000;

interface Refusal {
  readonly reason: SpentShare;
  /** When the asker can probably ask again, in elapsed time. */
  readonly endsAtMs: number;
  readonly repeatedUntilMs: number;
}

/** How many of a plan's calls are reserved for people and not for boards: at least one, unless the plan has only one. */
export function reservedForPeople(calls: number): number {
  return Math.min(Math.max(1, Math.ceil(calls * RESERVE_SHARE)), calls - 1);
}

export function createBudget(
  deps: Pick<Platform, "clock" | "log"> & {
    /** The service's name in errors and in the database. Default `transport`. */
    readonly service?: PlannedService;
    readonly spending: SpendingTable;
    readonly terms: BudgetTerms;
  },
) {
  const { service = "transport", spending, terms, clock, log } = deps;
  const { calls } = terms;
  const windowMs = countedMs(terms, service);
  const asked = { service, windowMs };
  const floors = { person: reservedForPeople(calls), board: Math.floor(calls * BOARDS_SHARE) };
  const plan = { ...asked, limit: calls, stepMs: stepOf(terms), floors };
  const shares = createShares({ windowMs, clock });
  const refusals = new LRUCache<string, Refusal>(limitEntries(MAX_REFUSALS));

  function spent(message: string, retryAfterMs: number | undefined, reason?: SpentShare): ServiceError {
    return new ServiceError(service, "budget-spent", message, { retryAfterMs, reason });
  }

  /** Throws `budget-spent` if the plan has no room for it at all. `leave`: calls that must remain. */
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

  /** A person must leave some calls for others. If they do not, the log says who it was. */
  async function takeFor(asker: Asker, weight: number): Promise<void> {
    const key = `${asker.userId} ${asker.guildId}`;
    const known = refusals.get(key);
    if (known !== undefined && clock.elapsed() < known.repeatedUntilMs) {
      throw spent("the share is still used up", known.endsAtMs - clock.elapsed(), known.reason);
    }
    const leave = shares.leave(asker);
    // Charged before the call is counted, because others of the same server may ask meanwhile.
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
     * Counts a call that is about to be sent. Throws a ServiceError `budget-spent` if there is no room for
     * it, and then nothing may be sent. The error has the wait in `retryAfterMs` if it is known, and a
     * `reason` if only a share is used up.
     */
    async take(purpose: Purpose, weight = 1): Promise<void> {
      const asker = purpose === "person" ? currentAsker() : undefined;
      await (asker === undefined
        ? count(purpose, weight, 0)
        : shares.inTurn(asker, () => takeFor(asker, weight)));
    },
    /** People leave boards and watches `wanted` calls, but at most half of the plan. */
    reserveForBoards: (wanted: number): Promise<void> =>
      spending.setBoardsDemand(service, Math.min(floors.board, Math.ceil(wanted))),
    /**
     * Closes the plan for as long as the service asks; by default until the next call stops counting. Returns how long it is
     * closed, in milliseconds.
     */
    async closeFor(askedMs: number | undefined): Promise<number> {
      const nowMs = clock.now();
      const { nextFreeAtMs = nowMs } = await spending.read(asked);
      const waitMs = askedMs ?? Math.min(nextFreeAtMs - nowMs, LONGEST_CLOSING_MS);
      const closedForMs = Math.min(Math.max(waitMs, SHORTEST_CLOSING_MS), windowMs);
      await spending.close(service, closedForMs);
      return closedForMs;
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
        ...(nextFreeAtMs !== undefined && { nextFreeAt: instantAt(nextFreeAtMs) }),
        ...(closedUntilMs !== undefined && { closedUntil: instantAt(closedUntilMs) }),
      };
    },
  };
}

// Who uses the plans, for the operator. Kept in memory, for this process only.

export interface PlanUse {
  /** A server's id; `boards` for boards and watches; `elsewhere` for people outside of servers that have the bot. */
  readonly by: string;
  readonly calls: Readonly<Record<string, number>>;
}

export function createPlanUses(clock: Pick<Clock, "now">) {
  let day = -1;
  let uses = new Map<string, Record<string, number>>();
  const wanted = new Map<string, number>();

  /** The uses since midnight UTC. */
  function ofToday(): Map<string, Record<string, number>> {
    const today = Math.floor(clock.now() / DAY_MS);
    if (today !== day) {
      day = today;
      uses = new Map();
    }
    return uses;
  }

  return {
    of: (service: string, budget: Budget): Budget => ({
      ...budget,
      async take(purpose, weight = 1) {
        await budget.take(purpose, weight);
        const by = purpose === "board" ? "boards" : (currentAsker()?.guildId ?? "elsewhere");
        const calls = ofToday().get(by) ?? {};
        calls[service] = (calls[service] ?? 0) + weight;
        ofToday().set(by, calls);
      },
      async reserveForBoards(calls) {
        wanted.set(service, calls);
        await budget.reserveForBoards(calls);
      },
    }),
    /** How many calls boards and watches want in a plan's window; `undefined` if this process does not know yet. */
    boardsWant: (service: string): number | undefined => wanted.get(service),
    /** Most calls first. */
    today(): readonly PlanUse[] {
      const sum = ({ calls }: PlanUse) => Object.values(calls).reduce((total, count) => total + count, 0);
      return [...ofToday()].map(([by, calls]) => ({ by, calls })).toSorted((a, b) => sum(b) - sum(a));
    },
  };
}
