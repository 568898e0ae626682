// Caches a service's answers: the same question is asked once, and if it fails, an old answer is better than none.
import { LRUCache } from "lru-cache";
import { currentAsker, currentTrace } from "../core/asker.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceError, type ServiceErrorKind, type SpentShare, isShareSpent } from "../core/errors.ts";
import type { Purpose } from "../plan/spending-table.ts";

/** The data changes every minute. Boards ask as often, but their ticks may be a little less than that apart. */
export const FRESH_MS = 55_000;

export interface Answer<T> {
  readonly value: T;
  /** Milliseconds since the request. */
  readonly ageMs: number;
  /** Why a new request failed; `undefined` if the answer is fresh. */
  readonly failure: ServiceError | undefined;
}

export interface Staleness {
  /** At least 1. */
  readonly ageMinutes: number;
  readonly why: ServiceErrorKind | SpentShare;
  /** The service that failed. Default: the transport service. */
  readonly service?: string | undefined;
}

/** How the cache answered. `stale`: an old answer, because the request failed. */
export type CacheOutcome = "hit" | "miss" | "stale" | "failed";

export type Answers = ReturnType<typeof createAnswers>;

/** Failures that say nothing about the question: at another time, it would be answered. */
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

/** Carries the caller of a failed request to everyone who waits for it. Only its cause leaves this file. */
class FailedFetch extends Error {
  readonly context: FetchContext;

  constructor(context: FetchContext, cause: unknown) {
    super("a question could not be answered", { cause });
    this.context = context;
  }

  /** Whether the plan had no call left for the first caller, while this caller may have one. */
  mayRetryFor({ purpose, userId }: FetchContext): boolean {
    const isSpent = this.cause instanceof ServiceError && this.cause.kind === "budget-spent";
    return (
      (isSpent && purpose !== this.context.purpose) ||
      (isShareSpent(this.cause) && userId !== this.context.userId)
    );
  }
}

/** Simultaneous questions with the same key share one request. */
export function createAnswers(options: {
  readonly clock: Clock;
  /** Younger answers are returned without a request. */
  readonly freshMs: number;
  /** Older answers are never returned. */
  readonly staleMs: number;
  /** The least recently used are dropped first. Default 200: boards of large stations take 100 KB each. */
  readonly maxEntries?: number;
  /** Called for each question. An answer to a request that was already under way also counts as a `hit`. */
  readonly onOutcome?: ((from: CacheOutcome) => void) | undefined;
}) {
  const { clock, freshMs, staleMs, maxEntries = 200, onOutcome = () => undefined } = options;
  const cache = new LRUCache<string, Entry, FetchContext>({
    max: maxEntries,
    ttl: freshMs,
    // By default, the library caches the time for a millisecond, with a timer. Our clock needs no timer.
    perf: clock,
    ttlResolution: 0,
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    // If a pending request is dropped from the cache, its callers still wait for the answer.
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
    // `ask` demands that a key is only ever used with one type of answer.
    return { value: value as T, ageMs, failure };
  }

  /** Whether the clock was ahead at the time of the request: the entry would count as fresh until the clock catches up. */
  function isFromFuture(entry: Entry | undefined): boolean {
    return entry !== undefined && entry.askedAtMs > clock.now() + freshMs;
  }

  function usable(entry: Entry | undefined): Entry | undefined {
    const isUsable = entry && !isFromFuture(entry) && clock.now() - entry.askedAtMs <= staleMs;
    return isUsable ? entry : undefined;
  }

  async function forceFetch(key: string, context: FetchContext): Promise<Entry> {
    try {
      const forceRefresh = isFromFuture(cache.peek(key, { allowStale: true }));
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
     * Returns a fresh answer for `key`, or calls `fetch` once for everyone who waits for it. If that fails with a transient
     * error, returns an answer that is up to `staleMs` old; otherwise throws what `fetch` throws. A key must only ever be
     * used with one type of answer. `purpose`: whose part of the plan pays. If a request fails because the plan has no
     * call left for its caller, waiting callers with another purpose or share make their own request.
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
    /** The cached answer for this key, up to `staleMs` old. Sends nothing. */
    peek<T>(key: string): Answer<T> | undefined {
      const entry = usable(cache.peek(key, { allowStale: true }));
      return entry && answer<T>(entry);
    },
    /** The cached answers for all keys with this prefix, up to `staleMs` old. Sends nothing. */
    peekAll<T>(keyPrefix: string): readonly Answer<T>[] {
      return cache
        .dump()
        .filter(([key]) => key.startsWith(keyPrefix))
        .flatMap(([, { value }]) => usable(value) ?? [])
        .map((entry) => answer<T>(entry));
    },
  };
}

/** An answer's age and why it is old, to be shown to people; `undefined` if it is fresh. */
export function stalenessOf({ ageMs, failure }: Answer<unknown>): Staleness | undefined {
  return (
    failure && {
      ageMinutes: Math.max(1, Math.round(ageMs / 60_000)),
      why: isShareSpent(failure) ? failure.reason : failure.kind,
      service: failure.service,
    }
  );
}

/** Includes kinds that a start does not wait for (`core/retry.ts`): a used-up plan has calls again within the hour. */
export function isTransient(error: unknown): error is ServiceError {
  return error instanceof ServiceError && TRANSIENT_KINDS.has(error.kind);
}
