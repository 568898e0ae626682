// Answers of a service, kept for a while: many who ask the same cost one request, and an old answer is better
// than none. What it keeps is gone after a restart.
import { LRUCache } from "lru-cache";
import { currentAsker, currentTrace } from "../core/asker.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceError, type ServiceErrorKind, type SpentShare, isShareSpent } from "../core/errors.ts";
import type { Purpose } from "../plan/spending-table.ts";

/**
 * How long an answer counts as new. The transport service's data changes once a minute; boards ask every minute by ticks that are
 * sometimes a little less than a minute apart.
 */
export const FRESH_MS = 55_000;

export interface Answer<T> {
  readonly value: T;
  /** Milliseconds since it was asked for. */
  readonly ageMs: number;
  /** Whether it is older than it should be, because asking again failed. */
  readonly stale: boolean;
  /** Why asking again failed; set where it is stale. */
  readonly failure: ServiceError | undefined;
}

export interface Staleness {
  /** At least 1. */
  readonly ageMinutes: number;
  /** Why the service could not be asked again. */
  readonly why: ServiceErrorKind | SpentShare;
  /** Which service that was. Default the transport service. */
  readonly service?: string | undefined;
}

/** `stale`: an old one, since asking failed. */
export type CacheOutcome = "hit" | "miss" | "stale" | "failed";

export type Answers = ReturnType<typeof createAnswers>;

/** Failures that say nothing about the question: asked at another time, it would be answered. */
const TRANSIENT_KINDS: ReadonlySet<ServiceErrorKind> = new Set([
  "budget-spent",
  "rate-limited",
  "timeout",
  "unavailable",
]);

interface Entry {
  readonly value: unknown;
  readonly askedAtMs: number;
}

interface FetchContext {
  readonly fetch: () => Promise<unknown>;
  readonly purpose: Purpose;
  readonly userId: string | undefined;
}

/** Tells all who wait for whom it was that asking failed; none of them sees it. */
class FailedFetch extends Error {
  readonly context: FetchContext;

  constructor(context: FetchContext, cause: unknown) {
    super("a question could not be answered", { cause });
    this.context = context;
  }

  /** Whether it failed only because the plan, or a person's share of it, had nothing left for the one who asked. */
  mayRetryFor({ purpose, userId }: FetchContext): boolean {
    const isSpent = this.cause instanceof ServiceError && this.cause.kind === "budget-spent";
    return (
      (isSpent && purpose !== this.context.purpose) ||
      (isShareSpent(this.cause) && userId !== this.context.userId)
    );
  }
}

/** A store for one service, which asks once for what many want to know. */
export function createAnswers({
  clock,
  freshMs,
  staleMs,
  maxEntries = 200,
  onOutcome = () => undefined,
}: {
  readonly clock: Clock;
  /** Younger answers are given without asking again. */
  readonly freshMs: number;
  /** Older answers are never given. */
  readonly staleMs: number;
  /** How many are kept; those not asked for longest go first. Default 200: boards of large stations take 100 KB each. */
  readonly maxEntries?: number;
  /** Called for each question with where its answer came from: `hit` also if others were already asking. Optional. */
  readonly onOutcome?: ((from: CacheOutcome) => void) | undefined;
}) {
  const cache = new LRUCache<string, Entry, FetchContext>({
    max: maxEntries,
    ttl: freshMs,
    // The library's own clock stands still for a millisecond by means of a timer; ours needs none.
    perf: clock,
    ttlResolution: 0,
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    // What is pushed out while it is under way is still wanted by those who wait.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _old, { context }) {
      const askedAtMs = clock.now();
      try {
        return { value: await context.fetch(), askedAtMs };
      } catch (cause) {
        throw new FailedFetch(context, cause);
      }
    },
  });

  function answer<T>({ value, askedAtMs }: Entry, failure?: ServiceError): Answer<T> {
    const ageMs = Math.max(0, clock.now() - askedAtMs);
    // A key is only ever used with one kind of answer, as `ask` demands.
    return { value: value as T, ageMs, stale: failure !== undefined, failure };
  }

  /** A clock was wrong once: what was asked when it was ahead would count as fresh until that moment. */
  function isFromAhead(entry: Entry | undefined): boolean {
    return entry !== undefined && entry.askedAtMs > clock.now() + freshMs;
  }

  /** The entry, if it may still be given. */
  function usable(entry: Entry | undefined): Entry | undefined {
    const isUsable = entry && !isFromAhead(entry) && clock.now() - entry.askedAtMs <= staleMs;
    return isUsable ? entry : undefined;
  }

  async function forceFetch(key: string, context: FetchContext): Promise<Entry> {
    try {
      const forceRefresh = isFromAhead(cache.peek(key, { allowStale: true }));
      return await cache.forceFetch(key, { context, forceRefresh });
    } catch (error) {
      if (!(error instanceof FailedFetch)) {
        throw error;
      }
      return error.mayRetryFor(context) ? forceFetch(key, context) : Promise.reject(error.cause);
    }
  }

  return {
    /**
     * Gives a fresh answer to `key`, or calls `fetch` once for all who wait for it. Where that fails and the failure is
     * transient, an answer up to `staleMs` old is given instead; otherwise throws what `fetch` throws. A key is only
     * ever used with one kind of answer. `purpose`: at whose expense it is asked. All wait for one request; but where
     * the plan has nothing left for the one who began it, those at others' expense ask themselves.
     */
    async ask<T>(key: string, fetch: () => Promise<T>, purpose: Purpose = "person"): Promise<Answer<T>> {
      let from: CacheOutcome = "hit";
      const ask = (): Promise<T> => {
        from = "miss";
        return fetch();
      };
      try {
        return answer<T>(await forceFetch(key, { fetch: ask, purpose, userId: currentAsker()?.userId }));
      } catch (error) {
        from = "failed";
        const old = usable(cache.peek(key, { allowStale: true }));
        if (old && isTransient(error)) {
          from = "stale";
          return answer<T>(old, error);
        }
        throw error;
      } finally {
        onOutcome(from);
        const trace = currentTrace();
        if (trace && (from === "hit" || from === "stale")) {
          trace.hits += 1;
        }
      }
    },
    /** The answer kept for this key, asking for none, however old up to `staleMs`. */
    peek<T>(key: string): Answer<T> | undefined {
      const entry = usable(cache.peek(key, { allowStale: true }));
      return entry && answer<T>(entry);
    },
    /** The answers kept for keys that begin so, asking for none, however old up to `staleMs`. */
    peekAll<T>(keyPrefix: string): readonly Answer<T>[] {
      return cache
        .dump()
        .filter(([key]) => key.startsWith(keyPrefix))
        .flatMap(([, { value }]) => usable(value) ?? [])
        .map((entry) => answer<T>(entry));
    },
  };
}

/** How old an answer is, for people; `undefined` for one that is as fresh as it should be. */
export function stalenessOf({ ageMs, failure }: Answer<unknown>): Staleness | undefined {
  return (
    failure && {
      ageMinutes: Math.max(1, Math.round(ageMs / 60_000)),
      why: isShareSpent(failure) ? failure.reason : failure.kind,
      service: failure.service,
    }
  );
}

/**
 * Whether the same question may well be answered at another time. Wider than the kinds that a start waits for
 * (`core/retry.ts`): a spent plan comes back within the hour.
 */
export function isTransient(error: unknown): error is ServiceError {
  return error instanceof ServiceError && TRANSIENT_KINDS.has(error.kind);
}
