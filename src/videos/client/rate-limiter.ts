// Keeps within the service's limits: slows down when an account has nearly reached them, and sends nothing while it is
// blocked, because calls during a block extend it.
// https://developers.facebook.com/docs/graph-api/overview/rate-limiting
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { wait } from "../../core/retry.ts";
import { ServiceError } from "../../core/errors.ts";
import type { HttpAnswer } from "../../core/http.ts";
import { VIDEO } from "./account.ts";
import type { VideoRefusal } from "./refusal.ts";
import { looseAmount, looseList, parseJson } from "./read-values.ts";

/** `blocksInARow`: consecutive blocks without a known end. */
const UNUSED = { usedPercent: 0, notedAtMs: 0, blockedUntilMs: 0, blocksInARow: 0 };

const MAX_ACCOUNTS = 1_000;
/** From this usage on, each call waits, longer with each percent. */
const SLOW_FROM_PERCENT = 90;
const WAIT_PER_PERCENT_MS = 500;
const LONGEST_SLOW_MS = 5_000;
/** Older usage figures are out of date. */
const USAGE_LASTS_MS = 10 * 60_000;
/** If the wait would be longer, an error says how long it is. */
const LONGEST_WAIT_MS = 10_000;
const FIRST_BLOCK_MS = 5 * 60_000;
const LONGEST_BLOCK_MS = 60 * 60_000;

export function createRateLimiter(clock: Clock) {
  const states = new LRUCache<string, typeof UNUSED>({ max: MAX_ACCOUNTS });

  function stateOf(token: string) {
    const state = states.get(token) ?? { ...UNUSED };
    states.set(token, state);
    return state;
  }

  return {
    /** Throws a ServiceError `rate-limited` if the wait is too long, and `aborted`. */
    async before(token: string, signal: AbortSignal | undefined): Promise<void> {
      const state = stateOf(token);
      const blockedMs = state.blockedUntilMs - clock.elapsed();
      if (blockedMs > LONGEST_WAIT_MS) {
        const message = "blocked by an earlier answer";
        throw new ServiceError(VIDEO, "rate-limited", message, { retryAfterMs: blockedMs });
      }
      const isFresh = clock.elapsed() - state.notedAtMs < USAGE_LASTS_MS;
      const over = isFresh ? state.usedPercent - SLOW_FROM_PERCENT : 0;
      const waitMs = Math.max(blockedMs, Math.min(LONGEST_SLOW_MS, over * WAIT_PER_PERCENT_MS));
      if (waitMs > 0) {
        await wait(VIDEO, clock, waitMs, signal);
      }
    },
    note(token: string, { headers }: HttpAnswer, refusal: VideoRefusal | undefined): void {
      const usage = readUsage(headers);
      const state = stateOf(token);
      if (usage !== undefined) {
        state.usedPercent = usage.usedPercent;
        state.notedAtMs = clock.elapsed();
      }
      if (refusal?.kind !== "rate-limited") {
        state.blocksInARow = refusal === undefined ? 0 : state.blocksInARow;
        return;
      }
      const guessMs = Math.min(LONGEST_BLOCK_MS, FIRST_BLOCK_MS * 2 ** state.blocksInARow);
      const told = refusal.retryAfterMs ?? 0;
      state.blocksInARow += told > 0 ? 0 : 1;
      state.blockedUntilMs = clock.elapsed() + (told > 0 ? told : guessMs);
    },
  };
}

const counts = z.object({
  call_count: looseAmount,
  total_time: looseAmount,
  total_cputime: looseAmount,
  /** Minutes. */
  estimated_time_to_regain_access: looseAmount,
});

const byBusiness = z.record(z.string(), looseList(counts).catch([]));

/** Returns the usage; `undefined` if there is no such header: the service sends none while usage is low. */
export function readUsage(headers: HttpAnswer["headers"]) {
  const read = <T>(name: string, schema: z.ZodType<T>): T | undefined => {
    const words = headers[name];
    return words === undefined ? undefined : schema.safeParse(parseJson(words)).data;
  };
  const found = [
    ...["x-app-usage", "x-page-usage"].flatMap((name) => read(name, counts) ?? []),
    ...Object.values(read("x-business-use-case-usage", byBusiness) ?? {}).flat(),
  ];
  if (found.length === 0) {
    return undefined;
  }
  const percents = found.flatMap((one) => [one.call_count, one.total_time, one.total_cputime]);
  const minutes = found.map((one) => one.estimated_time_to_regain_access ?? 0);
  return {
    /** The highest of all percentages; may exceed 100. */
    usedPercent: Math.max(...percents.map((percent) => percent ?? 0)),
    /** Milliseconds until the service accepts calls again; 0 if it does now. */
    regainMs: Math.ceil(Math.max(...minutes) * 60_000),
  };
}
