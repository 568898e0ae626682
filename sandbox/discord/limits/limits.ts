// What Discord allows a bot to ask: the global rate, the buckets of routes, and how many requests may be in vain.
// Stands in front of the API and judges each request on its arrival, before anything reads it.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { MiddlewareHandler } from "hono";
import type { FaultAnswer, ServerEnv } from "../../faults/faults.ts";
import { readToEnd, toResponse } from "../../faults/meet.ts";
import type { Platform } from "../platform.ts";
import type { RecordedRequest, Recorder } from "../record.ts";
import { formatBan, formatRateLimit, type RefusedBy } from "./answers.ts";
import { createBuckets, type BucketState } from "./buckets.ts";
import { createPaceClock } from "./pace-clock.ts";
import { createSlidingWindow } from "./sliding-window.ts";

export interface Limits {
  /** The most requests under the global limit in any sliding second, refused ones too. */
  readonly busiestSecond: number;
  /** All 429s that were given, those of faults too. */
  readonly refused: Readonly<Record<RefusedBy, number>>;
  /** 401, 403 and 429 that count towards a ban, of the last ten minutes. */
  readonly invalidRequests: number;
  readonly isBanned: boolean;
  /** To stand in front of the API. Requests without a record are not the API's and pass. */
  readonly judge: MiddlewareHandler<ServerEnv>;
  /** Counts what was answered to a request. */
  count(record: RecordedRequest): void;
  /** Forgets what was counted for tests; nothing becomes allowed by it. */
  forgetCounts(): void;
  /** As if nothing had ever been asked. */
  reset(): void;
}

/** The global limit is one of a second. */
const GLOBAL_WINDOW_MS = 1000;
/** Invalid requests are counted over ten minutes. */
const INVALID_WINDOW_MS = 600_000;

const NOTHING_REFUSED = { user: 0, global: 0, shared: 0, ban: 0 } as const;

export function createLimits(platform: Platform, recorder: Pick<Recorder, "of">): Limits {
  const { settings, state } = platform;
  const now = createPaceClock(platform.clock);
  const buckets = createBuckets(() => settings.buckets);
  const arrivals = createSlidingWindow(GLOBAL_WINDOW_MS);
  const allowedOfBot = createSlidingWindow(GLOBAL_WINDOW_MS);
  const allowedOfStrangers = createSlidingWindow(GLOBAL_WINDOW_MS);
  const invalid = createSlidingWindow(INVALID_WINDOW_MS);
  const refused: Record<RefusedBy, number> = { ...NOTHING_REFUSED };
  let bannedUntilMs = -Infinity;

  /** The answer to a request that is refused; otherwise the headers of its bucket are on the response. */
  function judge(
    request: IncomingMessage,
    response: ServerResponse,
    record: RecordedRequest,
  ): FaultAnswer | undefined {
    const nowMs = now();
    if (bannedUntilMs > nowMs) {
      record.refusedBy = "ban";
      return formatBan(bannedUntilMs - nowMs);
    }
    const { path } = record;
    // Callbacks answer by their own token and are bound by neither limit.
    if (path.startsWith("/interactions/")) {
      return undefined;
    }
    const isBot = request.headers.authorization === `Bot ${state.application.token}`;
    if (!isWebhook(path)) {
      // Without a token it is the address that is counted.
      const allowed = isBot ? allowedOfBot : allowedOfStrangers;
      arrivals.add(nowMs);
      const waitMs = allowed.msUntilBelow(settings.globalPerSecond, nowMs);
      if (waitMs > 0) {
        record.refusedBy = "global";
        return formatRateLimit("global", retryAfter(waitMs));
      }
      allowed.add(nowMs);
      if (!isBot) {
        return undefined;
      }
    }
    const bucket = buckets.take(record.method, path, nowMs);
    const headers = headersOf(bucket, platform.clock.now());
    if (bucket.isExhausted) {
      record.refusedBy = "user";
      return formatRateLimit("user", retryAfter(bucket.resetAfterMs), headers);
    }
    for (const [name, value] of Object.entries(headers)) {
      response.setHeader(name, value);
    }
    return undefined;
  }

  return {
    refused,
    get busiestSecond() {
      return arrivals.largest;
    },
    get invalidRequests() {
      invalid.msUntilBelow(Infinity, now());
      return invalid.size;
    },
    get isBanned() {
      return bannedUntilMs > now();
    },
    async judge({ env: { incoming, outgoing } }, next) {
      const record = recorder.of(incoming);
      const refusal = record === undefined ? undefined : judge(incoming, outgoing, record);
      if (refusal === undefined) {
        return next();
      }
      await readToEnd(incoming);
      return toResponse(refusal);
    },
    count({ status, refusedBy }) {
      if (refusedBy !== undefined) {
        refused[refusedBy] += 1;
      }
      const isInvalid = status === 401 || status === 403 || status === 429;
      if (!isInvalid || refusedBy === "shared" || refusedBy === "ban") {
        return;
      }
      const nowMs = now();
      invalid.add(nowMs);
      if (invalid.size >= settings.invalidRequestLimit) {
        bannedUntilMs = nowMs + settings.banMs;
        invalid.clear();
      }
    },
    forgetCounts() {
      arrivals.forgetLargest(now());
      Object.assign(refused, NOTHING_REFUSED);
    },
    reset() {
      buckets.clear();
      for (const window of [arrivals, allowedOfBot, allowedOfStrangers, invalid]) {
        window.clear();
      }
      Object.assign(refused, NOTHING_REFUSED);
      bannedUntilMs = -Infinity;
    },
  };
}

/** Webhooks, those of interactions too, have buckets but no part in the global limit. */
function isWebhook(path: string): boolean {
  return /^\/webhooks\/[^/]+\/[^/]+/.test(path);
}

/** The header is in whole seconds, so that who waits by it has waited enough. */
function retryAfter(waitMs: number): { readonly header: number; readonly body: number } {
  return { header: Math.max(1, Math.ceil(waitMs / 1000)), body: Math.ceil(waitMs) / 1000 };
}

/** `X-RateLimit-*`; the reset is told by the sandbox's clock. */
function headersOf(bucket: BucketState, clockMs: number): Record<string, string> {
  // A sum of fractions may lie a hair above the whole window.
  const resetAfterMs = Math.ceil(Number(bucket.resetAfterMs.toFixed(6)));
  return {
    "x-ratelimit-limit": String(bucket.limit),
    "x-ratelimit-remaining": String(bucket.remaining),
    "x-ratelimit-reset": ((clockMs + resetAfterMs) / 1000).toFixed(3),
    "x-ratelimit-reset-after": (resetAfterMs / 1000).toFixed(3),
    "x-ratelimit-bucket": bucket.hash,
  };
}
